// A queue that never hands out a key twice at the same time, loses nothing and collapses bursts
// (client-go `util/workqueue`: queue, dirty set, processing set, delayed adds).

import { type Clock, systemClock } from './clock.ts'
import { type RateLimiter, rateLimiters } from './rate-limiters.ts'

/** Keys to be worked on. */
export interface WorkQueue<K> {
  /** Keys waiting to be taken; delayed ones and those being processed do not count. */
  readonly length: number
  /** Marks a key; one that waits already is not added again, one being processed comes back after `done`. */
  add(key: K): void
  /** Adds later; the earlier of two delays of a key counts. */
  addAfter(key: K, delayMs: number): void
  /** Adds after the rate limiter's delay and counts a failure. */
  addRateLimited(key: K): void
  /** Clears the failures of a key: after success, and when giving up. */
  forget(key: K): void
  requeues(key: K): number
  /** The next key, waiting for one; `undefined` when the queue is shut down and empty or the signal aborts. */
  take(signal?: AbortSignal): Promise<K | undefined>
  /** Says that a taken key is finished. Every `take` needs it. */
  done(key: K): void
  /** Refuses new keys; what waits is still handed out. Draining also waits for every `done`. */
  shutDown(options?: { readonly isDraining?: boolean }): Promise<void>
}

/** Options of `createWorkQueue`. */
export interface WorkQueueOptions<K> {
  /** Default `rateLimiters.controllerDefault()`. */
  readonly rateLimiter?: RateLimiter<unknown>
  /** What makes two items the same; default the item itself. */
  readonly keyOf?: (item: K) => unknown
  readonly clock?: Clock
}

/** An empty queue. */
export function createWorkQueue<K>(options: WorkQueueOptions<K> = {}): WorkQueue<K> {
  const { clock = systemClock, keyOf = (item: K): unknown => item } = options
  const rateLimiter = options.rateLimiter ?? rateLimiters.controllerDefault({ clock })
  const queue: K[] = []
  const dirty = new Set<unknown>()
  const processing = new Map<unknown, K>()
  // A key that was marked again while it was processed, with the item to hand out next.
  const again = new Map<unknown, K>()
  const delayed = new Map<unknown, { readonly dueMs: number; readonly cancel: AbortController }>()
  const takers: ((item: K | undefined) => void)[] = []
  const drains: (() => void)[] = []
  let isShutDown = false

  const offer = (item: K): void => {
    queue.push(item)
    feed()
  }
  const feed = (): void => {
    while (takers.length > 0 && queue.length > 0) {
      const item = queue.shift() as K
      const key = keyOf(item)
      dirty.delete(key)
      processing.set(key, item)
      takers.shift()?.(item)
    }
    if (isShutDown && queue.length === 0) for (const taker of takers.splice(0)) taker(undefined)
    if (queue.length === 0 && processing.size === 0) for (const drained of drains.splice(0)) drained()
  }

  const self: WorkQueue<K> = {
    get length() {
      return queue.length
    },
    add: (item) => {
      if (isShutDown) return
      const key = keyOf(item)
      if (dirty.has(key)) return
      dirty.add(key)
      if (processing.has(key)) again.set(key, item)
      else offer(item)
    },
    addAfter: (item, delayMs) => {
      if (isShutDown) return
      if (!(delayMs > 0)) return self.add(item)
      const key = keyOf(item)
      const dueMs = clock.nowMs() + delayMs
      const waiting = delayed.get(key)
      if (waiting !== undefined && waiting.dueMs <= dueMs) return
      waiting?.cancel.abort()
      const cancel = new AbortController()
      delayed.set(key, { dueMs, cancel })
      void clock.sleep(delayMs, cancel.signal).then(() => {
        if (cancel.signal.aborted) return
        delayed.delete(key)
        self.add(item)
      })
    },
    addRateLimited: (item) => self.addAfter(item, rateLimiter.when(keyOf(item))),
    forget: (item) => rateLimiter.forget(keyOf(item)),
    requeues: (item) => rateLimiter.requeues(keyOf(item)),
    take: (signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve(undefined)
        const taker = (item: K | undefined): void => {
          signal?.removeEventListener('abort', abort)
          resolve(item)
        }
        const abort = (): void => {
          const at = takers.indexOf(taker)
          if (at >= 0) takers.splice(at, 1)
          taker(undefined)
        }
        signal?.addEventListener('abort', abort)
        takers.push(taker)
        feed()
      }),
    done: (item) => {
      const key = keyOf(item)
      processing.delete(key)
      const next = again.get(key)
      if (next !== undefined || again.has(key)) {
        again.delete(key)
        offer(next as K)
      } else feed()
    },
    shutDown: async ({ isDraining = false } = {}) => {
      isShutDown = true
      for (const { cancel } of delayed.values()) cancel.abort()
      delayed.clear()
      const drained = new Promise<void>((resolve) => drains.push(resolve))
      feed()
      if (isDraining) await drained
    },
  }
  return self
}
