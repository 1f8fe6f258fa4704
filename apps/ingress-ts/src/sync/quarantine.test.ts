import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findGuilty } from './quarantine.ts'

// Names the first bad one, as nginx names the first line that it cannot take.
const refusing = (bad: ReadonlySet<number>) => async (kept: readonly number[]) => {
  const first = kept.find((item) => bad.has(item))
  return first === undefined ? undefined : `${first} is bad`
}

describe('finding what nginx refuses', () => {
  it('finds exactly the bad ones among many, each with its own message, in a bounded number of tests', async () => {
    const bads = fc.uniqueArray(fc.nat(499), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(bads, async (bad) => {
        const items = Array.from({ length: 500 }, (_, at) => at)
        const { guilty, isResolved, testCount } = await findGuilty(items, 'all', refusing(new Set(bad)))
        expect(new Set(guilty.map(({ item }) => item))).toEqual(new Set(bad))
        // The last one alone is never tested without the others: what was said at first is about it.
        const isLastAlone = bad.length === 1 && bad[0] === 499
        for (const { item, refusal } of guilty) expect(refusal).toBe(isLastAlone ? 'all' : `${item} is bad`)
        expect(isResolved).toBe(true)
        expect(testCount).toBeLessThanOrEqual(bad.length * 11)
      }),
      { numRuns: 50 },
    )
  })

  it('passes on what was said about all of them when the last one is to blame', async () => {
    const { guilty } = await findGuilty([1, 2, 3], '3 is bad', refusing(new Set([3])))
    expect(guilty).toEqual([{ item: 3, refusal: '3 is bad' }])
  })

  it('gives up when the rest is refused without any of them', async () => {
    expect(await findGuilty([1, 2], 'no', async () => 'no')).toMatchObject({ guilty: [], isResolved: false })
  })

  it('gives up at the limit', async () => {
    const found = await findGuilty([1, 2, 3], 'no', refusing(new Set([1, 2, 3])), 2)
    expect(found).toMatchObject({ guilty: [{ item: 1 }, { item: 2 }], isResolved: false })
  })
})
