import { describe, expect, test } from 'vitest'
import { collapsePath } from './collapse-path.ts'
import { type Card, type Path, plainCard } from './path.ts'

function endpoints(count: number): Path {
  const card: Card = { ...plainCard, id: 'svc', kind: 'chain', label: 'nat', title: 'svc', layer: 0 }
  const ends = Array.from({ length: count }, (_, at): Card => {
    const title = `10.244.0.${at}:80`
    return {
      ...plainCard,
      id: title,
      kind: 'endpoint',
      label: 'endpoint',
      title,
      layer: 1,
      tone: 'good',
      isLit: at !== 0,
    }
  })
  return {
    cards: [card, ...ends],
    wires: ends.map(({ id, isLit }) => ({ from: 'svc', to: id, isLit, label: '5%' })),
  }
}

describe('a column of many cards', () => {
  test('stays as it is up to eight', () => {
    const path = endpoints(8)
    expect(collapsePath(path)).toBe(path)
  })

  test('keeps seven, lit ones first, and lists the others on one card', () => {
    const { cards, wires } = collapsePath(endpoints(20))
    const more = cards.at(-1)
    expect(cards).toHaveLength(1 + 8)
    expect(more).toMatchObject({ title: '13 more', label: 'endpoint', tone: 'good', isLit: true, layer: 1 })
    expect(more?.lines).toHaveLength(13)
    expect(cards.some(({ id }) => id === '10.244.0.0:80')).toBe(false)
    expect(wires.filter(({ to }) => to === more?.id)).toEqual([{ from: 'svc', to: 'more 1', isLit: true }])
  })
})
