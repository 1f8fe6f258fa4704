// One loaded configuration: plans, connections, running plugins. A reload makes a second one beside it and throws the
// old one away when the new one stands.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Log } from '@kubewire/daemon-kit'
import {
  type ClusterAccess,
  createDnsServer,
  type DnsServer,
  type ForwardConfig,
  forwardHosts,
  isKubernetes,
  type KubernetesConfig,
  type TlsConfig,
  type Upstream,
} from '@kubewire/dns-core'
import { printCorefileProblem, type ServerPlan, serverPlans } from '@kubewire/dns-core/corefile'
import type { Cluster } from '@kubewire/informer'
import { type CorefileText, processSurroundings } from './corefile-files.ts'
import { daemonPorts } from './daemon-ports.ts'
import type { MetricStore } from './metrics/metric-store.ts'
import { resolveHosts } from './upstream/resolve-hosts.ts'
import { createUpstreamClient } from './upstream/upstream.ts'
import { connectAccess } from './watch-cluster.ts'

/** A running configuration. */
export interface Instance {
  readonly server: DnsServer
  readonly plans: readonly ServerPlan[]
  /** SHA-512 of the parsed configuration, comments and layout left out. */
  readonly hash: string
  /** Resolves when the clusters are synchronised or the start-up time is over. */
  waitForClusters(): Promise<void>
  close(): Promise<void>
}

/** What every instance of a process shares. */
export interface InstanceOptions {
  readonly log: Log
  readonly metrics: MetricStore
  readonly defaultPort: number
  fatal(message: string): void
}

/** Reads and starts a configuration, sockets left out. Throws with the problems, one a line. */
export async function startInstance(corefile: CorefileText, options: InstanceOptions): Promise<Instance> {
  const { log, metrics, defaultPort, fatal } = options
  const { value: plans, problems } = planCorefile(corefile, defaultPort)
  const errors = problems.filter((problem) => problem.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(printCorefileProblem).join('\n'))
  const clusters = await connectClusters(plans, metrics)
  const upstreams = createUpstreamClient((isHit, labels) => metrics.add(reuseMetrics[isHit ? 0 : 1], labels))
  const uncounted = createUpstreamClient(() => {})
  const ports = daemonPorts({
    log,
    hosts: await resolveHosts(forwardConfigs(plans).flatMap(forwardHosts)),
    metrics,
    upstreams,
    uncounted,
    isDebugging: plans.some((plan) => plan.plugins.some(({ definition }) => definition.name === 'debug')),
    clusterOf: (access) => {
      const cluster = clusters.get(JSON.stringify(access))
      if (cluster === undefined) throw new Error('every kubernetes block was connected before')
      return cluster
    },
    self: () => selfOf(plans),
    fatal,
  })
  const server = createDnsServer(plans, ports)
  const close = async (): Promise<void> => {
    server.close()
    upstreams.close()
    uncounted.close()
    await Promise.all([...clusters.values()].map((cluster) => cluster.close()))
  }
  const startErrors = startErrorsOf(server)
  if (startErrors.length > 0) {
    await close()
    throw new Error(startErrors.join('\n'))
  }
  return { server, plans, hash: hashPlans(plans), waitForClusters: () => waitForSync(server, log), close }
}

const reuseMetrics = ['coredns_proxy_conn_cache_hits_total', 'coredns_proxy_conn_cache_misses_total'] as const

/** Configurations of a plugin in all blocks. */
export function configsOf<C>(instance: Instance, name: string): C[] {
  const plugins = instance.plans.flatMap((plan) => plan.plugins)
  return plugins.filter(({ definition }) => definition.name === name).map(({ config }) => config as C)
}

function startErrorsOf({ blocks }: DnsServer): string[] {
  const files = blocks.flatMap(({ plan }) => plan.plugins).flatMap(missingFile)
  if (files.length > 0) return files
  const unbound = blocks.flatMap(({ plan }) => plan.bind.filter((text) => !isAddress(text)))
  if (unbound.length > 0) return unbound.map(notAnAddress)
  const plugins = blocks.flatMap((block) => block.plugins)
  return plugins.flatMap(({ name, plugin: { startError } }) =>
    startError === undefined ? [] : [`plugin/${name}: ${startError}`],
  )
}

/** A certificate of a block that cannot be read. */
function missingFile({ definition, config }: ServerPlan['plugins'][number]): string[] {
  if (definition.name !== 'tls') return []
  const { cert, key } = config as TlsConfig
  const missing = [cert, key].find((file) => !existsSync(file))
  return missing === undefined
    ? []
    : [`plugin/tls: could not load TLS cert: open ${missing}: no such file or directory`]
}

function isAddress(text: string): boolean {
  return isIP(text.replace(/%.*$/, '')) !== 0 || networkInterfaces()[text] !== undefined
}

function notAnAddress(text: string): string {
  return `plugin/bind: not a valid IP address or interface name: ${JSON.stringify(text)}`
}

/** Plans of a Corefile in this process's surroundings. */
export function planCorefile({ text, fileName }: CorefileText, defaultPort: number): ReturnType<typeof serverPlans> {
  return serverPlans(text, { fileName, root: '', defaultPort, surroundings: processSurroundings })
}

/** SHA-512 over keys and configurations of all blocks. */
export function hashPlans(plans: readonly ServerPlan[]): string {
  const value = plans.map(({ source }) => source)
  return createHash('sha512').update(JSON.stringify(value)).digest('hex')
}

async function connectClusters(plans: readonly ServerPlan[], metrics: MetricStore): Promise<Map<string, Cluster>> {
  const clusters = new Map<string, Cluster>()
  try {
    for (const access of kubernetesConfigs(plans).map((config) => config.watch.access)) {
      const key = JSON.stringify(access)
      if (!clusters.has(key)) clusters.set(key, await connectOrExplain(access, metrics))
    }
  } catch (error) {
    for (const cluster of clusters.values()) await cluster.close()
    throw error
  }
  return clusters
}

async function connectOrExplain(access: ClusterAccess, metrics: MetricStore): Promise<Cluster> {
  try {
    return await connectAccess(access, metrics)
  } catch (cause) {
    throw new Error(`plugin/kubernetes: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

function forwardConfigs(plans: readonly ServerPlan[]): ForwardConfig[] {
  const plugins = plans.flatMap((plan) => plan.plugins)
  return plugins
    .filter(({ definition }) => definition.name === 'forward')
    .flatMap(({ config }) => config as readonly ForwardConfig[])
}

function kubernetesConfigs(plans: readonly ServerPlan[]): KubernetesConfig[] {
  const plugins = plans.flatMap((plan) => plan.plugins)
  return plugins
    .filter(({ definition }) => definition.name === 'kubernetes')
    .map(({ config }) => config as KubernetesConfig)
}

/** Checked every 100 ms, with a line every 500 ms (CoreDNS plugin/kubernetes/kubernetes.go InitKubeCache). */
async function waitForSync(server: DnsServer, log: Log): Promise<void> {
  for (const { plugin } of server.blocks.flatMap((block) => block.plugins)) {
    if (!isKubernetes(plugin)) continue
    const deadlineMs = Date.now() + plugin.config.watch.startupTimeoutMs
    for (let rounds = 1; !plugin.index.hasSynced(); rounds++) {
      if (Date.now() >= deadlineMs) {
        log.warn('plugin/kubernetes: starting server with unsynced Kubernetes API')
        break
      }
      if (rounds % 5 === 0) log.info('plugin/kubernetes: waiting for Kubernetes API before starting server')
      // Most clusters answer within a few milliseconds; the first looks come faster.
      await new Promise((resolve) => setTimeout(resolve, rounds < 4 ? 20 : 100))
    }
  }
}

/** An address at which the first DNS listener answers. */
function selfOf(plans: readonly ServerPlan[]): Upstream {
  const plan = plans.find(({ facts }) => facts.keys.some((key) => key.scheme === 'dns'))
  const port = plan?.facts.keys.find((key) => key.scheme === 'dns')?.port ?? 53
  return { transport: 'dns', address: plan?.bind[0] ?? '127.0.0.1', port }
}
