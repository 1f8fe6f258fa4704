// Waits until several informers have their first full state.

import { distinctUntilChanged, filter, forkJoin, map, type Observable, of, take } from 'rxjs'
import type { Informer } from '../informer.ts'

/** Emits once, and completes, when every given informer has synced. Completes silently when one closes before. */
// biome-ignore lint/suspicious/noExplicitAny: an informer of any object type counts, and the type is invariant.
export function whenSynced(...informers: readonly Informer<any, any>[]): Observable<void> {
  if (informers.length === 0) return of(undefined)
  const each = informers.map((informer) =>
    informer.status$.pipe(
      map((status) => status.hasSynced),
      distinctUntilChanged(),
      filter((hasSynced) => hasSynced),
      take(1),
    ),
  )
  return forkJoin(each).pipe(map(() => undefined))
}
