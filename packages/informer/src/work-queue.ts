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
  return new KeyedQueue(options)
}

class KeyedQueue<K> implements WorkQueue<K> {
  readonly #clock: Clock
  readonly #keyOf: (item: K) => unknown
  readonly #rateLimiter: RateLimiter<unknown>
  readonly #queue: K[] = []
  readonly #dirty = new Set<unknown>()
  readonly #processing = new Set<unknown>()
  // What was marked again while it was processed, with the item to hand out next.
  readonly #again = new Map<unknown, K>()
  readonly #delayed = new Map<unknown, { readonly dueMs: number; readonly cancel: AbortController }>()
  readonly #takers: ((item: K | undefined) => void)[] = []
  readonly #drains: (() => void)[] = []
  #isShutDown = false

  constructor({ clock = systemClock, keyOf = (item: K): unknown => item, rateLimiter }: WorkQueueOptions<K>) {
    this.#clock = clock
    this.#keyOf = keyOf
    this.#rateLimiter = rateLimiter ?? rateLimiters.controllerDefault({ clock })
  }

  get length(): number {
    return this.#queue.length
  }

  add(item: K): void {
    if (this.#isShutDown) return
    const key = this.#keyOf(item)
    if (this.#dirty.has(key)) return
    this.#dirty.add(key)
    if (this.#processing.has(key)) this.#again.set(key, item)
    else this.#offer(item)
  }

  addAfter(item: K, delayMs: number): void {
    if (this.#isShutDown) return
    if (!(delayMs > 0)) {
      this.add(item)
      return
    }
    const key = this.#keyOf(item)
    const dueMs = this.#clock.nowMs() + delayMs
    const waiting = this.#delayed.get(key)
    if (waiting !== undefined && waiting.dueMs <= dueMs) return
    waiting?.cancel.abort()
    const cancel = new AbortController()
    this.#delayed.set(key, { dueMs, cancel })
    void this.#clock.sleep(delayMs, cancel.signal).then(() => {
      if (cancel.signal.aborted) return
      this.#delayed.delete(key)
      this.add(item)
    })
  }

  addRateLimited(item: K): void {
    this.addAfter(item, this.#rateLimiter.when(this.#keyOf(item)))
  }

  forget(item: K): void {
    this.#rateLimiter.forget(this.#keyOf(item))
  }

  requeues(item: K): number {
    return this.#rateLimiter.requeues(this.#keyOf(item))
  }

  take(signal?: AbortSignal): Promise<K | undefined> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(undefined)
      const taker = (item: K | undefined): void => {
        signal?.removeEventListener('abort', abort)
        resolve(item)
      }
      const abort = (): void => {
        const at = this.#takers.indexOf(taker)
        if (at >= 0) this.#takers.splice(at, 1)
        taker(undefined)
      }
      signal?.addEventListener('abort', abort)
      this.#takers.push(taker)
      this.#feed()
    })
  }

  done(item: K): void {
    const key = this.#keyOf(item)
    this.#processing.delete(key)
    const isMarkedAgain = this.#again.has(key)
    const next = this.#again.get(key) as K
    this.#again.delete(key)
    if (isMarkedAgain) this.#offer(next)
    else this.#feed()
  }

  async shutDown({ isDraining = false }: { readonly isDraining?: boolean } = {}): Promise<void> {
    this.#isShutDown = true
    for (const { cancel } of this.#delayed.values()) cancel.abort()
    this.#delayed.clear()
    const drained = new Promise<void>((resolve) => this.#drains.push(resolve))
    this.#feed()
    if (isDraining) await drained
  }

  #offer(item: K): void {
    this.#queue.push(item)
    this.#feed()
  }

  #feed(): void {
    while (this.#takers.length > 0 && this.#queue.length > 0) {
      const item = this.#queue.shift() as K
      const key = this.#keyOf(item)
      this.#dirty.delete(key)
      this.#processing.add(key)
      this.#takers.shift()?.(item)
    }
    if (this.#isShutDown && this.#queue.length === 0) {
      for (const taker of this.#takers.splice(0)) taker(undefined)
    }
    if (this.#queue.length === 0 && this.#processing.size === 0) for (const drained of this.#drains.splice(0)) drained()
  }
}
