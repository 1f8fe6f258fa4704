// A column of fifty endpoints helps nobody: what is beyond a handful becomes one card that lists the others.

import type { Card, Path, Wire } from './path.ts'

/** At most `most` cards a column; lit ones stay before dim ones. */
export function collapsePath(path: Path, most = 8): Path {
  const columns = new Map<number, Card[]>()
  for (const card of path.cards) columns.set(card.layer, [...(columns.get(card.layer) ?? []), card])
  const standIns = new Map<string, string>()
  const cards: Card[] = []
  for (const [layer, members] of columns) {
    if (members.length <= most || members.some(({ row }) => row !== undefined)) {
      cards.push(...members)
      continue
    }
    const ordered = [...members].sort((a, b) => Number(b.isLit) - Number(a.isLit))
    const kept = new Set(ordered.slice(0, most - 1))
    const rest = members.filter((card) => !kept.has(card))
    const more = moreCard(layer, rest)
    for (const { id } of rest) standIns.set(id, more.id)
    cards.push(...members.filter((card) => kept.has(card)), more)
  }
  return standIns.size === 0 ? path : { cards, wires: rewire(path.wires, standIns) }
}

function moreCard(layer: number, rest: readonly Card[]): Card {
  const [first] = rest
  const kinds = new Set(rest.map(({ label }) => label))
  return {
    id: `more ${layer}`,
    kind: first?.kind ?? 'endpoint',
    label: kinds.size === 1 ? (first?.label ?? '') : '',
    title: `${rest.length} more`,
    isLit: rest.some(({ isLit }) => isLit),
    tone: rest.every(({ tone }) => tone === first?.tone) ? (first?.tone ?? 'plain') : 'plain',
    layer,
    lines: rest.map(({ title, note, isLit }) => ({ text: title, isLit, ...(note === undefined ? {} : { note }) })),
    objects: [],
  }
}

function rewire(wires: readonly Wire[], standIns: ReadonlyMap<string, string>): readonly Wire[] {
  const byEnds = new Map<string, Wire>()
  for (const wire of wires) {
    const from = standIns.get(wire.from) ?? wire.from
    const to = standIns.get(wire.to) ?? wire.to
    if (from === to) continue
    const key = `${from}\0${to}`
    const known = byEnds.get(key)
    const isJoined = from !== wire.from || to !== wire.to
    // The share of a bundle is nobody's in particular.
    if (isJoined) byEnds.set(key, { from, to, isLit: wire.isLit || known?.isLit === true })
    else byEnds.set(key, wire)
  }
  return [...byEnds.values()]
}
