import { describe, expect, test } from 'vitest'
import { initialSyncState, type SyncEvent, type SyncLimits, syncStep } from './sync-machine.ts'

type Row = readonly [nowMs: number, event: SyncEvent['type'], command: string]

function play(limits: SyncLimits, rows: readonly Row[]): string[] {
  let state = initialSyncState
  return rows.map(([nowMs, type]) => {
    const step = syncStep(state, { type }, nowMs, limits)
    state = step.state
    return step.command.type === 'wakeAt' ? `wakeAt ${step.command.atMs}` : step.command.type
  })
}

const stories: readonly { readonly name: string; readonly limits: SyncLimits; readonly rows: readonly Row[] }[] = [
  {
    name: 'the first change runs at once',
    limits: { minIntervalMs: 1000 },
    rows: [[5, 'dirty', 'run']],
  },
  {
    name: 'a change during a run waits for its end and for the least interval',
    limits: { minIntervalMs: 1000 },
    rows: [
      [0, 'dirty', 'run'],
      [10, 'dirty', 'wait'],
      [20, 'succeeded', 'wakeAt 1000'],
      [1000, 'tick', 'run'],
    ],
  },
  {
    name: 'more changes do not move the planned run',
    limits: { minIntervalMs: 1000 },
    rows: [
      [0, 'dirty', 'run'],
      [20, 'succeeded', 'wait'],
      [100, 'dirty', 'wakeAt 1000'],
      [900, 'dirty', 'wakeAt 1000'],
    ],
  },
  {
    name: 'without a change a run comes after the greatest interval, measured from the start of the last',
    limits: { maxIntervalMs: 30_000 },
    rows: [
      [0, 'dirty', 'run'],
      [50, 'succeeded', 'wakeAt 30000'],
      [30_000, 'tick', 'run'],
    ],
  },
  {
    name: 'nothing runs before the first change, whatever the greatest interval',
    limits: { maxIntervalMs: 30_000 },
    rows: [[40_000, 'tick', 'wait']],
  },
  {
    name: 'a failure is repeated without a new change, later each time, and success resets the delay',
    limits: { retryMs: 100, maxRetryMs: 300 },
    rows: [
      [0, 'dirty', 'run'],
      [10, 'failed', 'wakeAt 110'],
      [110, 'tick', 'run'],
      [110, 'failed', 'wakeAt 310'],
      [310, 'tick', 'run'],
      [310, 'failed', 'wakeAt 610'],
      [610, 'tick', 'run'],
      [610, 'succeeded', 'wait'],
      [700, 'dirty', 'run'],
      [700, 'failed', 'wakeAt 800'],
    ],
  },
  {
    name: 'a change does not shorten the delay after a failure',
    limits: { retryMs: 1000 },
    rows: [
      [0, 'dirty', 'run'],
      [10, 'failed', 'wakeAt 1010'],
      [20, 'dirty', 'wakeAt 1010'],
    ],
  },
]

describe('when a sync loop runs', () => {
  test.each(stories)('$name', ({ limits, rows }) => {
    expect(play(limits, rows)).toEqual(rows.map(([, , command]) => command))
  })
})
