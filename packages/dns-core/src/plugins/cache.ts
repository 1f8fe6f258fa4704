// Keeps replies of later plugins. Beyond the original, entries of a cluster's zones leave the moment an object changes
// that they were made from.

import { foldName, longestZone } from '../name.ts'
import { type Eventually, failed, next, type Outcome, replied, whenReady } from '../outcome.ts'
import { type Context, definePlugin, type Plugin, type PluginDefinition, type Ports, type Repeat } from '../plugin.ts'
import type { Query } from '../query.ts'
import { opcode, rcode } from '../record-types.ts'
import { emptyReply, type Reply } from '../reply.ts'
import { type CacheConfig, cacheProperties, configureCache } from './cache-config.ts'
import {
  type CacheItem,
  createItem,
  isStorable,
  lifetimeSeconds,
  remainingSeconds,
  replacesStale,
  sortReply,
  withUniformTtl,
} from './cache-item.ts'
import { CacheStore } from './cache-store.ts'
import { isKubernetes } from './kubernetes.ts'

export const cache: PluginDefinition<CacheConfig> = definePlugin({
  name: 'cache',
  summary: 'Keeps replies of later plugins for their TTL.',
  syntax: '[TTL] [ZONES...]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: cacheProperties,
  isOnce: true,
  hasPlainProblems: true,
  // COMPAT: the original knows no other words for it.
  unknownProperty: "Wrong argument count or unexpected line ending after '%'",
  configure: configureCache,
  create: (config, ports) => createCache(config, ports),
})

function createCache(config: CacheConfig, ports: Ports): Plugin {
  const store = new CacheStore(config)
  const cached: Caching = { config, ports, store }
  return {
    handle(query, context) {
      const name = foldName(query.name)
      if (query.opcode !== opcode.QUERY || longestZone(config.zones, name) === undefined) return next
      const labels = metricLabels(cached, context)
      ports.metrics.add('coredns_cache_requests_total', labels)
      const key = cacheKey(query, name)
      const nowMs = ports.nowMs()
      const item = store.get(key, nowMs, config.stale?.upToMs ?? 0, config.prefersPositive)
      if (item === undefined) {
        ports.metrics.add('coredns_cache_misses_total', labels)
        return refresh(cached, query, key, context, 'first')
      }
      const [server = '', ...others] = labels
      const sort = store.isPositive(item) ? 'success' : 'denial'
      ports.metrics.add('coredns_cache_hits_total', [server, sort, ...others])
      return serveItem(cached, item, query, key, context)
    },
    // What is never stored only gets its TTL here, once (kubeadm's Corefile disables the cluster's zone).
    isTransparent: (zone) => isExcepted(config, zone),
    join(plugins) {
      for (const { plugin } of plugins) {
        if (isKubernetes(plugin))
          store.follow(plugin, (count) => ports.metrics.add('kubewire_cache_changes_total', [], count))
      }
    },
  }
}

function isExcepted({ success, denial }: CacheConfig, zone: string): boolean {
  return [success, denial].every(({ except }) => longestZone(except, zone) !== undefined)
}

interface Caching {
  readonly config: CacheConfig
  readonly ports: Ports
  readonly store: CacheStore
}

function serveItem(
  caching: Caching,
  item: CacheItem,
  query: Query,
  key: string,
  context: Context,
): Eventually<Outcome> {
  const { config, ports } = caching
  const nowMs = ports.nowMs()
  const left = remainingSeconds(item, nowMs)
  const stored = (): Outcome => {
    const staleTtl = config.stale?.ttlSeconds ?? 0
    const ttl = config.keepsTtl ? item.ttlSeconds : left > 0 ? left : staleTtl
    if (left <= 0) ports.metrics.add('coredns_cache_served_stale_total', metricLabels(caching, context))
    return replied(withUniformTtl(query, item.reply, ttl))
  }
  if (left > 0) {
    countHit(config, item, nowMs)
    if (!isNearEnd(config, item, left)) offerRepeat(caching, item, context)
    else if (item.hits >= (config.prefetch?.hits ?? 0)) refreshBehind(caching, item, query, key, context, 'prefetch')
    return stored()
  }
  if (config.stale?.mode !== 'verify') {
    refreshBehind(caching, item, query, key, context, 'stale')
    return stored()
  }
  return verifyFirst(caching, item, query, key, context, stored)
}

// One verification at a time when a timeout or a recheck time is set (CoreDNS 1.15).
function verifyFirst(
  caching: Caching,
  item: CacheItem,
  query: Query,
  key: string,
  context: Context,
  stored: () => Outcome,
): Eventually<Outcome> {
  const { config, ports } = caching
  const { verifyTimeoutMs = 0, recheckMs = 0 } = config.stale ?? {}
  const isTracked = verifyTimeoutMs > 0 || recheckMs > 0
  if (isTracked && (item.isRefreshing || ports.nowMs() < item.retryAfterMs)) return stored()
  if (isTracked) item.isRefreshing = true
  const fresh = whenReady(refresh(caching, query, key, context, 'verify'), (outcome) => {
    item.isRefreshing = false
    const isGood = outcome.kind === 'reply' && replacesStale(query, outcome.reply, config.prefersPositive)
    if (!isGood && recheckMs > 0) item.retryAfterMs = ports.nowMs() + recheckMs
    return isGood ? outcome : stored()
  })
  if (verifyTimeoutMs === 0 || !(fresh instanceof Promise)) return fresh
  return new Promise((resolve) => {
    const cancel = ports.schedule(verifyTimeoutMs, () => resolve(stored()))
    void fresh.then((outcome) => {
      cancel()
      resolve(outcome)
    })
  })
}

function refreshBehind(
  caching: Caching,
  item: CacheItem,
  query: Query,
  key: string,
  context: Context,
  mode: 'prefetch' | 'stale',
): void {
  const { config, ports } = caching
  const recheckMs = mode === 'stale' ? (config.stale?.recheckMs ?? 0) : 0
  if (item.isRefreshing || (recheckMs > 0 && ports.nowMs() < item.retryAfterMs)) return
  item.isRefreshing = true
  // COMPAT: whoever asks for nobody asks over TCP, where nothing is cut short (CoreDNS newPrefetchResponseWriter).
  const asked: Query = { ...query, transport: 'tcp' }
  ports.metrics.add('coredns_cache_prefetch_total', metricLabels(caching, context))
  ports.schedule(0, () => {
    void whenReady(refresh(caching, asked, key, context, mode), (outcome) => {
      item.isRefreshing = false
      const isGood = outcome.kind === 'reply' && replacesStale(query, outcome.reply, config.prefersPositive)
      if (!isGood && recheckMs > 0) item.retryAfterMs = ports.nowMs() + recheckMs
      const renewed = caching.store.peek(key)
      if (renewed !== undefined && renewed !== item) renewed.hits = item.hits
    })
  })
}

/** Why later plugins are asked: nothing is stored, something stale is verified first, or renewed behind an answer. */
type RefreshMode = 'first' | 'verify' | 'prefetch' | 'stale'

/** Failures take the place of nothing that is stored; `prefer_positive` keeps them beside it. */
function takesPlace({ prefersPositive }: CacheConfig, mode: RefreshMode, query: Query, reply: Reply): boolean {
  if (mode === 'first' || mode === 'prefetch' || prefersPositive) return true
  return replacesStale(query, reply, false)
}

function refresh(
  caching: Caching,
  query: Query,
  key: string,
  context: Context,
  mode: RefreshMode,
): Eventually<Outcome> {
  // COMPAT: the refresh asks with AD set, so that the stored entry knows about it (CoreDNS authenticatedRefreshState).
  return whenReady(context.next({ ...query, authenticData: true }), (outcome) => {
    const { config, ports } = caching
    if (outcome.kind === 'fail' && outcome.error !== undefined && outcome.rcode === rcode.SERVFAIL) {
      if (config.failSeconds > 0 && mode === 'first') {
        const reply: Reply = { ...emptyReply, rcode: rcode.SERVFAIL }
        keep(caching, key, query, createItem(reply, 'failure', config.failSeconds, ports.nowMs()), mode, context)
      }
      return failed(outcome.rcode, outcome.error)
    }
    if (outcome.kind === 'stream') {
      return { kind: 'stream', replies: outcome.replies.map((reply) => limited(caching, query, reply).reply) }
    }
    if (outcome.kind === 'fail') {
      // The server replies to the question as it was before the cache: changes of later plugins do not show.
      const { recursionDesired: _rd, ...failure } = outcome
      return failure
    }
    if (outcome.kind !== 'reply') return outcome
    const { reply, seconds, sort } = limited(caching, query, outcome.reply)
    const isTaken = takesPlace(config, mode, query, outcome.reply)
    if (seconds > 0 && isTaken && isStorable(query, sort, outcome.reply)) {
      keep(caching, key, query, createItem(outcome.reply, sort, seconds, ports.nowMs()), mode, context)
    }
    return replied(reply)
  })
}

function keep(caching: Caching, key: string, query: Query, item: CacheItem, mode: RefreshMode, context: Context): void {
  const { config, store, ports } = caching
  const [server = '', ...others] = metricLabels(caching, context)
  const isBehind = mode !== 'first' && (mode !== 'verify' || (config.stale?.verifyTimeoutMs ?? 0) > 0)
  // A positive answer beside a denial takes its place where nobody waited for it, or where positive ones are preferred.
  const ousts = config.prefersPositive ? replacesStale(query, item.reply, true) : isBehind
  const evicted = store.set(key, query, item, ousts)
  if (evicted !== undefined) ports.metrics.add('coredns_cache_evictions_total', [server, evicted, ...others])
  ports.metrics.set('coredns_cache_entries', [server, 'success', ...others], store.size('success'))
  ports.metrics.set('coredns_cache_entries', [server, 'denial', ...others], store.size('denial'))
}

/** A reply as it leaves the cache for the first time: every record has the TTL it is stored with. */
function limited(
  caching: Caching,
  query: Query,
  reply: Reply,
): { reply: Reply; seconds: number; sort: CacheItem['sort'] } {
  const sort = sortReply(query, reply)
  const seconds = lifetimeSeconds(caching.config, sort, reply)
  return { reply: withUniformTtl(query, reply, Math.floor(seconds)), seconds, sort }
}

function offerRepeat(caching: Caching, item: CacheItem, context: Context): void {
  if (item.isSuperseded) return
  item.repeat ??= repeatOf(caching, item, context)
  context.answeredBy.repeat = item.repeat
}

/** Leave to answer from the item without asking here, until it ends, is superseded, or may be due for a refresh. */
function repeatOf({ config, ports, store }: Caching, item: CacheItem, context: Context): Repeat {
  const labels = metricLabels({ config }, context)
  const [server = '', ...others] = labels
  const sort = store.isPositive(item) ? 'success' : 'denial'
  const requests = ports.metrics.counter('coredns_cache_requests_total', labels)
  const hits = ports.metrics.counter('coredns_cache_hits_total', [server, sort, ...others])
  return {
    take() {
      const nowMs = ports.nowMs()
      const left = remainingSeconds(item, nowMs)
      if (left <= 0 || item.isSuperseded || isNearEnd(config, item, left)) return undefined
      countHit(config, item, nowMs)
      requests.value++
      hits.value++
      return config.keepsTtl ? item.ttlSeconds : left
    },
  }
}

function countHit({ prefetch }: CacheConfig, item: CacheItem, nowMs: number): void {
  if (prefetch === undefined || prefetch.hits <= 0) return
  item.hits = nowMs - item.lastHitMs > prefetch.gapMs ? 1 : item.hits + 1
  item.lastHitMs = nowMs
}

/** Whether an item is so near its end that it is refreshed behind the answer if it is popular. */
function isNearEnd({ prefetch }: CacheConfig, item: CacheItem, left: number): boolean {
  if (prefetch === undefined || prefetch.hits <= 0) return false
  return left <= Math.ceil((prefetch.percent / 100) * item.ttlSeconds)
}

function cacheKey(query: Query, name: string): string {
  const bits = (query.edns?.dnssecOk ? 1 : 0) + (query.checkingDisabled ? 2 : 0)
  return `${name} ${query.type} ${query.class} ${bits}`
}

function metricLabels({ config }: Pick<Caching, 'config'>, context: Context): readonly string[] {
  return [context.server.server, config.zones.join(','), context.server.view]
}
