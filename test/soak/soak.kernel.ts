// The soak in its shortest useful form: every fault once, with few Services. `pnpm soak` is the long one.

import { describe, expect, it } from 'vitest'
import { whyNoNetns } from '../harness/netns.ts'
import { faults } from './faults.ts'
import { runSoak } from './run-soak.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`soak.kernel.ts is skipped: ${missing}`)

describe.skipIf(missing !== undefined)('all three daemons under changes and faults', () => {
  it('answer right, fail only where a fault explains it, and end as if made from nothing', {
    timeout: 180_000,
  }, async () => {
    const progress = (): void => {}
    const sizes = { services: 100, probed: 6, changesPerSecond: 40 }
    const result = await runSoak({ ...sizes, minutes: 0.9, faultEverySeconds: 1.5, seed: 3, progress })
    expect(result.wrong).toEqual([])
    expect(result.failed).toEqual([])
    expect(result.differences).toEqual([])
    expect(result.faults.summaries().length).toBeGreaterThanOrEqual(faults.length - 3)
    // A fault explains failures only while it lasts: one that is healed after minutes is not healed.
    for (const { name, longestWindowMs } of result.faults.summaries())
      expect(longestWindowMs, name).toBeLessThan(25_000)
    for (const { asked } of Object.values(result.counts)) expect(asked).toBeGreaterThan(300)
  })
})
