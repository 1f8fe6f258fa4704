import { describe, expect, it } from 'vitest'
import { createTruth } from './truth.ts'

describe('what was a right answer', () => {
  const truth = createTruth(1000)
  truth.set(0, ['a', 'b'], 100)
  truth.set(0, ['b'], 200)
  it.each([
    ['an endpoint that is there now is not late', 'b', 250, 260, 0],
    ['one that left before the span is late since', 'a', 230, 260, 30],
    ['one that left within the span is not', 'a', 150, 260, 0],
    ['one that never was is late for ever', 'c', 0, 1000, Infinity],
    ['so is anything before the first moment', 'b', 0, 99, Infinity],
  ])('%s', (_, address, fromMs, toMs, lateMs) => {
    expect(truth.lateMs(0, address, fromMs, toMs)).toBe(lateMs)
  })

  it('keeps the moment that held when the span began', () => {
    truth.set(0, ['c'], 5000)
    expect(truth.lateMs(0, 'b', 4500, 4600)).toBe(0)
    expect([...truth.current(0)]).toEqual(['c'])
  })
})
