// The wiring of the daemon, from a checked configuration to its end.

import { hostname } from 'node:os'
import { connectCluster, type Log, systemClock, watchFile } from '@kubewire/daemon-kit'
import { type Cluster, createInformer, type Informer } from '@kubewire/informer'
import { EndpointSlices, ServiceCidrs, Services } from '@kubewire/informer/resources'
import {
  type EndpointSlice,
  type KubeObject,
  type Node,
  objectKey,
  type Service,
  type ServiceCidr,
} from '@kubewire/kube-model'
import { detectNodeIps, nodeAddresses } from './config/node-ips.ts'
import { recordEvent } from './events.ts'
import { initialHealth, isNodeEligible } from './health/proxy-health.ts'
import { listenUntilBound, serveHealth, serveMetrics } from './health/servers.ts'
import { cleanUpOtherMode } from './kernel/cleanup.ts'
import { createNfacct } from './kernel/nfacct.ts'
import {
  familyName,
  routeLocalnet,
  setOomScore,
  type UsableFamily,
  usableFamilies,
  writeSysctls,
} from './kernel/platform.ts'
import { readSysctl } from './kernel/sysctls.ts'
import { watchKernel } from './kernel/watch-kernel.ts'
import { collectCounters, createProxyMetrics } from './metrics.ts'
import { awaitNode, type NodeBasis, nodeBasis, nodeFault, watchNode, zoneOf } from './node.ts'
import type { ServeOptions, Shared } from './shared.ts'
import { checkStart } from './start-checks.ts'
import { type RunningFamily, startFamily, type WatchedObjects } from './start-family.ts'

/** Starts everything; returns when the first sync is on its way. Rejects when the node cannot be served. */
export async function serve(options: ServeOptions): Promise<void> {
  const { configuration, log, shutdown, master } = options
  const clock = systemClock
  await setOomScore(configuration.oomScoreAdj, log)
  for (const problem of await cleanUpOtherMode(configuration.mode))
    log.warn('Clean-up of the other mode is incomplete', { err: problem })
  const cluster = await connectCluster({
    ...(configuration.kubeconfig === '' ? {} : { kubeconfig: configuration.kubeconfig }),
    ...(master === '' ? {} : { server: master }),
  })
  shutdown.defer('cluster', () => cluster.close())
  // The lists are under way while the rest of the start waits for the node and for programs.
  const watched = watchObjects(cluster, options)
  const nodeName = configuration.hostnameOverride || hostname().trim().toLowerCase()
  const nodeInformer = watchNode(cluster, nodeName)
  reportErrors(nodeInformer, log)
  shutdown.defer('node', () => nodeInformer.close())
  const usesPodCidrs = configuration.detectLocalMode === 'NodeCIDR'
  const node = await awaitNode(nodeInformer, { nodeName, usesPodCidrs, clock, log, signal: shutdown.signal })
  const nodeIps = detectNodeIps(nodeAddresses(node), configuration.bindAddress)
  await writeSysctls(configuration, log)
  const families = await usableFamilies(configuration.mode, nodeIps, log)
  const podCidrs = node?.spec?.podCIDRs ?? []
  const facts = {
    configuration,
    podCidrs,
    families: families.map((one) => one.family),
    primaryFamily: nodeIps.primaryFamily,
  }
  const { warnings, fatal } = checkStart(facts)
  for (const warning of warnings) log.warn(warning)
  if (fatal.length > 0) throw new Error(fatal.join('; '))
  if (configuration.mode === 'iptables' && families.some((one) => one.family === 4))
    await routeLocalnet(configuration, nodeIps)
  const metrics = createProxyMetrics(
    families.map((one) => familyName(one.family)),
    configuration.mode,
  )
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
  // Before anything says that the proxy is up: a node that goes during the start must end it too.
  watchNodeFaults(shared, nodeBasis(node), usesPodCidrs)
  await startServers(shared)
  const isTcpLiberal = ((await readSysctl('net/netfilter/nf_conntrack_tcp_be_liberal')) ?? 0) !== 0
  await startProxying(shared, families, watched, isTcpLiberal)
  if (options.configFile !== '') watchConfig(options)
}

/** Says what keeps the cluster from being seen, as it happens. */
function reportErrors({ errors$ }: Pick<Informer<KubeObject>, 'errors$'>, log: Log): void {
  errors$.subscribe(({ message }) => log.warn('Watching the cluster', { err: message }))
}

async function startServers(shared: Shared): Promise<void> {
  const { options, cluster, metrics, clock, nodeInformer, nodeName, state } = shared
  const { configuration, log, shutdown } = options
  const node = (): Node | undefined => nodeInformer.store.getByKey(objectKey(undefined, nodeName))
  const common = {
    configuration,
    process: options.process,
    metrics,
    clock,
    wallMs: Date.now,
    log,
    health: () => state.health,
    isNodeEligible: () => isNodeEligible(node()),
  }
  const binding = { clock, log, isFatal: configuration.bindAddressHardFail, signal: shutdown.signal }
  const start = async (name: 'healthz' | 'metrics', listen: () => ReturnType<typeof serveHealth>): Promise<void> => {
    try {
      const server = await listenUntilBound(name, listen, binding)
      if (server !== undefined) shutdown.defer(name, () => server.close())
    } catch (error) {
      const note = `${name} server failed: ${error instanceof Error ? error.message : String(error)}`
      await recordEvent(cluster, nodeName, serverEvent(nodeName, name, note), Date.now(), log)
      throw new Error(note)
    }
  }
  const servers = [
    ...(configuration.healthzBindAddress === '' ? [] : [start('healthz', () => serveHealth(common))]),
    ...(configuration.metricsBindAddress === '' ? [] : [start('metrics', () => serveMetrics(common))]),
  ]
  // An address that is taken must not hold up the rules unless the configuration says that it is fatal.
  if (configuration.bindAddressHardFail) await Promise.all(servers)
}

/** Everything rules are made of, as it is in the cluster. */
function watchObjects(cluster: Cluster, { configuration, log, shutdown }: ServeOptions): WatchedObjects {
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
  const serviceCidrs =
    configuration.mode === 'nftables' ? createInformer<ServiceCidr>(cluster.source(ServiceCidrs)) : undefined
  const all = [serviceCidrs, services, slices].filter((informer) => informer !== undefined)
  for (const informer of all) {
    reportErrors(informer, log)
    informer.start()
  }
  shutdown.defer('informers', async () => void (await Promise.all(all.map((informer) => informer.close()))))
  return { services, slices, serviceCidrs }
}

async function startProxying(
  shared: Shared,
  families: readonly UsableFamily[],
  { services, slices, serviceCidrs }: WatchedObjects,
  isTcpLiberal: boolean,
): Promise<void> {
  const { options, cluster } = shared
  const { configuration, shutdown } = options
  const nfacct = createNfacct()
  const hasNfacct = configuration.mode === 'iptables' && (await nfacct.ensure())
  if (hasNfacct) collectCounters(shared.metrics, nfacct)
  const running = families.map((family) =>
    startFamily(shared, family, { services, slices, serviceCidrs, isTcpLiberal, hasNfacct }),
  )
  let hasStarted = false
  // With what was listed meanwhile.
  services.events$.subscribe((event) => {
    for (const { proxier, request } of running)
      if (proxier.serviceChanged(event.object, event.type === 'deleted') && hasStarted) request()
  })
  slices.events$.subscribe((event) => {
    for (const { proxier, request } of running)
      if (proxier.sliceChanged(event.object, event.type === 'deleted') && hasStarted) request()
  })
  serviceCidrs?.changes$.subscribe(() => {
    if (hasStarted) for (const { request } of running) request()
  })
  await Promise.all([services.synced({ signal: shutdown.signal }), slices.synced({ signal: shutdown.signal })])
  hasStarted = true
  // The first sync does not wait for the runner; one that failed is tried again by it.
  await Promise.all(
    running.map(async ({ syncNow, request }) => {
      if (!(await syncNow())) request()
    }),
  )
  watchKernel(shared, families, running)
  listenToZone(shared, running)
  if (configuration.isModeDefaulted)
    void recordEvent(cluster, shared.nodeName, defaultModeEvent(shared.nodeName), Date.now(), options.log)
  void recordEvent(cluster, shared.nodeName, startingEvent(shared.nodeName), Date.now(), options.log)
}

// Since 1.37: the default becomes nftables in 1.40.
function defaultModeEvent(nodeName: string) {
  return {
    type: 'Warning',
    reason: 'KubeProxyDefaultMode',
    action: 'StartKubeProxy',
    note: 'The default proxy mode will become nftables in 1.40: write the mode down',
    regarding: { kind: 'Node', name: nodeName },
  } as const
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

function serverEvent(nodeName: string, server: 'healthz' | 'metrics', note: string) {
  return {
    type: 'Warning',
    reason: server === 'healthz' ? 'FailedToStartProxierHealthcheck' : 'FailedToStartMetricServer',
    action: 'StartKubeProxy',
    note,
    regarding: { kind: 'Node', name: nodeName },
  } as const
}

function listenToZone(shared: Shared, running: readonly RunningFamily[]): void {
  shared.nodeInformer.changes$.subscribe((event) => {
    const before = event.type === 'updated' ? event.previous : undefined
    if (event.type === 'deleted' || zoneOf(before) === zoneOf(event.object)) return
    for (const { request } of running) request()
  })
}

function watchNodeFaults({ options, nodeInformer, nodeName }: Shared, basis: NodeBasis, usesPodCidrs: boolean): void {
  const check = (): void => {
    const fault = nodeFault(basis, nodeInformer.store.getByKey(objectKey(undefined, nodeName)), usesPodCidrs)
    if (fault !== undefined) options.fail(`node ${nodeName}: ${fault}`)
  }
  nodeInformer.changes$.subscribe(check)
  // What happened between the waiting for the node and the subscription.
  check()
}

function watchConfig({ configFile, fail, shutdown }: ServeOptions): void {
  let isFirst = true
  const subscription = watchFile(configFile).subscribe(() => {
    if (!isFirst) fail("content of the proxy server's configuration file was updated")
    isFirst = false
  })
  shutdown.defer('configuration file', () => subscription.unsubscribe())
}
