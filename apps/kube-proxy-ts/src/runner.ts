// When syncs run. Behaviour of kube-proxy 1.36 pkg/proxy/runner: at once when idle, then a pause from the *end* of each
// run; without a request every `maxIntervalMs`; after a failure again after `retryMs` unless a request comes first.

import type { Clock } from '@kubewire/daemon-kit'

/** Limits in milliseconds. */
export interface RunnerLimits {
  readonly minIntervalMs: number
  readonly retryMs: number
  readonly maxIntervalMs: number
}

/** What the runner remembers. */
export interface RunnerState {
  readonly isRunning: boolean
  readonly isRequested: boolean
  /** Not before. */
  readonly pauseUntilMs: number
  /** Without a request not later. */
  readonly dueAtMs: number | undefined
}

/** What may happen. */
export type RunnerEvent = 'request' | 'tick' | 'succeeded' | 'failed'

/** Before the first request. */
const initialRunnerState: RunnerState = {
  isRunning: false,
  isRequested: false,
  pauseUntilMs: Number.NEGATIVE_INFINITY,
  dueAtMs: undefined,
}

/** The next state, and either a run to start now or the moment to come back. */
function runnerStep(
  before: RunnerState,
  event: RunnerEvent,
  nowMs: number,
  limits: RunnerLimits,
): { readonly state: RunnerState; readonly runs: boolean; readonly wakeAtMs?: number } {
  const state = absorb(before, event, nowMs, limits)
  if (state.isRunning) return { state, runs: false }
  const wanted = state.isRequested ? nowMs : state.dueAtMs
  if (wanted === undefined) return { state, runs: false }
  const atMs = Math.max(wanted, state.pauseUntilMs)
  if (atMs > nowMs) return { state, runs: false, wakeAtMs: atMs }
  return { state: { ...state, isRunning: true, isRequested: false }, runs: true }
}

function absorb(state: RunnerState, event: RunnerEvent, nowMs: number, limits: RunnerLimits): RunnerState {
  switch (event) {
    case 'tick':
      return state
    case 'request':
      return { ...state, isRequested: true }
    case 'succeeded':
    case 'failed': {
      const delayMs = event === 'failed' ? Math.min(limits.retryMs, limits.maxIntervalMs) : limits.maxIntervalMs
      return { ...state, isRunning: false, pauseUntilMs: nowMs + limits.minIntervalMs, dueAtMs: nowMs + delayMs }
    }
  }
}

/** A running runner. */
export interface Runner {
  /** Asks for a run; cheap. */
  request(): void
  /** Lets the run under way end, starts no other. */
  close(): Promise<void>
}

/** Starts a runner; `run` says whether it succeeded and never throws. */
export function createRunner(run: () => Promise<boolean>, limits: RunnerLimits, clock: Clock): Runner {
  let state = initialRunnerState
  let sleeping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let isClosed = false
  const dispatch = (event: RunnerEvent): void => {
    if (isClosed) return
    const step = runnerStep(state, event, clock.nowMs(), limits)
    state = step.state
    sleeping.abort()
    sleeping = new AbortController()
    if (step.runs) running = runOnce()
    else if (step.wakeAtMs !== undefined) void wakeAt(step.wakeAtMs, sleeping.signal)
  }
  const runOnce = async (): Promise<void> => {
    dispatch((await run()) ? 'succeeded' : 'failed')
  }
  const wakeAt = async (atMs: number, signal: AbortSignal): Promise<void> => {
    await clock.sleep(atMs - clock.nowMs(), signal)
    if (!signal.aborted) dispatch('tick')
  }
  return {
    request: () => dispatch('request'),
    close: async () => {
      isClosed = true
      sleeping.abort()
      await running
    },
  }
}
