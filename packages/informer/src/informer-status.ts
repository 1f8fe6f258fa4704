// How an informer is doing, as a value that changes.

import { BehaviorSubject } from 'rxjs'
import type { WatchError } from './watch-error.ts'
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

/** Follows the states of a watch. */
export interface StatusTracker {
  readonly status: BehaviorSubject<InformerStatus>
  /** After each step of the watch; progress alone is told once a second. */
  follow(state: WatchState, nowMs: number): void
  failed(error: WatchError): void
  close(): void
}

const progressEveryMs = 1000

/** A tracker that begins idle. */
export function createStatusTracker(): StatusTracker {
  const status = new BehaviorSubject<InformerStatus>(idleStatus)
  let toldAtMs = Number.NEGATIVE_INFINITY
  const update = (change: Partial<InformerStatus>): void => {
    if (status.value.phase !== 'closed') status.next({ ...status.value, ...change })
  }
  return {
    status,
    follow: (state, nowMs) => {
      const { value } = status
      const { lastVersion: resourceVersion, consecutiveFailures } = state
      const phase = phases[state.phase]
      const hasSynced = value.hasSynced || state.hasSynced
      const isChanged =
        phase !== value.phase || hasSynced !== value.hasSynced || consecutiveFailures !== value.consecutiveFailures
      if (!isChanged && nowMs - toldAtMs < progressEveryMs) return
      toldAtMs = nowMs
      const lastFrameAtMs = state.connection?.lastFrameAtMs ?? value.lastFrameAtMs
      update({ phase, hasSynced, resourceVersion, consecutiveFailures, lastFrameAtMs })
    },
    failed: (error) => update({ lastError: error }),
    close: () => {
      update({ phase: 'closed' })
      status.complete()
    },
  }
}

/** Resolves at the first full state; rejects when aborted or closed before. */
export function waitForSync(status: BehaviorSubject<InformerStatus>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (status.value.hasSynced) return resolve()
    if (signal?.aborted) return reject(signal.reason as Error)
    const abort = (): void => finish(() => reject(signal?.reason as Error))
    const finish = (then: () => void): void => {
      signal?.removeEventListener('abort', abort)
      queueMicrotask(() => subscription.unsubscribe())
      then()
    }
    signal?.addEventListener('abort', abort)
    // Of a closed informer the end is told at once.
    const subscription = status.subscribe({
      next: ({ hasSynced }) => {
        if (hasSynced) finish(resolve)
      },
      complete: () => finish(() => reject(new Error('the informer was closed before it had synced'))),
    })
  })
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
