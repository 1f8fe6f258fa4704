// A cluster whose lists and watches are counted and held back as a kubernetes block says (`apiserver_qps`, `_burst`,
// `_max_inflight`). COMPAT: in the original these three have no effect, here they do.

import type { ClusterAccess, MetricsPort } from '@kubewire/dns-core'
import { type Cluster, type ResourceSource, rateLimiters, WatchError } from '@kubewire/informer'
import type { KubeObject } from '@kubewire/kube-model'

/** What a metered cluster needs to know. */
export interface MeterOptions {
  readonly limits: Pick<ClusterAccess, 'qps' | 'burst' | 'maxInflight'>
  /** `host:port` of the API server, a label. */
  readonly host: string
  readonly metrics: MetricsPort
}

/** What client-go uses where nothing is said (rest.DefaultQPS, DefaultBurst). */
const clientDefaults = { perSecond: 5, burst: 10 }

/** Every list and watch of the cluster goes through the limits and into the metrics; `request` is left alone. */
export function meterCluster(cluster: Cluster, options: MeterOptions): Cluster {
  const send = createSender(options)
  return {
    ...cluster,
    source<T extends KubeObject>(...args: Parameters<Cluster['source']>): ResourceSource<T> {
      const source = cluster.source<T>(...(args as Parameters<typeof cluster.source<T>>))
      return {
        list: (query, signal) => send(() => source.list(query, signal)),
        watch: (query, signal) => send(() => source.watch(query, signal)),
      }
    },
    request: (request) => cluster.request(request),
    close: () => cluster.close(),
  }
}

function createSender({ limits, host, metrics }: MeterOptions): <T>(run: () => Promise<T>) => Promise<T> {
  const bucket = rateLimiters.bucket<string>({
    perSecond: limits.qps > 0 ? limits.qps : clientDefaults.perSecond,
    burst: limits.burst > 0 ? limits.burst : clientDefaults.burst,
  })
  const waiting: (() => void)[] = []
  let inFlight = 0
  const enter = async (): Promise<void> => {
    const delayMs = bucket.when('')
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    if (limits.maxInflight === 0 || inFlight < limits.maxInflight) inFlight++
    // Who leaves hands its place over, so that nobody slips in between.
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) inFlight--
    else next()
  }
  return async (run) => {
    const askedMs = performance.now()
    await enter()
    const startMs = performance.now()
    metrics.observe(
      'coredns_kubernetes_rest_client_rate_limiter_duration_seconds',
      ['GET', host],
      (startMs - askedMs) / 1000,
    )
    let code = '200'
    try {
      return await run()
    } catch (cause) {
      code = cause instanceof WatchError && cause.status?.code !== undefined ? String(cause.status.code) : '<error>'
      throw cause
    } finally {
      // A watch is in flight until its headers are there, as for the original's client.
      leave()
      const seconds = (performance.now() - startMs) / 1000
      metrics.observe('coredns_kubernetes_rest_client_request_duration_seconds', ['GET', host], seconds)
      metrics.add('coredns_kubernetes_rest_client_requests_total', [code, 'GET', host])
    }
  }
}
