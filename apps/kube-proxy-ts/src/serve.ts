// The wiring of the daemon, from a checked configuration to its end.

import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, hostname, networkInterfaces } from 'node:os'
import { type Clock, connectCluster, type Log, type Shutdown, systemClock, watchFile } from '@kubewire/daemon-kit'
import { type Cluster, createInformer, type Informer } from '@kubewire/informer'
import { EndpointSlices, Services } from '@kubewire/informer/resources'
import { chainNames } from '@kubewire/iptables-gen'
import {
  type EndpointSlice,
  type Ip,
  type IpFamily,
  type Node,
  objectKey,
  parseIp,
  type Service,
} from '@kubewire/kube-model'
import { watchCanary } from './canary.ts'
import type { ProxyConfiguration } from './config/defaults.ts'
import { familyOptions } from './config/family-options.ts'
import { detectNodeIps, type NodeIps, nodeAddresses } from './config/node-ips.ts'
import { createConntrack } from './conntrack.ts'
import { recordEvent } from './events.ts'
import { createFamilyProxier, type FamilyProxier } from './family-proxier.ts'
import { createHealthPorts } from './health-ports.ts'
import { createIptables, type Iptables } from './iptables.ts'
import { collectCounters, createProxyMetrics, type ProxyMetrics } from './metrics.ts'
import { createNfacct } from './nfacct.ts'
import { awaitNode, nodeChange, watchNode } from './node.ts'
import {
  healthQueued,
  healthUpdated,
  initialHealth,
  isHealthy,
  isNodeEligible,
  type ProxyHealth,
} from './proxy-health.ts'
import { createRunner, type Runner } from './runner.ts'
import { listenUntilBound, serveHealth, serveMetrics } from './servers.ts'
import { conntrackSettings, readSysctl, wantedHashSize, writeSysctl } from './sysctls.ts'

/** What the daemon is started with. */
export interface ServeOptions {
  readonly configuration: ProxyConfiguration
  readonly configFile: string
  readonly master: string
  readonly log: Log
  readonly shutdown: Shutdown
  /** Ends the process with status 1 so that its supervisor starts it again. */
  readonly fail: (reason: string) => void
}

const fullIntervalMs = 3_600_000

/** Starts everything; returns when the first sync is on its way. Rejects when the node cannot be served. */
export async function serve(options: ServeOptions): Promise<void> {
  const { configuration, log, shutdown, master } = options
  const clock = systemClock
  const cluster = await connectCluster({
    ...(configuration.kubeconfig === '' ? {} : { kubeconfig: configuration.kubeconfig }),
    ...(master === '' ? {} : { server: master }),
  })
  shutdown.defer('cluster', () => cluster.close())
  const nodeName = configuration.hostnameOverride || hostname().trim().toLowerCase()
  const nodeInformer = watchNode(cluster, nodeName)
  shutdown.defer('node', () => nodeInformer.close())
  const usesPodCidrs = configuration.detectLocalMode === 'NodeCIDR'
  const node = await awaitNode(nodeInformer, { nodeName, usesPodCidrs, clock, log })
  const nodeIps = detectNodeIps(nodeAddresses(node), configuration.bindAddress)
  await writeSysctls(configuration, log)
  const families = await usableFamilies(nodeIps, log)
  if (families.some((one) => one.family === 4)) await routeLocalnet(configuration, nodeIps)
  const metrics = createProxyMetrics(families.map((one) => familyName(one.family)))
  const shared: Shared = {
    options,
    cluster,
    clock,
    nodeName,
    nodeIps,
    nodeInformer,
    metrics,
    state: { health: initialHealth },
  }
  await startServers(shared)
  const isTcpLiberal = ((await readSysctl('net/netfilter/nf_conntrack_tcp_be_liberal')) ?? 0) !== 0
  await startProxying(shared, families, isTcpLiberal)
  startNodeWatch(shared, usesPodCidrs)
  if (options.configFile !== '') watchConfig(options)
}

interface Shared {
  readonly options: ServeOptions
  readonly cluster: Cluster
  readonly clock: Clock
  readonly nodeName: string
  readonly nodeIps: NodeIps
  readonly nodeInformer: Informer<Node>
  readonly metrics: ProxyMetrics
  readonly state: { health: ProxyHealth }
}

interface UsableFamily {
  readonly family: IpFamily
  readonly iptables: Iptables
  readonly backend: 'nft' | 'legacy'
}

function familyName(family: IpFamily): 'IPv4' | 'IPv6' {
  return family === 4 ? 'IPv4' : 'IPv6'
}

async function writeSysctls(configuration: ProxyConfiguration, log: Log): Promise<void> {
  for (const [name, value] of Object.entries(conntrackSettings(configuration.conntrack, availableParallelism()))) {
    log.info('Set sysctl', { entry: `net/netfilter/${name}`, value })
    await writeSysctl(`net/netfilter/${name}`, value)
    if (name === 'nf_conntrack_max') await raiseHashSize(value, log)
  }
}

const hashSizeFile = '/sys/module/nf_conntrack/parameters/hashsize'

async function raiseHashSize(maximum: number, log: Log): Promise<void> {
  try {
    const wanted = wantedHashSize(maximum, Number((await readFile(hashSizeFile, 'utf8')).trim()))
    if (wanted !== undefined) await writeFile(hashSizeFile, String(wanted))
  } catch (error) {
    log.warn('could not set the size of the conntrack hash table', { err: messageOf(error) })
  }
}

/** Families whose iptables works; rejects when the node's primary one does not. */
async function usableFamilies(nodeIps: NodeIps, log: Log): Promise<readonly UsableFamily[]> {
  const found: UsableFamily[] = []
  for (const family of [4, 6] as const) {
    const iptables = createIptables(family)
    if ((family === 6 && !(await hasIpv6())) || !(await iptables.isUsable())) continue
    const { version, backend } = await iptables.version()
    log.info('Using iptables', { family: familyName(family), version, backend })
    found.push({ family, iptables, backend })
  }
  const primary = nodeIps.primaryFamily
  if (!found.some((one) => one.family === primary))
    throw new Error(`iptables is not available on this host for ${familyName(primary)}, the node's primary IP family`)
  if (found.length === 1) log.info('kube-proxy running in single-stack mode', { ipFamily: familyName(primary) })
  return found
}

async function hasIpv6(): Promise<boolean> {
  const isListed = await readFile('/proc/net/if_inet6', 'utf8').then(
    () => true,
    () => false,
  )
  return isListed && (await readSysctl('net/ipv6/conf/all/disable_ipv6')) !== 1
}

async function routeLocalnet(configuration: ProxyConfiguration, nodeIps: NodeIps): Promise<void> {
  const facts = {
    nodeName: '',
    node: undefined,
    nodeIps,
    interfaceAddresses: [],
    isTcpLiberal: false,
    hasNfacct: false,
  }
  if (familyOptions(configuration, facts, 4).localhostNodePorts)
    await writeSysctl('net/ipv4/conf/all/route_localnet', 1)
}

async function startServers(shared: Shared): Promise<void> {
  const { options, metrics, clock, nodeInformer, nodeName, state } = shared
  const { configuration, log, shutdown } = options
  const node = (): Node | undefined => nodeInformer.store.getByKey(objectKey(undefined, nodeName))
  const common = {
    configuration,
    metrics,
    clock,
    log,
    health: () => state.health,
    isNodeEligible: () => isNodeEligible(node()),
  }
  const binding = { clock, log, isFatal: configuration.bindAddressHardFail, signal: shutdown.signal }
  const start = async (name: string, listen: () => ReturnType<typeof serveHealth>): Promise<void> => {
    const server = await listenUntilBound(name, listen, binding)
    if (server !== undefined) shutdown.defer(name, () => server.close())
  }
  const servers = [
    ...(configuration.healthzBindAddress === '' ? [] : [start('healthz', () => serveHealth(common))]),
    ...(configuration.metricsBindAddress === '' ? [] : [start('metrics', () => serveMetrics(common))]),
  ]
  // An address that is taken must not hold up the rules unless the configuration says that it is fatal.
  if (configuration.bindAddressHardFail) await Promise.all(servers)
}

interface RunningFamily {
  readonly family: IpFamily
  readonly proxier: FamilyProxier
  readonly runner: Runner
  readonly syncNow: () => Promise<boolean>
  readonly request: () => void
}

async function startProxying(shared: Shared, families: readonly UsableFamily[], isTcpLiberal: boolean): Promise<void> {
  const { options, cluster } = shared
  const { configuration, shutdown } = options
  const resyncPeriodMs = configuration.configSyncPeriodMs
  const services = createInformer<Service>(
    cluster.source(Services, {
      labelSelector: '!service.kubernetes.io/service-proxy-name',
      fieldSelector: 'spec.clusterIP!=None',
    }),
    { resyncPeriodMs },
  )
  const slices = createInformer<EndpointSlice>(
    cluster.source(EndpointSlices, { labelSelector: '!service.kubernetes.io/headless' }),
    { resyncPeriodMs },
  )
  const nfacct = createNfacct()
  const hasNfacct = await nfacct.ensure()
  if (hasNfacct) collectCounters(shared.metrics, nfacct)
  const running = families.map((family) => startFamily(shared, family, { services, slices, isTcpLiberal, hasNfacct }))
  let hasStarted = false
  services.changes$.subscribe((event) => {
    for (const { proxier, request } of running)
      if (proxier.serviceChanged(event.object, event.type === 'deleted') && hasStarted) request()
  })
  slices.changes$.subscribe((event) => {
    for (const { proxier, request } of running)
      if (proxier.sliceChanged(event.object, event.type === 'deleted') && hasStarted) request()
  })
  services.start()
  slices.start()
  shutdown.defer('informers', async () => void (await Promise.all([services.close(), slices.close()])))
  await Promise.all([services.synced({ signal: shutdown.signal }), slices.synced({ signal: shutdown.signal })])
  hasStarted = true
  // The first sync does not wait for the runner; one that failed is tried again by it.
  await Promise.all(
    running.map(async ({ syncNow, request }) => {
      if (!(await syncNow())) request()
    }),
  )
  startCanaries(shared, families, running)
  listenToZone(shared, running)
  recordEvent(cluster, shared.nodeName, startingEvent(shared.nodeName), shared.clock.nowMs(), options.log)
}

function startingEvent(nodeName: string) {
  return {
    type: 'Normal',
    reason: 'Starting',
    action: 'StartKubeProxy',
    note: '',
    regarding: { kind: 'Node', name: nodeName },
  } as const
}

function startFamily(
  shared: Shared,
  { family, iptables, backend }: UsableFamily,
  watched: {
    readonly services: Informer<Service>
    readonly slices: Informer<EndpointSlice>
    readonly isTcpLiberal: boolean
    readonly hasNfacct: boolean
  },
): RunningFamily {
  const { options, cluster, clock, metrics, nodeInformer, nodeIps, nodeName, state } = shared
  const { configuration, log, shutdown } = options
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
      recordEvent(
        cluster,
        nodeName,
        { type: 'Warning', reason: 'FailedToStartServiceHealthcheck', action: 'Listen', note: message, regarding },
        clock.nowMs(),
        log,
      )
    },
  })
  shutdown.defer(`health check node ports ${name}`, () => healthPorts.close())
  const proxier = createFamilyProxier({
    family,
    iptables,
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
  const request = (): void => {
    state.health = healthQueued(state.health, name, clock.nowMs())
    metrics.lastQueued.set({ ip_family: name }, clock.nowMs() / 1000)
    runner.request()
  }
  return { family, proxier, runner, syncNow, request }
}

function interfaceAddresses(): readonly Ip[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).flatMap(({ address }) => parseIp(address) ?? []),
  )
}

function startCanaries(shared: Shared, families: readonly UsableFamily[], running: readonly RunningFamily[]): void {
  const { options, clock } = shared
  const { configuration, log, shutdown } = options
  for (const { family, iptables } of families) {
    const one = running.find((candidate) => candidate.family === family)
    void watchCanary({
      iptables,
      periodMs: configuration.syncPeriodMs,
      clock,
      signal: shutdown.signal,
      onFlush: async () => {
        log.info(`${chainNames.canary} is gone: making all rules again`, { family: familyName(family) })
        one?.proxier.forceFull()
        await one?.syncNow()
      },
      onProblem: (message) => log.warn(message),
    })
  }
}

function listenToZone(shared: Shared, running: readonly RunningFamily[]): void {
  shared.nodeInformer.changes$.subscribe((event) => {
    const before = event.type === 'updated' ? event.previous : undefined
    const after = event.type === 'deleted' ? undefined : event.object
    if (nodeChange(before, after, false) !== 'zone-changed') return
    for (const { request } of running) request()
  })
}

function startNodeWatch({ options, nodeInformer, nodeName }: Shared, usesPodCidrs: boolean): void {
  nodeInformer.changes$.subscribe((event) => {
    const before = event.type === 'updated' ? event.previous : event.type === 'deleted' ? event.object : undefined
    const after = event.type === 'deleted' ? undefined : event.object
    const change = nodeChange(before, after, usesPodCidrs)
    if (change === 'nothing' || change === 'zone-changed') return
    options.fail(`node ${nodeName}: ${change}`)
  })
}

function watchConfig({ configFile, fail, shutdown }: ServeOptions): void {
  let isFirst = true
  const subscription = watchFile(configFile).subscribe(() => {
    if (!isFirst) fail("content of the proxy server's configuration file was updated")
    isFirst = false
  })
  shutdown.defer('configuration file', () => subscription.unsubscribe())
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
