// Time as an argument: the real clock for daemons and a hand-driven one for tests. Same shape as the informer's.

/** A source of time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Resolves after `ms`; at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The clock of this machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const end = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, Math.min(Math.max(ms, 0), 2_147_483_647))
      signal?.addEventListener('abort', end)
    }),
}

/** A clock that stands still until `advance` is called. */
export interface FakeClock extends Clock {
  /** Moves time on, waking sleepers in order and letting what they start settle before the next one wakes. */
  advance(ms: number): Promise<void>
  /** How many sleepers wait. */
  readonly sleepers: number
}

/** Makes a clock for tests that starts at `startMs`. */
export function fakeClock(startMs = 0): FakeClock {
  let now = startMs
  const sleepers = new Set<{ readonly atMs: number; readonly wake: () => void }>()
  return {
    nowMs: () => now,
    get sleepers() {
      return sleepers.size
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const sleeper = { atMs: now + Math.max(ms, 0), wake: () => end() }
        const end = (): void => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', end)
          resolve()
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', end)
      }),
    advance: async (ms) => {
      const until = now + ms
      await settle()
      for (let next = earliest(sleepers); next !== undefined && next.atMs <= until; next = earliest(sleepers)) {
        now = Math.max(now, next.atMs)
        next.wake()
        await settle()
      }
      now = until
    },
  }
}

function earliest<S extends { readonly atMs: number }>(sleepers: Iterable<S>): S | undefined {
  let first: S | undefined
  for (const sleeper of sleepers) if (first === undefined || sleeper.atMs < first.atMs) first = sleeper
  return first
}

// Promise chains started by a waking sleeper run to their next wait; a macrotask ends only after all of them.
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
