import { fakeClock } from '@kubewire/daemon-kit'
import { describe, expect, it } from 'vitest'
import { createRunner } from './runner.ts'

const limits = { minIntervalMs: 1000, retryMs: 5000, maxIntervalMs: 60_000 }

function bench() {
  const clock = fakeClock()
  const runs: number[] = []
  const state = { isOk: true, takesMs: 0 }
  const run = async (): Promise<boolean> => {
    runs.push(clock.nowMs())
    if (state.takesMs > 0) await clock.sleep(state.takesMs)
    return state.isOk
  }
  return { clock, runs, state, runner: createRunner(run, limits, clock) }
}

describe('the runner', () => {
  it('runs at once when idle, and merges requests until the pause after a run is over', async () => {
    const { clock, runs, runner } = bench()
    runner.request()
    await clock.advance(10)
    runner.request()
    runner.request()
    await clock.advance(5000)
    expect(runs).toEqual([0, 1000])
  })

  it('counts the pause from the end of a run, and keeps a request that came during it', async () => {
    const { clock, runs, state, runner } = bench()
    state.takesMs = 3000
    runner.request()
    await clock.advance(500)
    runner.request()
    await clock.advance(10_000)
    expect(runs).toEqual([0, 4000])
  })

  it('runs without a request after the longest interval', async () => {
    const { clock, runs, runner } = bench()
    runner.request()
    await clock.advance(130_000)
    expect(runs).toEqual([0, 60_000, 120_000])
  })

  it('tries again after a failure, sooner when asked, and forgets the retry after a success', async () => {
    const { clock, runs, state, runner } = bench()
    state.isOk = false
    runner.request()
    await clock.advance(5000)
    expect(runs).toEqual([0, 5000])
    state.isOk = true
    await clock.advance(2000)
    runner.request()
    await clock.advance(20_000)
    expect(runs).toEqual([0, 5000, 7000])
  })

  it('starts nothing after it was closed', async () => {
    const { clock, runs, runner } = bench()
    await runner.close()
    runner.request()
    await clock.advance(100_000)
    expect(runs).toEqual([])
  })
})
