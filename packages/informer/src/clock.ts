// Injected time. Nothing else in this package reads a clock or starts a timer.

/** Where time comes from; `fakeClock` of `informer/testing` is the other implementation. */
export interface Clock {
  /** Milliseconds; only differences matter. */
  nowMs(): number
  /** Resolves after `ms`, or at once when the signal aborts (it never rejects). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Longest delay that a timer can hold (2³¹ − 1 ms); longer ones would fire at once. */
const longestTimerMs = 2_147_483_647

// Asked for with every object of a list; as a property it is looked up each time.
const beganAtMs = performance.timeOrigin

/**
 * The computer's clock, as the time since the epoch when nobody sets it: a step of the time of day, forth or back, is not
 * seen, so that no pause becomes longer by it and nothing is due too early.
 */
export const systemClock: Clock = {
  nowMs: () => beganAtMs + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const finish = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, Math.min(Math.max(ms, 0), longestTimerMs))
      signal?.addEventListener('abort', finish)
    }),
}

/** Lets other work of the process run: resolves in a later turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
