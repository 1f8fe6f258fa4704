// Workers over a work queue: the loop around a reconcile function (controller-runtime `Controller`).

import type { WorkQueue } from './work-queue.ts'

/** What a reconcile asks for: nothing, or to be called again. */
// biome-ignore lint/suspicious/noConfusingVoidType: a reconcile function that returns nothing must fit.
export type ReconcileResult = void | { readonly requeueAfterMs: number }

/** Options of `runWorkers`. */
export interface RunWorkersOptions {
  /** How many keys are worked on at the same time; one key never twice. */
  readonly concurrency: number
  /** A key that failed so often is dropped; default never. */
  readonly maxRetries?: number
  /** Stops taking keys; `reconcile` gets the same signal. */
  readonly signal: AbortSignal
  /** Told every failure, before the retry. */
  readonly onError?: (error: unknown, key: unknown, isGivenUp: boolean) => void
}

/**
 * Takes keys and reconciles them until the signal aborts or the queue shuts down; resolves when the last reconcile
 * returned. A rejected reconcile is retried by the queue's rate limiter.
 */
export async function runWorkers<K>(
  queue: WorkQueue<K>,
  options: RunWorkersOptions,
  reconcile: (key: K, signal: AbortSignal) => Promise<ReconcileResult>,
): Promise<void> {
  const { concurrency, maxRetries = Number.POSITIVE_INFINITY, signal, onError } = options
  const work = async (): Promise<void> => {
    for (let key = await queue.take(signal); key !== undefined; key = await queue.take(signal)) {
      try {
        const result = await reconcile(key, signal)
        queue.forget(key)
        if (result) queue.addAfter(key, result.requeueAfterMs)
      } catch (error) {
        const isGivenUp = queue.requeues(key) >= maxRetries
        onError?.(error, key, isGivenUp)
        if (isGivenUp) queue.forget(key)
        else queue.addRateLimited(key)
      } finally {
        queue.done(key)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}
