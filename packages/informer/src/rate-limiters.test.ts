import { describe, expect, it } from 'vitest'
import { type RateLimiter, rateLimiters } from './rate-limiters.ts'
import { fakeClock } from './testing/fake-clock.ts'

const delays = (limiter: RateLimiter<string>, count: number, key = 'fig') =>
  Array.from({ length: count }, () => limiter.when(key))

describe('rate limiters', () => {
  it('exponential: from 5 ms by two to 1000 s, per key', () => {
    const limiter = rateLimiters.exponential<string>()
    expect(delays(limiter, 4)).toEqual([5, 10, 20, 40])
    expect(limiter.when('pear')).toBe(5)
    expect(delays(limiter, 20).at(-1)).toBe(1_000_000)
    expect(limiter.requeues('fig')).toBe(24)
    limiter.forget('fig')
    expect([limiter.requeues('fig'), limiter.when('fig')]).toEqual([0, 5])
  })

  it('bucket: a burst is free, then so many per second over all keys', async () => {
    const clock = fakeClock()
    const limiter = rateLimiters.bucket<string>({ perSecond: 10, burst: 2, clock })
    expect([...delays(limiter, 2), limiter.when('pear'), limiter.when('plum')]).toEqual([0, 0, 100, 200])
    await clock.advance(10_000)
    expect(delays(limiter, 3)).toEqual([0, 0, 100])
  })

  it('fast and slow', () => {
    expect(delays(rateLimiters.fastSlow({ fastMs: 5, slowMs: 500, fastTries: 2 }), 3)).toEqual([5, 5, 500])
  })

  it('the longest of several, and never more than a bound', () => {
    const both = rateLimiters.maxOf<string>(
      rateLimiters.exponential({ baseMs: 1 }),
      rateLimiters.fastSlow({ fastMs: 3, slowMs: 3, fastTries: 0 }),
    )
    expect(delays(both, 4)).toEqual([3, 3, 4, 8])
    expect(both.requeues('fig')).toBe(4)
    both.forget('fig')
    expect(both.requeues('fig')).toBe(0)
    expect(delays(rateLimiters.capped(rateLimiters.exponential<string>(), 15), 3)).toEqual([5, 10, 15])
  })

  it('the default of controllers: exponential, and ten per second after a burst of a hundred', () => {
    const limiter = rateLimiters.controllerDefault<string>({ clock: fakeClock() })
    expect(limiter.when('fig')).toBe(5)
    for (let i = 0; i < 99; i++) limiter.when(`key-${i}`)
    expect(limiter.when('one too many')).toBe(100)
  })
})
