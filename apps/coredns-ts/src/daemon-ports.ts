// The world as plugins see it in the daemon: real clock, files, sockets and clusters.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join, relative } from 'node:path'
import type { Log } from '@kubewire/daemon-kit'
import type { ClusterAccess, Ports, Query, Upstream } from '@kubewire/dns-core'
import { encodeReply, queryOf, rrType } from '@kubewire/dns-core'
import type { Cluster } from '@kubewire/informer'
import { createRequestCounter } from './metrics/count-requests.ts'
import type { MetricStore } from './metrics/metric-store.ts'
import type { UpstreamClient } from './upstream/upstream.ts'
import { watchCluster } from './watch-cluster.ts'

/** What ports are made of. */
export interface PortsOptions {
  readonly log: Log
  readonly metrics: MetricStore
  readonly upstreams: UpstreamClient
  /** For questions to itself, which nobody counts. */
  readonly uncounted: UpstreamClient
  /** Whether lines of level `debug` are written. */
  readonly isDebugging: boolean
  /** The connection of a kubernetes block; made before its plugins. */
  clusterOf(access: ClusterAccess): Cluster
  /** Addresses of the host names of forward directives. */
  readonly hosts: ReadonlyMap<string, readonly string[]>
  /** Where the server itself can be reached; for `loop`. */
  self(): Upstream
  fatal(message: string): void
}

/** Ports of a running daemon. */
export function daemonPorts(options: PortsOptions): Ports {
  const { log, metrics, upstreams, isDebugging } = options
  const count = createRequestCounter(metrics)
  const schedule: Ports['schedule'] = (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  }
  return {
    nowMs: Date.now,
    random: Math.random,
    log: (level, message) => {
      if (level !== 'debug' || isDebugging) log[level === 'warning' ? 'warn' : level](message)
    },
    metrics,
    schedule,
    readFile: (path) => quietly(() => readFileSync(path, 'utf8')),
    fileStamp: (path) =>
      quietly(() => {
        const { size, mtimeMs } = statSync(path)
        return `${size} ${mtimeMs}`
      }),
    listDirectory: (path) => quietly(() => filesBelow(path)) ?? [],
    watchCluster: (request, index) => watchCluster(options.clusterOf(request.access), request, index, { log, metrics }),
    hostAddresses: (host) => options.hosts.get(host) ?? [],
    exchange: (upstream, query, exchange) => upstreams.exchange(upstream, query, exchange),
    probeLoop: (name, answered) => probeSelf(options, queryOf(name, rrType.HINFO), answered),
    localAddresses,
    hostName: hostname,
    askedItself(query, facts, { reply, plugin }, durationMs) {
      const replyBytes = reply === undefined || plugin === '' ? 0 : encodeReply(query, reply).length
      count.finished({ query, facts, rcode: reply?.rcode ?? 0, plugin, replyBytes, seconds: durationMs / 1000 })
    },
    fatal: options.fatal,
  }
}

/** Once a second until answered, at most 30 s (CoreDNS plugin/loop setup.go). */
function probeSelf(options: PortsOptions, query: Query, answered: () => void): () => void {
  const deadlineMs = Date.now() + 30_000
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const probe = async (): Promise<void> => {
    const exchange = { useTcp: false, timeoutMs: 900, expireMs: 1000, maxIdle: 0 }
    const result = await options.uncounted.exchange(options.self(), query, exchange)
    if (isStopped) return
    if (result.kind === 'reply') answered()
    else if (Date.now() < deadlineMs) timer = setTimeout(() => void probe(), 1000)
  }
  timer = setTimeout(() => void probe(), 100)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** Addresses of the interfaces, loopback left out (CoreDNS plugin/kubernetes/local.go). */
function localAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  // Addresses on `lo` that are not of the loopback network count: the original looks at the address, not the device.
  const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1'
  return all.map(({ address }) => address).filter((address) => !isLoopback(address))
}

/** Paths of the files below a directory, relative to it; links to directories are not followed (Go filepath.Walk). */
function filesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) =>
    entry.isDirectory() ? [] : [relative(directory, join(entry.parentPath, entry.name))],
  )
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
