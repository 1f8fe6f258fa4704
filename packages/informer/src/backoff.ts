// Delay policy between failed attempts. Figures: client-go `reflector.go` (0.8 s, ×2, 30 s, jitter 1.0).

import { type Clock, systemClock } from './clock.ts'

/** Gives one delay per failure. */
export interface Backoff {
  /** Milliseconds to wait before the next attempt. */
  next(): number
  /** Forgets past failures. */
  reset(): void
}

/** Options of `exponentialBackoff`; the defaults are client-go's. */
export interface ExponentialBackoffOptions {
  /** First delay; default 800. */
  readonly initialMs?: number
  /** Largest delay before jitter; default 30 000. */
  readonly maxMs?: number
  /** Growth per failure; default 2. */
  readonly factor?: number
  /** At most this fraction of the delay is added at random; default 1 (so 0.8–1.6 s, 1.6–3.2 s, …). */
  readonly jitter?: number
  /** A failure that comes this long after the previous one starts again at `initialMs`; default 120 000. */
  readonly resetAfterMs?: number
  readonly random?: () => number
  readonly clock?: Clock
}

/** Exponential delays with jitter; quiet time resets them. */
export function exponentialBackoff(options: ExponentialBackoffOptions = {}): Backoff {
  const { initialMs = 800, maxMs = 30_000, factor = 2, jitter = 1, resetAfterMs = 120_000 } = options
  const { random = Math.random, clock = systemClock } = options
  let delayMs = initialMs
  let lastFailureAtMs = Number.NEGATIVE_INFINITY
  return {
    next() {
      const nowMs = clock.nowMs()
      if (nowMs - lastFailureAtMs > resetAfterMs) delayMs = initialMs
      const currentMs = Math.min(delayMs, maxMs)
      delayMs = Math.min(delayMs * factor, maxMs)
      // Quiet time counts from when the attempt after this delay begins, not from the failure itself.
      lastFailureAtMs = nowMs + currentMs
      return currentMs * (1 + jitter * random())
    },
    reset() {
      delayMs = initialMs
    },
  }
}
