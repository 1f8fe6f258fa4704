import { describe, expect, it } from 'vitest'
import { FaultLog } from './fault-log.ts'

const failed = (kind: 'dns' | 'http', startMs: number, endMs: number) => ({
  kind,
  index: 0,
  startMs,
  endMs,
  error: 'x',
})

describe('what a fault excuses', () => {
  const log = new FaultLog()
  log.begin('coredns-ts killed', ['dns'], 1000).endMs = 2000
  it.each([
    ['a question asked while it lasts', failed('dns', 1500, 3500), true],
    ['one that was waiting when it began', failed('dns', 900, 1001), true],
    ['one of another kind', failed('http', 1500, 1600), false],
    ['one that was over before', failed('dns', 800, 999), false],
    ['one asked long after', failed('dns', 3000, 3001), false],
  ])('%s', (_, probed, isExcused) => {
    expect(log.excuses(probed)).toBe(isExcused)
  })

  it('names the length of the window in which questions failed', () => {
    expect(log.summaries()).toEqual([{ name: 'coredns-ts killed', times: 1, failed: 2, longestWindowMs: 500 }])
  })
})
