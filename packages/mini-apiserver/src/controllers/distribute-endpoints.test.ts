import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json.ts'
import { distributeEndpoints } from './distribute-endpoints.ts'

function endpoint(i: number): JsonObject {
  return { addresses: [`10.244.${i >> 8}.${i & 255}`], targetRef: { kind: 'Pod', uid: `u${i}` } }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

/** How many endpoints each slice has afterwards, and how many each further one. */
function sizes(held: readonly (readonly number[])[], wanted: readonly number[]): [number[], number[]] {
  const slices = held.map((ids) => ({ endpoints: ids.map(endpoint) }))
  const { kept, added } = distributeEndpoints(slices, wanted.map(endpoint))
  return [kept.map(({ length }) => length), added.map(({ length }) => length)]
}

describe('endpoints over slices', () => {
  it.each<[string, number[][], number[], [number[], number[]]]>([
    ['the first go into slices of a hundred', [], range(0, 250), [[], [100, 100, 50]]],
    ['one that goes touches its slice only', [range(0, 100), range(100, 200)], range(1, 200), [[99, 100], []]],
    ['one for one stays in the slice that changes', [range(0, 60), range(60, 90)], range(1, 91), [[60, 30], []]],
    [
      'a new one goes into the fullest with room',
      [range(0, 100), range(100, 110), range(110, 150)],
      range(0, 151),
      [[100, 10, 41], []],
    ],
    [
      'many new ones that fit nowhere as a whole get a new one',
      [range(0, 60), range(60, 100)],
      range(0, 170),
      [[60, 40], [70]],
    ],
    ['a slice that lost all of its own is given up', [range(0, 10), range(10, 20)], range(10, 20), [[0, 10], []]],
    ['nothing wanted leaves nothing', [range(0, 10)], [], [[0], []]],
    ['a full house takes the next', [range(0, 100)], range(0, 101), [[100], [1]]],
  ])('%s', (_name, held, wanted, expected) => {
    expect(sizes(held, wanted)).toEqual(expected)
  })

  it('an endpoint whose state changed stays where it was', () => {
    const changed = { ...endpoint(1), conditions: { ready: false } }
    const slices = [{ endpoints: range(0, 3).map(endpoint) }]
    expect(distributeEndpoints(slices, [endpoint(0), changed, endpoint(2)])).toEqual({
      kept: [[endpoint(0), changed, endpoint(2)]],
      added: [],
    })
  })
})
