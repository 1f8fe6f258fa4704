// The loop every daemon runs: dirty mark → snapshot → plan → apply → accept or retry. One run at a time; what counts
// as installed changes only in `accept`, so a failed run is planned again from what the world really has.

import { type Clock, systemClock } from './clock.ts'
import { initialSyncState, type SyncEvent, type SyncLimits, type SyncState, syncStep } from './sync-machine.ts'

/** The four steps of a run and its limits. */
export interface SyncLoopOptions<Snapshot, Plan> extends SyncLimits {
  /** A consistent view of the input at this moment. */
  readonly snapshot: () => Snapshot
  /** What to do about it; `undefined`: nothing differs. */
  readonly plan: (snapshot: Snapshot) => Plan | undefined | Promise<Plan | undefined>
  /** Does it. Throwing (or rejecting) means the world said no. */
  readonly apply: (plan: Plan, signal: AbortSignal) => Promise<void>
  /** Called after `apply` succeeded: the wanted is now the installed. */
  readonly accept?: (plan: Plan, snapshot: Snapshot) => void
  /** Called after any step threw. */
  readonly onFailure?: (error: unknown, failures: number) => void
  /** Called after each run that succeeded, also one with nothing to do. */
  readonly onSuccess?: (info: { readonly durationMs: number; readonly isChanged: boolean }) => void
  readonly clock?: Clock
}

/** A running loop. */
export interface SyncLoop {
  /** Something changed; cheap, to be called from event handlers. */
  markDirty(): void
  /** Resolves when no run is under way and nothing is dirty. */
  idle(): Promise<void>
  /** Lets the run under way finish, then stops for good. */
  close(): Promise<void>
}

/** Creates a loop; nothing runs before the first `markDirty`. */
export function createSyncLoop<Snapshot, Plan>(options: SyncLoopOptions<Snapshot, Plan>): SyncLoop {
  const { clock = systemClock } = options
  const closing = new AbortController()
  let state: SyncState = initialSyncState
  let sleeping: AbortController | undefined
  let waiters: (() => void)[] = []
  let running: Promise<void> | undefined

  const dispatch = (event: SyncEvent): void => {
    if (closing.signal.aborted) {
      releaseWaiters()
      return
    }
    const step = syncStep(state, event, clock.nowMs(), options)
    state = step.state
    sleeping?.abort()
    sleeping = undefined
    if (step.command.type === 'run') {
      running = run()
    } else if (step.command.type === 'wakeAt') {
      void sleepUntil(step.command.atMs)
    }
    if (!state.isRunning && !state.isDirty) releaseWaiters()
  }
  const sleepUntil = async (atMs: number): Promise<void> => {
    const mine = new AbortController()
    sleeping = mine
    await clock.sleep(atMs - clock.nowMs(), mine.signal)
    if (!mine.signal.aborted) dispatch({ type: 'tick' })
  }
  const run = async (): Promise<void> => {
    // The caller of `markDirty` finishes first: a burst of events in one turn is one run.
    await Promise.resolve()
    dispatch(await runOnce(options, clock, closing.signal, state.failures))
  }
  const releaseWaiters = (): void => {
    for (const release of waiters) release()
    waiters = []
  }
  return {
    markDirty: () => dispatch({ type: 'dirty' }),
    idle: () =>
      state.isRunning || state.isDirty ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve(),
    close: async () => {
      closing.abort()
      sleeping?.abort()
      await running
      releaseWaiters()
    },
  }
}

async function runOnce<Snapshot, Plan>(
  options: SyncLoopOptions<Snapshot, Plan>,
  clock: Clock,
  signal: AbortSignal,
  failures: number,
): Promise<SyncEvent> {
  const startMs = clock.nowMs()
  try {
    const snapshot = options.snapshot()
    const plan = await options.plan(snapshot)
    if (plan !== undefined) {
      await options.apply(plan, signal)
      options.accept?.(plan, snapshot)
    }
    options.onSuccess?.({ durationMs: clock.nowMs() - startMs, isChanged: plan !== undefined })
    return { type: 'succeeded' }
  } catch (error) {
    options.onFailure?.(error, failures + 1)
    return { type: 'failed' }
  }
}
