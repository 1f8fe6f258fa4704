import { describe, expect, it } from 'vitest'
import { asPortNumber } from './int-or-string.ts'
import { parseQuantity } from './quantity.ts'

describe('a quantity', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['1.5', 1.5],
    ['-1', -1],
    ['100m', 0.1],
    ['1k', 1000],
    ['2M', 2_000_000],
    ['1Ki', 1024],
    ['1.5Gi', 1_610_612_736],
    ['2e3', 2000],
    ['2E3', 2000],
    ['1E', 1e18],
    ['1Ei', 2 ** 60],
    ['500n', 5e-7],
    ['.5', 0.5],
    ['1.', 1],
  ])('%s is %d', (text, number) => expect(parseQuantity(text)).toBeCloseTo(number, 12))

  it.each(['', 'x', '1K', '1 Gi', '1Gib', 'Gi', '1e', '1.2.3', '0x10', '1ki'])('%j is none', (text) =>
    expect(parseQuantity(text)).toBeUndefined(),
  )
})

describe('a port by number or name', () => {
  it.each([
    [80, 80],
    ['80', 80],
    ['http', undefined],
    ['80a', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is the number %j', (value, port) => expect(asPortNumber(value)).toBe(port))
})
