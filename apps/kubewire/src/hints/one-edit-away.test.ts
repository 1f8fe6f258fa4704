import { expect, it } from 'vitest'
import { isOneEditAway } from './one-edit-away.ts'

it.each<[string, string, boolean]>([
  ['orders', 'order', true],
  ['orders', 'oorders', true],
  ['orders', 'ordres', true],
  ['orders', 'orderz', true],
  ['orders', 'orders', false],
  ['orders', 'odresr', false],
  ['orders', 'ord', false],
])('%s and %s: %s', (one, other, wanted) => {
  expect(isOneEditAway(one, other)).toBe(wanted)
})
