// The usual composition: a watch, a store, and streams of what changed (client-go `SharedIndexInformer`).

import type { KubeObject } from '@kubewire/kube-model'
import { BehaviorSubject, Observable, Subject } from 'rxjs'
import { systemClock } from './clock.ts'
import type { InformerEvent } from './event.ts'
import type { Indexers } from './index-table.ts'
import { createLister, type Lister } from './lister.ts'
import { type RunningWatch, runWatch } from './run-watch.ts'
import type { ResourceSource } from './source.ts'
import { createStore, type Store } from './store.ts'
import type { WatchError } from './watch-error.ts'
import type { WatchResourceOptions } from './watch-options.ts'
import type { WatchState } from './watch-state.ts'

/** How an informer is doing. */
export interface InformerStatus {
  readonly phase: 'idle' | 'listing' | 'watching' | 'backingOff' | 'closed'
  /** The first full state is in the store; stays true. */
  readonly hasSynced: boolean
  readonly resourceVersion: string | undefined
  readonly lastFrameAtMs: number | undefined
  readonly consecutiveFailures: number
  readonly lastError: WatchError | undefined
}

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

const progressEveryMs = 1000

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
  const status = new BehaviorSubject<InformerStatus>(idleStatus)
  const life = new AbortController()
  let running: RunningWatch | undefined
  let toldAtMs = Number.NEGATIVE_INFINITY
  let closing: Promise<void> | undefined

  const update = (change: Partial<InformerStatus>): void => {
    if (status.value.phase !== 'closed') status.next({ ...status.value, ...change })
  }
  const followState = (state: WatchState): void => {
    const nowMs = clock.nowMs()
    const { value } = status
    const phase = phases[state.phase]
    const hasSynced = value.hasSynced || state.hasSynced
    const isProgress = nowMs - toldAtMs >= progressEveryMs
    const isChanged =
      phase !== value.phase || hasSynced !== value.hasSynced || state.consecutiveFailures !== value.consecutiveFailures
    if (!isChanged && !isProgress) return
    toldAtMs = nowMs
    const { lastVersion: resourceVersion, consecutiveFailures } = state
    const lastFrameAtMs = state.connection?.lastFrameAtMs ?? value.lastFrameAtMs
    update({ phase, hasSynced, resourceVersion, consecutiveFailures, lastFrameAtMs })
  }
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
          update({ lastError: error })
          tellError(error)
        },
        state: followState,
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
        update({ phase: 'closed' })
        batches.complete()
        errors.complete()
        status.complete()
      })()
      return closing
    },
    [Symbol.asyncDispose]: () => informer.close(),
  }
  return informer
}

const idleStatus: InformerStatus = {
  phase: 'idle',
  hasSynced: false,
  resourceVersion: undefined,
  lastFrameAtMs: undefined,
  consecutiveFailures: 0,
  lastError: undefined,
}

const phases: { readonly [P in WatchState['phase']]: InformerStatus['phase'] } = {
  idle: 'idle',
  listing: 'listing',
  streaming: 'listing',
  probing: 'watching',
  connecting: 'watching',
  watching: 'watching',
  waiting: 'backingOff',
}

function flatten<T>(batches: Observable<readonly T[]>): Observable<T> {
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

function* currentEvents<T extends KubeObject>(store: Store<T, string>): Iterable<InformerEvent<T>> {
  for (const key of [...store.keys()]) {
    const object = store.getByKey(key)
    if (object !== undefined) yield { type: 'added', key, object, isInInitialList: true }
  }
}

function resyncEvents<T extends KubeObject>(store: Store<T, string>): InformerEvent<T>[] {
  const events: InformerEvent<T>[] = []
  for (const key of store.keys()) {
    const object = store.getByKey(key)
    if (object !== undefined) {
      events.push({ type: 'updated', key, object, previous: object, cause: 'resync', isReplaced: false })
    }
  }
  return events
}

function waitForSync(status: BehaviorSubject<InformerStatus>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (status.value.hasSynced) return resolve()
    if (signal?.aborted) return reject(signal.reason as Error)
    const subscription = status.subscribe({
      next: ({ hasSynced }) => {
        if (hasSynced) finish(resolve)
      },
      complete: () => finish(() => reject(new Error('the informer was closed before it had synced'))),
    })
    const abort = (): void => finish(() => reject(signal?.reason as Error))
    const finish = (then: () => void): void => {
      signal?.removeEventListener('abort', abort)
      queueMicrotask(() => subscription.unsubscribe())
      then()
    }
    signal?.addEventListener('abort', abort)
  })
}

// A transform or index function that throws does so at every relist; one report per object and version is enough.
function createReportFilter(): { isNew(error: WatchError): boolean } {
  const seen = new Set<string>()
  return {
    isNew: (error) => {
      if (error.code !== 'INF_TRANSFORM' && error.code !== 'INF_INDEX') return true
      const identity = `${error.code} ${error.message}`
      if (seen.has(identity)) return false
      if (seen.size >= 1000) seen.clear()
      seen.add(identity)
      return true
    },
  }
}
