// When a sync loop runs: the pure half. Behaviour of kube-proxy's BoundedFrequencyRunner (pkg/proxy/runner): after a
// change at once but at most every `minIntervalMs`; without one every `maxIntervalMs`; after a failure again soon.

/** Limits of a loop, all in milliseconds. */
export interface SyncLimits {
  /** Least time between the starts of two runs; default 0. */
  readonly minIntervalMs?: number
  /** A run without a change after this time; default: never. */
  readonly maxIntervalMs?: number
  /** Delay after the first failure, doubled for each one that follows; default 1 000. */
  readonly retryMs?: number
  /** Greatest delay after failures; default 30 000. */
  readonly maxRetryMs?: number
}

/** What a loop remembers. */
export interface SyncState {
  readonly isDirty: boolean
  readonly isRunning: boolean
  readonly lastStartMs: number | undefined
  /** Failures in a row. */
  readonly failures: number
  /** After a failure: not before. */
  readonly retryAtMs: number | undefined
}

/** What may happen to a loop. */
export type SyncEvent =
  | { readonly type: 'dirty' }
  | { readonly type: 'tick' }
  | { readonly type: 'succeeded' }
  | { readonly type: 'failed' }

/** What the shell must do now. */
export type SyncCommand =
  | { readonly type: 'run' }
  | { readonly type: 'wakeAt'; readonly atMs: number }
  | { readonly type: 'wait' }

/** The loop before its first change. */
export const initialSyncState: SyncState = {
  isDirty: false,
  isRunning: false,
  lastStartMs: undefined,
  failures: 0,
  retryAtMs: undefined,
}

/** One step: the new state and what to do. While a run is under way the answer is always `wait`. */
export function syncStep(
  state: SyncState,
  event: SyncEvent,
  nowMs: number,
  limits: SyncLimits,
): { readonly state: SyncState; readonly command: SyncCommand } {
  return decide(absorb(state, event, nowMs, limits), nowMs, limits)
}

function absorb(state: SyncState, event: SyncEvent, nowMs: number, limits: SyncLimits): SyncState {
  switch (event.type) {
    case 'tick':
      return state
    case 'dirty':
      return { ...state, isDirty: true }
    case 'succeeded':
      return { ...state, isRunning: false, failures: 0, retryAtMs: undefined }
    case 'failed': {
      // What was to be done is still to be done: dirty stays true until a run succeeds.
      const failures = state.failures + 1
      const delayMs = Math.min((limits.retryMs ?? 1000) * 2 ** (failures - 1), limits.maxRetryMs ?? 30_000)
      return { ...state, isRunning: false, isDirty: true, failures, retryAtMs: nowMs + delayMs }
    }
  }
}

function decide(
  state: SyncState,
  nowMs: number,
  limits: SyncLimits,
): { readonly state: SyncState; readonly command: SyncCommand } {
  if (state.isRunning) return { state, command: { type: 'wait' } }
  const atMs = nextStart(state, nowMs, limits)
  if (atMs === undefined) return { state, command: { type: 'wait' } }
  if (atMs > nowMs) return { state, command: { type: 'wakeAt', atMs } }
  return { state: { ...state, isDirty: false, isRunning: true, lastStartMs: nowMs }, command: { type: 'run' } }
}

function nextStart(state: SyncState, nowMs: number, limits: SyncLimits): number | undefined {
  const { lastStartMs, retryAtMs } = state
  if (state.isDirty) {
    const earliest = lastStartMs === undefined ? nowMs : lastStartMs + (limits.minIntervalMs ?? 0)
    return Math.max(earliest, retryAtMs ?? 0)
  }
  if (limits.maxIntervalMs === undefined || lastStartMs === undefined) return undefined
  return lastStartMs + limits.maxIntervalMs
}
