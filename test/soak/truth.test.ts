import { describe, expect, it } from 'vitest'
import { createTruth } from './truth.ts'

describe('what was a right answer', () => {
  const truth = createTruth(1000)
  truth.set(0, ['a', 'b'], 100)
  truth.set(0, ['b'], 200)
  it.each([
    ['an endpoint that is there now', 'b', 250, 260, true],
    ['one that left before the span', 'a', 201, 260, false],
    ['one that left within the span', 'a', 150, 260, true],
    ['one that never was', 'c', 0, 1000, false],
    ['anything before the first moment', 'b', 0, 99, false],
  ])('%s', (_, address, fromMs, toMs, isValid) => {
    expect(truth.wasValid(0, address, fromMs, toMs)).toBe(isValid)
  })

  it('keeps the moment that held when the span began', () => {
    truth.set(0, ['c'], 5000)
    expect(truth.wasValid(0, 'b', 4500, 4600)).toBe(true)
    expect([...truth.current(0)]).toEqual(['c'])
  })
})
