// Turns a stream of changes into "something changed", at a pace of the reader's choosing.

import { asyncScheduler, Observable, type OperatorFunction, type SchedulerLike, type Subscription } from 'rxjs'

/** Limits of `coalesce`, in milliseconds. */
export interface CoalesceOptions {
  /** At least this long between two emissions; a first change after quiet time is told at once. */
  readonly minMs: number
  /** Emits also without a change after this long; `Infinity` for never. */
  readonly maxMs: number
  readonly scheduler?: SchedulerLike
}

/**
 * Emits when something came in, at most once every `minMs`, and at least once every `maxMs`; what comes in between is
 * one emission at the end of the interval (kube-proxy `pkg/proxy/runner` bounded frequency runner). Values are dropped.
 */
export function coalesce(options: CoalesceOptions): OperatorFunction<unknown, void> {
  const { minMs, maxMs, scheduler = asyncScheduler } = options
  return (source) =>
    new Observable((subscriber) => {
      let lastAtMs = Number.NEGATIVE_INFINITY
      let isDirty = false
      let timer: Subscription | undefined
      const emit = (): void => {
        isDirty = false
        lastAtMs = scheduler.now()
        arm(maxMs)
        subscriber.next()
      }
      const arm = (delayMs: number): void => {
        timer?.unsubscribe()
        timer = Number.isFinite(delayMs) ? scheduler.schedule(emit, delayMs) : undefined
      }
      const subscription = source.subscribe({
        next: () => {
          if (isDirty) return
          isDirty = true
          const restMs = lastAtMs + minMs - scheduler.now()
          if (restMs <= 0) emit()
          else arm(restMs)
        },
        error: (error) => subscriber.error(error),
        complete: () => {
          if (isDirty) subscriber.next()
          subscriber.complete()
        },
      })
      return () => {
        timer?.unsubscribe()
        subscription.unsubscribe()
      }
    })
}
