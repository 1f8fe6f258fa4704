import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareText, deepEqual, sortedEntries } from './deep-equal.ts'

describe('structural equality', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['equal records in any key order', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
    ['an undefined value is an absent key', { a: 1, b: undefined }, { a: 1 }, true],
    ['null is not undefined', { a: null }, {}, false],
    ['null is not an empty record', null, {}, false],
    ['an array is not a record', [], {}, false],
    ['a record is not an array', {}, [], false],
    ['arrays by order', [1, 2], [2, 1], false],
    ['arrays by length', [1], [1, undefined], false],
    ['a text is not a number', '1', 1, false],
    ['not a number equals itself', Number.NaN, Number.NaN, true],
    ['an additional key', { a: 1 }, { a: 1, b: 2 }, false],
    ['bytes by content', new Uint8Array([1, 2]), new Uint8Array([1, 2]), true],
    ['bytes that differ', new Uint8Array([1, 2]), new Uint8Array([1, 3]), false],
    ['dates by time', new Date(7), new Date(7), true],
    ['a date is not a record', new Date(7), {}, false],
    ['a record is not a date', {}, new Date(7), false],
    ['a record is not bytes', {}, new Uint8Array(0), false],
    ['a record is not a map', {}, new Map(), false],
    ['maps by entries', new Map([['a', [1]]]), new Map([['a', [1]]]), true],
    ['maps that differ', new Map([['a', 1]]), new Map([['b', 1]]), false],
    [
      'a map with an undefined value is not a map with another key',
      new Map([['a', undefined]]),
      new Map([['b', undefined]]),
      false,
    ],
    ['sets by members', new Set([1, 2]), new Set([2, 1]), true],
    ['sets that differ', new Set([1]), new Set([2]), false],
    ['a key of every object is compared too', { constructor: 1 }, {}, false],
    ['and from the other side', {}, { constructor: 1 }, false],
  ])('%s: %#', (_name, a, b, equal) => {
    expect(deepEqual(a, b)).toBe(equal)
    expect(deepEqual(b, a)).toBe(equal)
  })

  it('is what equal JSON is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (x, y) => {
        // Through text once, because text has no negative zero.
        const [a, b]: unknown[] = JSON.parse(JSON.stringify([x, y]))
        expect(deepEqual(a, JSON.parse(JSON.stringify(a)))).toBe(true)
        if (JSON.stringify(a) === JSON.stringify(b)) expect(deepEqual(a, b)).toBe(true)
      }),
    )
  })
})

it('text is ordered by code units, the same on every machine', () => {
  expect(['b', 'ä', 'Z', 'a', '10', '9'].sort(compareText)).toEqual(['10', '9', 'Z', 'a', 'b', 'ä'])
  expect(sortedEntries({ b: 1, a: 2 })).toEqual([
    ['a', 2],
    ['b', 1],
  ])
  expect(sortedEntries(undefined)).toEqual([])
})
