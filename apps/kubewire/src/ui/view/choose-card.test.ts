import { describe, expect, test } from 'vitest'
import { type Card, type Path, plainCard } from '../path/path.ts'
import { type Arrow, cardTowards, tellingCard } from './choose-card.ts'
import { layoutPath } from './layout-path.ts'

const lines = [{ text: 'a rule', isLit: true }]

function card(id: string, layer: number, extra: Partial<Card> = {}): Card {
  return { ...plainCard, id, kind: 'chain', label: 'nat', title: id, layer, ...extra }
}

describe('the card that is looked at when nobody has chosen one', () => {
  const service = { kind: 'Service', namespace: 'shop', name: 'tea' }
  test.each<readonly [string, readonly Card[], string | undefined]>([
    [
      'is the plugin that answers',
      [
        card('errors', 1, { kind: 'plugin', note: 'asks on', lines }),
        card('kubernetes', 2, { kind: 'plugin', note: 'answers', lines }),
      ],
      'kubernetes',
    ],
    [
      'is the location taken',
      [card('dim', 1, { kind: 'location', isLit: false, lines }), card('lit', 1, { kind: 'location', lines })],
      'lit',
    ],
    [
      'is the first chain that was made for an object',
      [card('base', 1, { lines }), card('svc', 2, { lines, objects: [service] })],
      'svc',
    ],
    ['is a chain at all where none was', [card('base', 1, { lines })], 'base'],
    ['is none where no card holds anything', [card('base', 1)], undefined],
  ])('%s', (_, cards, id) => {
    expect(tellingCard({ cards, wires: [] })?.id).toBe(id)
  })
})

describe('where an arrow key leads', () => {
  const path: Path = { cards: [card('a', 0), card('b', 1), card('c', 1), card('d', 2)], wires: [] }
  test.each<readonly [string, Arrow, string]>([
    ['a', 'ArrowRight', 'b'],
    ['b', 'ArrowDown', 'c'],
    ['c', 'ArrowUp', 'b'],
    ['c', 'ArrowRight', 'd'],
    ['d', 'ArrowLeft', 'b'],
    ['d', 'ArrowRight', 'd'],
    ['gone', 'ArrowLeft', 'a'],
  ])('from %s %s is %s', (from, arrow, to) => {
    expect(cardTowards(layoutPath(path, 1000), from, arrow)).toBe(to)
  })
})
