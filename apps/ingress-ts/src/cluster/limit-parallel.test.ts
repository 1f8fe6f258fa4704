import { describe, expect, it } from 'vitest'
import { limitParallel } from './limit-parallel.ts'

describe('a bound of parallel tasks', () => {
  it('keeps to it, in order, also when some fail', async () => {
    const limit = limitParallel(3)
    const started: number[] = []
    let running = 0
    let most = 0
    const task = async (n: number): Promise<number> => {
      started.push(n)
      most = Math.max(most, ++running)
      await Promise.resolve()
      await Promise.resolve()
      running--
      if (n % 4 === 0) throw new Error('no')
      return n
    }
    const numbers = Array.from({ length: 20 }, (_, n) => n)
    const results = await Promise.allSettled(numbers.map((n) => limit(() => task(n))))
    expect(most).toBe(3)
    expect(started).toEqual(numbers)
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(5)
    await expect(limit(() => task(21))).resolves.toBe(21)
  })
})
