// How long a failed key waits (client-go `util/workqueue/default_rate_limiters.go`, figures included).

import { type Clock, systemClock } from './clock.ts'

/** Delay before the next try of a key. */
export interface RateLimiter<K> {
  /** Milliseconds until the next try; counts a failure. */
  when(key: K): number
  /** Clears the failures of a key; without it a limiter that counts keys grows for ever. */
  forget(key: K): void
  /** Failures counted so far. */
  requeues(key: K): number
}

/** Options of the exponential limiter. */
export interface ExponentialLimiterOptions {
  /** Delay after the first failure; default 5. */
  readonly baseMs?: number
  /** Largest delay; default 1 000 000 (1000 s). */
  readonly maxMs?: number
}

/** The limiters of client-go. */
export const rateLimiters: {
  /** base·2^failures per key, capped. */
  exponential<K>(options?: ExponentialLimiterOptions): RateLimiter<K>
  /** A token bucket over all keys. */
  bucket<K>(options: { readonly perSecond: number; readonly burst: number; readonly clock?: Clock }): RateLimiter<K>
  /** The first `fastTries` failures of a key wait `fastMs`, the others `slowMs`. */
  fastSlow<K>(options: { readonly fastMs: number; readonly slowMs: number; readonly fastTries: number }): RateLimiter<K>
  /** The longest delay of several. */
  maxOf<K>(...limiters: readonly RateLimiter<K>[]): RateLimiter<K>
  /** Never more than `maxMs`. */
  capped<K>(limiter: RateLimiter<K>, maxMs: number): RateLimiter<K>
  /** What controllers use: exponential 5 ms to 1000 s, and 10 per second with a burst of 100 over all keys. */
  controllerDefault<K>(options?: { readonly clock?: Clock }): RateLimiter<K>
} = { exponential, bucket, fastSlow, maxOf, capped, controllerDefault }

function exponential<K>({ baseMs = 5, maxMs = 1_000_000 }: ExponentialLimiterOptions = {}): RateLimiter<K> {
  const failures = failureCounter<K>()
  return { ...failures, when: (key) => Math.min(baseMs * 2 ** failures.count(key), maxMs) }
}

function bucket<K>(options: {
  readonly perSecond: number
  readonly burst: number
  readonly clock?: Clock
}): RateLimiter<K> {
  const { perSecond, burst, clock = systemClock } = options
  let tokens = burst
  let lastMs = clock.nowMs()
  return {
    when: () => {
      const nowMs = clock.nowMs()
      tokens = Math.min(burst, tokens + ((nowMs - lastMs) * perSecond) / 1000)
      lastMs = nowMs
      // A token may be taken in advance; who does waits until it would have been there.
      tokens -= 1
      return tokens >= 0 ? 0 : (-tokens * 1000) / perSecond
    },
    forget: () => undefined,
    requeues: () => 0,
  }
}

function fastSlow<K>(options: {
  readonly fastMs: number
  readonly slowMs: number
  readonly fastTries: number
}): RateLimiter<K> {
  const failures = failureCounter<K>()
  return { ...failures, when: (key) => (failures.count(key) < options.fastTries ? options.fastMs : options.slowMs) }
}

function maxOf<K>(...limiters: readonly RateLimiter<K>[]): RateLimiter<K> {
  return {
    when: (key) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.when(key)), 0),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key)
    },
    requeues: (key) => limiters.reduce((most, limiter) => Math.max(most, limiter.requeues(key)), 0),
  }
}

function capped<K>(limiter: RateLimiter<K>, maxMs: number): RateLimiter<K> {
  return {
    when: (key) => Math.min(limiter.when(key), maxMs),
    forget: (key) => limiter.forget(key),
    requeues: (key) => limiter.requeues(key),
  }
}

function controllerDefault<K>({ clock = systemClock }: { readonly clock?: Clock } = {}): RateLimiter<K> {
  return maxOf(exponential<K>(), bucket<K>({ perSecond: 10, burst: 100, clock }))
}

/** Counts failures per key. `count` returns the failures before this one. */
function failureCounter<K>(): Omit<RateLimiter<K>, 'when'> & { count(key: K): number } {
  const failures = new Map<K, number>()
  return {
    count: (key) => {
      const before = failures.get(key) ?? 0
      failures.set(key, before + 1)
      return before
    },
    forget: (key) => void failures.delete(key),
    requeues: (key) => failures.get(key) ?? 0,
  }
}
