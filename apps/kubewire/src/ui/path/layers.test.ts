import { describe, expect, test } from 'vitest'
import { type LayerWire, layersOf } from './layers.ts'

describe('the column of a card', () => {
  const rows: readonly (readonly [string, readonly LayerWire[], Readonly<Record<string, number>>])[] = [
    [
      'is one after what leads to it',
      [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
      ],
      { a: 0, b: 1, c: 2 },
    ],
    [
      'is after the longest way',
      [
        { from: 'a', to: 'c' },
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
      ],
      { a: 0, b: 1, c: 2 },
    ],
    [
      'is the same where a wire runs down',
      [
        { from: 'a', to: 'b', span: 0 },
        { from: 'b', to: 'c' },
      ],
      { a: 0, b: 0, c: 1 },
    ],
  ]
  test.each(rows)('%s', (_, wires, layers) => {
    expect(Object.fromEntries(layersOf(['a', 'b', 'c'], wires))).toEqual(layers)
  })

  test('a ring ends', () => {
    const ring = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ]
    expect(layersOf(['a', 'b'], ring).size).toBe(2)
  })
})
