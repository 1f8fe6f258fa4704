import { expect, it } from 'vitest'
import { stableNumber } from './stable-number.ts'

it('gives a key the same number each time, from 1 to the size', () => {
  const numbers = Array.from({ length: 200 }, (_, i) => stableNumber(`shop/tea-${i}`, 50, () => false))
  expect(numbers).toEqual(Array.from({ length: 200 }, (_, i) => stableNumber(`shop/tea-${i}`, 50, () => false)))
  expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([1, 50])
})

it('gives each key a number of its own while there are any', () => {
  const taken = new Set<number>()
  for (let i = 0; i < 50; i++) taken.add(stableNumber(`shop/tea-${i}`, 50, (n) => taken.has(n)))
  expect(taken.size).toBe(50)
})
