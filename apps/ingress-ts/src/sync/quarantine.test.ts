import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findGuilty } from './quarantine.ts'

const refusing = (bad: ReadonlySet<number>) => async (kept: readonly number[]) => kept.some((item) => bad.has(item))

describe('finding what nginx refuses', () => {
  it('finds exactly the bad ones among many, in a bounded number of tests', async () => {
    const bads = fc.uniqueArray(fc.nat(499), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(bads, async (bad) => {
        const items = Array.from({ length: 500 }, (_, at) => at)
        const { guilty, isResolved, testCount } = await findGuilty(items, refusing(new Set(bad)))
        expect(new Set(guilty)).toEqual(new Set(bad))
        expect(isResolved).toBe(true)
        expect(testCount).toBeLessThanOrEqual(bad.length * 11)
      }),
      { numRuns: 50 },
    )
  })

  it('believes nginx when it names the right one', async () => {
    const found = await findGuilty([1, 2, 3, 4], refusing(new Set([3])), { suspects: [3] })
    expect(found).toEqual({ guilty: [3], isResolved: true, testCount: 1 })
  })

  it('goes on when nginx named a wrong one', async () => {
    const found = await findGuilty([1, 2, 3, 4], refusing(new Set([3])), { suspects: [1] })
    expect(found).toMatchObject({ guilty: [3], isResolved: true })
  })

  it('gives up when the rest is refused without any of them', async () => {
    expect(await findGuilty([1, 2], async () => true)).toMatchObject({ guilty: [], isResolved: false })
  })

  it('gives up at the limit', async () => {
    const found = await findGuilty([1, 2, 3], refusing(new Set([1, 2, 3])), { limit: 2 })
    expect(found).toMatchObject({ guilty: [1, 2], isResolved: false })
  })
})
