// Time as the server uses it: a port, so that tests run bookmarks, timeouts and waits on invented time.

/** The current time and one-shot timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Calls `run` once after `delayMs`; the result cancels it. */
  after(delayMs: number, run: () => void): () => void
}

/** The machine's clock; its timers do not keep the process alive. */
export const machineClock: Clock = {
  nowMs: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** A clock that stands still until it is advanced; for tests. */
export interface ManualClock extends Clock {
  advance(ms: number): void
}

/** A clock for tests; starts at `startMs`. */
export function createManualClock(startMs: number = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startMs
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  const nextDue = (untilMs: number) =>
    [...timers].filter((timer) => timer.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
  return {
    nowMs: () => now,
    after: (delayMs, run) => {
      const timer = { atMs: now + delayMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance: (ms) => {
      const end = now + ms
      for (let timer = nextDue(end); timer; timer = nextDue(end)) {
        timers.delete(timer)
        now = Math.max(now, timer.atMs)
        timer.run()
      }
      now = end
    },
  }
}
