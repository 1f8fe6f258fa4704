// One address family of the running daemon: its health check ports, proxier and runner.

import { networkInterfaces } from 'node:os'
import type { Informer } from '@kubewire/informer'
import {
  type EndpointSlice,
  type Ip,
  type IpFamily,
  objectKey,
  parseCidrSloppy,
  parseIp,
  type Service,
  type ServiceCidr,
} from '@kubewire/kube-model'
import { familyOptions } from './config/family-options.ts'
import { recordEvent } from './events.ts'
import { createFamilyProxier, type FamilyProxier } from './family-proxier.ts'
import { createHealthPorts } from './health/health-ports.ts'
import { healthQueued, healthUpdated, isHealthy } from './health/proxy-health.ts'
import { createConntrack } from './kernel/conntrack.ts'
import { createIptablesBackend } from './kernel/iptables-backend.ts'
import { createNftBackend } from './kernel/nft-backend.ts'
import { familyName, type UsableFamily } from './kernel/platform.ts'
import type { RuleBackend } from './kernel/rule-backend.ts'
import { createRunner, type Runner } from './runner.ts'
import type { Shared } from './shared.ts'

const fullIntervalMs = 3_600_000

/** The objects that rules are made of. */
export interface WatchedObjects {
  readonly services: Informer<Service>
  readonly slices: Informer<EndpointSlice>
  /** nftables mode only. */
  readonly serviceCidrs: Informer<ServiceCidr> | undefined
}

/** The same, and facts about the kernel. */
export interface Watched extends WatchedObjects {
  readonly isTcpLiberal: boolean
  readonly hasNfacct: boolean
}

/** A family at work. */
export interface RunningFamily {
  readonly family: IpFamily
  readonly proxier: FamilyProxier
  readonly runner: Runner
  readonly syncNow: () => Promise<boolean>
  readonly request: () => void
  /** Looks at the next few chains in the kernel, where the back end can. */
  readonly audit: RuleBackend['audit']
}

/** Sets up one family: health check ports, proxier, runner. Nothing runs before `syncNow` or `request`. */
export function startFamily(shared: Shared, usable: UsableFamily, watched: Watched): RunningFamily {
  const { options, cluster, clock, metrics, nodeInformer, nodeIps, nodeName, state } = shared
  const { configuration, log, shutdown } = options
  const { family } = usable
  const name = familyName(family)
  const generatorOptions = () =>
    familyOptions(
      configuration,
      {
        nodeName,
        node: nodeInformer.store.getByKey(objectKey(undefined, nodeName)),
        nodeIps,
        interfaceAddresses: interfaceAddresses(),
        isTcpLiberal: watched.isTcpLiberal,
        hasNfacct: watched.hasNfacct,
      },
      family,
    )
  const { nodePortAddresses: serving } = generatorOptions()
  const anyAddress = family === 4 ? '0.0.0.0' : '::'
  const healthPorts = createHealthPorts({
    addresses: serving.kind === 'all' ? [anyAddress] : serving.addresses.map((ip) => ip.text),
    isProxyHealthy: () => isHealthy(state.health, clock.nowMs(), configuration.syncPeriodMs),
    log,
    onListenFailure: (service, message) => {
      log.error('Failed to start a health check node port', {
        service: `${service.namespace}/${service.name}`,
        err: message,
      })
      const regarding = { kind: 'Service', ...service }
      void recordEvent(
        cluster,
        nodeName,
        { type: 'Warning', reason: 'FailedToStartServiceHealthcheck', action: 'Listen', note: message, regarding },
        Date.now(),
        log,
      )
    },
  })
  shutdown.defer(`health check node ports ${name}`, () => healthPorts.close())
  const backend = backendOf(shared, usable, watched)
  const proxier = createFamilyProxier({
    family,
    backend,
    conntrack: createConntrack(),
    healthPorts,
    metrics,
    clock,
    log,
    snapshot: () => ({ services: watched.services.store, endpointSlices: watched.slices.store }),
    options: generatorOptions,
    onSuccess: () => {
      state.health = healthUpdated(state.health, name, clock.nowMs())
    },
  })
  let turn: Promise<boolean> = Promise.resolve(true)
  const syncNow = (): Promise<boolean> => {
    turn = turn.then(() => proxier.sync())
    return turn
  }
  const { minSyncPeriodMs: minIntervalMs, syncPeriodMs: retryMs } = configuration
  const runner = createRunner(syncNow, { minIntervalMs, retryMs, maxIntervalMs: fullIntervalMs }, clock)
  shutdown.defer(`sync loop ${name}`, () => runner.close())
  state.health = healthUpdated(state.health, name, clock.nowMs())
  // The listing at start counts as the first request.
  metrics.lastQueued.set({ ip_family: name }, clock.nowMs() / 1000)
  const request = (): void => {
    state.health = healthQueued(state.health, name, clock.nowMs())
    metrics.lastQueued.set({ ip_family: name }, clock.nowMs() / 1000)
    runner.request()
  }
  return { family, proxier, runner, syncNow, request, audit: backend.audit }
}

function interfaceAddresses(): readonly Ip[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).flatMap(({ address }) => parseIp(address) ?? []),
  )
}

function backendOf({ options, clock }: Shared, usable: UsableFamily, { serviceCidrs }: Watched): RuleBackend {
  const { family } = usable
  if (usable.kind === 'iptables') return createIptablesBackend({ ...usable, log: options.log })
  const cidrs = () =>
    [...(serviceCidrs?.store ?? [])]
      .flatMap((object) => object.spec?.cidrs ?? [])
      .flatMap((text) => parseCidrSloppy(text) ?? [])
      .filter((cidr) => cidr.family === family)
  const { nft, takesRulesInChains, deletesChainsAtOnce } = usable
  return createNftBackend({ family, nft, takesRulesInChains, deletesChainsAtOnce, serviceCidrs: cidrs, clock })
}
