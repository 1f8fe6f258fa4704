import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGoDuration, printGoDuration } from './go-duration.ts'

describe('a Go duration', () => {
  it.each([
    ['0', 0],
    ['0s', 0],
    ['-0', 0],
    ['1h30m', 5_400_000],
    ['250ms', 250],
    ['-1.5s', -1500],
    ['+2m', 120_000],
    ['.5s', 500],
    ['1.s', 1000],
    ['100us', 0.1],
    ['100µs', 0.1],
    ['5ns', 0.000_005],
    ['1h1m1s1ms', 3_661_001],
    ['1s1h', 3_601_000],
  ])('%s is %d ms', (text, ms) => expect(parseGoDuration(text)).toBeCloseTo(ms, 9))

  it.each(['', 's', '1', '1x', '1d', ' 1s', '1s ', '1 s', '--1s', '1.2.3s', '.s', '1e3s', '1s\n'])(
    '%j is none',
    (text) => expect(parseGoDuration(text)).toBeUndefined(),
  )

  it.each([
    [0, '0s'],
    [5_400_000, '1h30m0s'],
    [1500, '1.5s'],
    [250, '250ms'],
    [0.1, '100µs'],
    [0.000_005, '5ns'],
    [60_000, '1m0s'],
    [-1500, '-1.5s'],
    [3_600_000, '1h0m0s'],
    [59_999.9, '59.9999s'],
  ])('%d ms is written %s', (ms, text) => expect(printGoDuration(ms)).toBe(text))

  it('parses back what it prints', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (ms) => {
        expect(parseGoDuration(printGoDuration(ms))).toBeCloseTo(ms, 6)
      }),
    )
  })
})
