import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Card, type Path, plainCard } from '../path/path.ts'
import { layoutPath, type PlacedCard } from './layout-path.ts'

function card(id: string, layer: number, extra: Partial<Card> = {}): Card {
  return { ...plainCard, id, kind: 'chain', label: 'nat', title: id, layer, ...extra }
}

const fork: Path = {
  cards: [card('a', 0), card('b', 1), card('c', 1), card('d', 2)],
  wires: [
    { from: 'a', to: 'b', isLit: true, label: '50%' },
    { from: 'a', to: 'c', isLit: false },
    { from: 'b', to: 'd', isLit: true },
  ],
}

describe('where cards and wires of a path stand', () => {
  test('columns go from left to right where there is room', () => {
    const { flow, cards } = layoutPath(fork, 1200)
    expect(flow).toBe('across')
    const xOf = (id: string): number => cards.find((placed) => placed.card.id === id)?.x ?? Number.NaN
    expect(xOf('a')).toBeLessThan(xOf('b'))
    expect(xOf('b')).toBe(xOf('c'))
    expect(xOf('b')).toBeLessThan(xOf('d'))
  })

  test('a phone gets one card under the other, and nothing is wider than it', () => {
    const { flow, cards, width } = layoutPath(fork, 328)
    expect(flow).toBe('down')
    expect(width).toBe(328)
    expect(cards.every((placed) => placed.x + placed.width <= 328)).toBe(true)
    expect(cards.map((placed) => placed.card.id)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('a share stands on the card that its wire leads to', () => {
    const shares = layoutPath(fork, 1200).cards.map(({ card: { id }, share }) => [id, share])
    expect(shares).toEqual([
      ['a', undefined],
      ['b', '50%'],
      ['c', undefined],
      ['d', undefined],
    ])
  })

  test('lit wires lie on top of dim ones', () => {
    expect(layoutPath(fork, 1200).wires.map(({ isLit }) => isLit)).toEqual([false, true, true])
  })

  test('the names of a search list stand in rows of their own', () => {
    const path: Path = {
      cards: [card('a', 0, { row: 0 }), card('b', 0, { row: 1 }), card('c', 1, { row: 1 })],
      wires: [{ from: 'b', to: 'c', isLit: true }],
    }
    const ys = new Map(layoutPath(path, 1200).cards.map((placed) => [placed.card.id, placed.y]))
    expect(ys.get('b')).toBe(ys.get('c'))
    expect(ys.get('a')).toBeLessThan(ys.get('b') ?? 0)
  })

  test('no card covers another, at any width', () => {
    const paths = fc.array(fc.record({ layer: fc.nat(9), isLit: fc.boolean() }), { minLength: 1, maxLength: 24 })
    fc.assert(
      fc.property(paths, fc.integer({ min: 300, max: 2000 }), (drafts, width) => {
        const cards = drafts.map(({ layer, isLit }, at) => card(`c${at}`, layer, { isLit }))
        const placed = layoutPath({ cards, wires: [] }, width).cards
        expect(placed).toHaveLength(cards.length)
        for (const [at, one] of placed.entries()) {
          for (const other of placed.slice(at + 1)) expect(overlaps(one, other)).toBe(false)
        }
      }),
      { numRuns: 100 },
    )
  })
})

function overlaps(a: PlacedCard, b: PlacedCard): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
