import { describe, expect, it } from 'vitest'
import { exponentialBackoff } from './backoff.ts'
import { fakeClock } from './testing/fake-clock.ts'

const delays = (backoff: { next(): number }, count: number) => Array.from({ length: count }, () => backoff.next())

describe('exponential back-off', () => {
  it('grows from 0.8 s by two to 30 s', () => {
    const backoff = exponentialBackoff({ clock: fakeClock(), random: () => 0 })
    expect(delays(backoff, 8)).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000])
  })

  it('adds at most the whole delay as jitter', () => {
    const backoff = exponentialBackoff({ clock: fakeClock(), random: () => 0.999 })
    for (const [delay, least] of delays(backoff, 3).map((d, i) => [d, 800 * 2 ** i] as const)) {
      expect(delay).toBeGreaterThan(least * 1.99)
      expect(delay).toBeLessThan(least * 2)
    }
  })

  it('starts again after two quiet minutes, and not before', async () => {
    const clock = fakeClock()
    const backoff = exponentialBackoff({ clock, random: () => 0 })
    delays(backoff, 2)
    await clock.advance(121_599)
    expect(backoff.next()).toBe(3200)
    await clock.advance(123_201)
    expect(backoff.next()).toBe(800)
  })

  it('forgets on request', () => {
    const backoff = exponentialBackoff({ clock: fakeClock(), random: () => 0, initialMs: 10, factor: 3 })
    delays(backoff, 3)
    backoff.reset()
    expect(delays(backoff, 2)).toEqual([10, 30])
  })
})
