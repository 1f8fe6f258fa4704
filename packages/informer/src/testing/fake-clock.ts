// A clock that only moves when told to.

import type { Clock } from '../clock.ts'

/** Virtual time. */
export interface FakeClock extends Clock {
  /** Moves time forward, waking sleepers in order of their due times; work they start is let run in between. */
  advance(ms: number): Promise<void>
  /** How many sleeps are pending. */
  readonly sleepers: number
}

interface Sleeper {
  readonly dueMs: number
  readonly wake: () => void
}

/** A clock at `startMs` (default 0). */
export function fakeClock(startMs = 0): FakeClock {
  let nowMs = startMs
  const sleepers = new Set<Sleeper>()
  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const wake = (): void => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper: Sleeper = { dueMs: nowMs + Math.max(ms, 0), wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake)
      }),
    advance: async (ms) => {
      const untilMs = nowMs + ms
      await settle()
      for (;;) {
        const due = [...sleepers].filter((sleeper) => sleeper.dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0]
        if (due === undefined) break
        nowMs = Math.max(nowMs, due.dueMs)
        due.wake()
        await settle()
      }
      nowMs = untilMs
      await settle()
    },
    get sleepers() {
      return sleepers.size
    },
  }
}

/** Lets everything that is ready run: microtasks to the end, and one turn of the event loop. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve))
}
