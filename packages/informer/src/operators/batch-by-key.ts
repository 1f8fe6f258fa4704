// The net change per object within a window.

import type { KubeObject, ObjectKey } from '@kubewire/kube-model'
import { asyncScheduler, Observable, type OperatorFunction, type SchedulerLike, type Subscription } from 'rxjs'
import type { InformerEvent } from '../event.ts'

/**
 * Collects events for `maxMs` after the first and emits the net change per key: `added` then `deleted` cancel out,
 * `deleted` then `added` is a replaced update, several updates are one from the first state to the last.
 */
export function batchByKey<T extends KubeObject>(options: {
  readonly maxMs: number
  readonly scheduler?: SchedulerLike
}): OperatorFunction<InformerEvent<T>, ReadonlyMap<ObjectKey, InformerEvent<T>>> {
  const { maxMs, scheduler = asyncScheduler } = options
  return (source) =>
    new Observable((subscriber) => {
      let batch = new Map<ObjectKey, InformerEvent<T>>()
      let timer: Subscription | undefined
      const flush = (): void => {
        timer = undefined
        const full = batch
        batch = new Map()
        if (full.size > 0) subscriber.next(full)
      }
      const subscription = source.subscribe({
        next: (event) => {
          const net = mergeEvents(batch.get(event.key), event)
          if (net === undefined) batch.delete(event.key)
          else batch.set(event.key, net)
          timer ??= scheduler.schedule(flush, maxMs)
        },
        error: (error) => subscriber.error(error),
        complete: () => {
          flush()
          subscriber.complete()
        },
      })
      return () => {
        timer?.unsubscribe()
        subscription.unsubscribe()
      }
    })
}

/** One event for two events of the same key; `undefined` when they cancel out. */
export function mergeEvents<T extends KubeObject>(
  first: InformerEvent<T> | undefined,
  second: InformerEvent<T>,
): InformerEvent<T> | undefined {
  if (first === undefined || first.key !== second.key) return second
  if (first.type === 'added') {
    if (second.type === 'deleted') return undefined
    return { ...first, object: second.object }
  }
  const previous = first.type === 'updated' ? first.previous : first.object
  if (second.type === 'deleted') return { ...second, object: second.object }
  const { key, object } = second
  const cause = second.type === 'updated' ? second.cause : 'watch'
  const wasReplaced = first.type === 'deleted' || first.isReplaced || (second.type === 'updated' && second.isReplaced)
  return { type: 'updated', key, object, previous, cause, isReplaced: wasReplaced }
}
