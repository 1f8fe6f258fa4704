// The usual composition: a watch, a store, and streams of what changed (client-go `SharedIndexInformer`).

import type { KubeObject } from '@kubewire/kube-model'
import { Observable, Subject } from 'rxjs'
import { systemClock } from './clock.ts'
import type { InformerEvent } from './event.ts'
import { currentEvents, flatten, resyncEvents } from './event-batches.ts'
import type { Indexers } from './index-table.ts'
import { createStatusTracker, type InformerStatus, waitForSync } from './informer-status.ts'
import { createLister, type Lister } from './lister.ts'
import { createReportFilter } from './report-filter.ts'
import { type RunningWatch, runWatch } from './run-watch.ts'
import type { ResourceSource } from './source.ts'
import { createStore, type Store } from './store.ts'
import type { WatchError } from './watch-error.ts'
import type { WatchResourceOptions } from './watch-options.ts'

/** Options of `createInformer`. */
export interface InformerOptions<T extends KubeObject, Index extends string> extends WatchResourceOptions {
  readonly indexers?: Indexers<T, Index>
  /** Every so often each stored object is told again as `updated` with cause `resync`; default 0: never. */
  readonly resyncPeriodMs?: number
}

/** A store that follows a resource, and the changes it goes through. */
export interface Informer<T extends KubeObject, Index extends string = never> extends AsyncDisposable {
  readonly store: Store<T, Index>
  readonly lister: Lister<T>
  /** On subscription `added` for everything stored, synchronously, then every change. Hot; keeps nothing alive. */
  readonly events$: Observable<InformerEvent<T>>
  /** Changes from now on. */
  readonly changes$: Observable<InformerEvent<T>>
  /** Everything that goes wrong, as it happens; no replay. */
  readonly errors$: Observable<WatchError>
  /** The current status, then every change of it; progress of frames at most once a second. */
  readonly status$: Observable<InformerStatus>
  readonly hasSynced: boolean
  /** Starts watching; later calls do nothing. An abort of the signal closes the informer. */
  start(options?: { readonly signal?: AbortSignal }): this
  /** Resolves when the first full state is in the store; rejects only when aborted or closed before. */
  synced(options?: { readonly signal?: AbortSignal }): Promise<void>
  /** Adds indexes to a running informer and indexes what is there; an existing name with another function throws. */
  addIndexers<More extends string>(indexers: Indexers<T, More>): Informer<T, Index | More>
  /** Ends the connection and completes all streams; the store stays readable. Resolves when the socket is gone. */
  close(): Promise<void>
}

/**
 * An informer over one source; nothing happens before `start`.
 *
 * @example
 * const services = createInformer(cluster.source(Services)).start()
 * await services.synced()
 */
export function createInformer<T extends KubeObject, Index extends string = never>(
  source: ResourceSource<T>,
  options: InformerOptions<T, Index> = {},
): Informer<T, Index> {
  const { clock = systemClock, resyncPeriodMs = 0 } = options
  const errors = new Subject<WatchError>()
  const reported = createReportFilter()
  const tellError = (error: WatchError): void => {
    if (!reported.isNew(error)) return
    errors.next(error)
    options.onError?.(error)
  }
  const { store, writer } = createStore<T, Index>({
    ...(options.indexers === undefined ? {} : { indexers: options.indexers }),
    onError: tellError,
  })
  // Whole batches travel, so that a subscriber who comes in the middle of one gets its objects once.
  const batches = new Subject<readonly InformerEvent<T>[]>()
  const tracker = createStatusTracker()
  const { status } = tracker
  const life = new AbortController()
  let running: RunningWatch | undefined
  let closing: Promise<void> | undefined

  const resync = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(resyncPeriodMs, life.signal)
      if (life.signal.aborted) return
      if (status.value.hasSynced) batches.next(resyncEvents(store))
    }
  }

  const informer: Informer<T, Index> = {
    store,
    lister: createLister<T>(store as Store<T, never>),
    events$: new Observable((subscriber) => {
      for (const event of currentEvents(store)) subscriber.next(event)
      return flatten(batches).subscribe(subscriber)
    }),
    changes$: flatten(batches),
    errors$: errors.asObservable(),
    status$: status.asObservable(),
    get hasSynced() {
      return status.value.hasSynced
    },
    start({ signal } = {}) {
      if (running !== undefined || closing !== undefined) return informer
      if (signal?.aborted) {
        void informer.close()
        return informer
      }
      signal?.addEventListener('abort', () => void informer.close(), { once: true, signal: life.signal })
      running = runWatch(source, options, {
        event: (event) => {
          const events = writer.apply(event)
          if (events.length > 0) batches.next(events)
        },
        error: (error) => {
          tracker.failed(error)
          tellError(error)
        },
        state: (state) => tracker.follow(state, clock.nowMs()),
      })
      if (resyncPeriodMs > 0) void resync()
      return informer
    },
    synced: ({ signal } = {}) => waitForSync(status, signal),
    addIndexers: (indexers) => {
      writer.addIndexers(indexers)
      return informer as unknown as Informer<T, never>
    },
    close: () => {
      closing ??= (async () => {
        life.abort()
        await running?.close()
        batches.complete()
        errors.complete()
        tracker.close()
      })()
      return closing
    },
    [Symbol.asyncDispose]: () => informer.close(),
  }
  return informer
}
