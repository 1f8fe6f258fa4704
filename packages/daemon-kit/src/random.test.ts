import { expect, test } from 'vitest'
import { seededRandom } from './random.ts'

test('a seed gives the same numbers each time, others for another seed, spread over 0 to 1', () => {
  const draw = (seed: number): number[] => Array.from({ length: 1000 }, seededRandom(seed))
  expect(draw(1)).toEqual(draw(1))
  expect(draw(1)).not.toEqual(draw(2))
  const numbers = draw(7)
  expect(numbers.every((n) => n >= 0 && n < 1)).toBe(true)
  expect(numbers.reduce((a, b) => a + b, 0) / 1000).toBeCloseTo(0.5, 1)
})
