// What an informer's subscribers hear. Events travel in batches, one per watch event, so that a subscriber who comes in
// the middle of one gets its objects once: from the store, not from the batch.

import type { KubeObject } from '@kubewire/kube-model'
import { Observable } from 'rxjs'
import type { InformerEvent } from './event.ts'
import type { Store } from './store.ts'

/** The events of batches one by one; a subscriber that leaves hears no more, also of the batch at hand. */
export function flatten<T>(batches: Observable<readonly T[]>): Observable<T> {
  return new Observable((subscriber) =>
    batches.subscribe({
      next: (events) => {
        for (const event of events) {
          if (subscriber.closed) return
          subscriber.next(event)
        }
      },
      complete: () => subscriber.complete(),
    }),
  )
}

/** `added` for everything stored now. */
export function* currentEvents<T extends KubeObject>(store: Store<T, string>): Iterable<InformerEvent<T>> {
  for (const key of [...store.keys()]) {
    const object = store.getByKey(key)
    if (object !== undefined) yield { type: 'added', key, object, isInInitialList: true }
  }
}

/** `updated` from itself for everything stored now. */
export function resyncEvents<T extends KubeObject>(store: Store<T, string>): InformerEvent<T>[] {
  const events: InformerEvent<T>[] = []
  for (const key of store.keys()) {
    const object = store.getByKey(key)
    if (object !== undefined) {
      events.push({ type: 'updated', key, object, previous: object, cause: 'resync', isReplaced: false })
    }
  }
  return events
}
