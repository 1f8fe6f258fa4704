// Where cards and wires stand: columns from left to right where there is room, else one card under the other with the
// wires in a gutter beside them. Sizes in CSS pixels; pure, so that a test can ask for any width.

import type { Card, Path } from '../path/path.ts'

/** A card with its place. */
export interface PlacedCard {
  readonly card: Card
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** How likely the way to it is, where ways part: `33.3%`. */
  readonly share: string | undefined
}

/** A wire with its line. */
export interface PlacedWire {
  readonly id: string
  readonly isLit: boolean
  /** Path data of SVG. */
  readonly line: string
  /** The column it ends in: wires light up in this order. */
  readonly layer: number
}

/** Everything with its place. */
export interface PathLayout {
  readonly flow: 'across' | 'down'
  readonly width: number
  readonly height: number
  readonly cards: readonly PlacedCard[]
  readonly wires: readonly PlacedWire[]
}

const leastWidth = 140
const goodWidth = 190
const mostWidth = 236
const leastGap = 28
const mostGap = 64
const cardHeight = 74
// In a stack, what is not on the way is only named.
const dimHeight = 36
const rowGap = 18
const gutter = 30
const stackGap = 14
const margin = 2

/** Places a path in a picture of this width. */
export function layoutPath(path: Path, width: number): PathLayout {
  const layers = Math.max(0, ...path.cards.map(({ layer }) => layer)) + 1
  const isWideEnough = layers * leastWidth + (layers - 1) * leastGap <= width - 2 * margin
  return isWideEnough ? across(path, width, layers) : down(path, width)
}

function across(path: Path, width: number, layers: number): PathLayout {
  const room = width - 2 * margin
  const gap = Math.min(mostGap, Math.max(leastGap, (room - layers * goodWidth) / Math.max(1, layers - 1)))
  const cardWidth = Math.min(mostWidth, Math.floor((room - gap * (layers - 1)) / layers))
  const columns = columnsOf(path, layers)
  const hasRows = path.cards.some(({ row }) => row !== undefined)
  const rows = hasRows
    ? Math.max(...path.cards.map(({ row = 0 }) => row)) + 1
    : Math.max(1, ...columns.map(({ length }) => length))
  const height = rows * cardHeight + (rows - 1) * rowGap + 2 * margin
  const places = new Map<string, PlacedCard>()
  for (const [layer, column] of columns.entries()) {
    const own = column.length * cardHeight + (column.length - 1) * rowGap
    for (const [at, card] of column.entries()) {
      const top = hasRows
        ? margin + (card.row ?? 0) * (cardHeight + rowGap)
        : (height - own) / 2 + at * (cardHeight + rowGap)
      const x = margin + layer * (cardWidth + gap)
      const share = shareOf(path, card.id)
      places.set(card.id, { card, x, y: Math.round(top), width: cardWidth, height: cardHeight, share })
    }
  }
  const used = margin * 2 + layers * cardWidth + (layers - 1) * gap
  return { flow: 'across', width: used, height, ...joined(path, places, lineAcross) }
}

function down(path: Path, width: number): PathLayout {
  const places = new Map<string, PlacedCard>()
  // Rows first: each question of a search list is a stack of its own.
  const ordered = path.cards
    .map((card, at) => ({ card, at }))
    .sort((a, b) => (a.card.row ?? 0) - (b.card.row ?? 0) || a.card.layer - b.card.layer || a.at - b.at)
  let y = margin
  for (const { card } of ordered) {
    const height = card.isLit ? cardHeight : dimHeight
    places.set(card.id, { card, x: gutter, y, width: width - gutter - margin, height, share: shareOf(path, card.id) })
    y += height + stackGap
  }
  return { flow: 'down', width, height: Math.max(0, y - stackGap + margin), ...joined(path, places, lineDown) }
}

/** Cards by column; within one, near the cards that lead to them, so that wires cross little. */
function columnsOf(path: Path, layers: number): readonly (readonly Card[])[] {
  const columns: Card[][] = Array.from({ length: layers }, () => [])
  for (const card of path.cards) columns[card.layer]?.push(card)
  const heights = new Map<string, number>()
  for (const column of columns) {
    const own = new Set(column.map(({ id }) => id))
    // A column whose cards lead to each other keeps its order: they stand below what leads to them.
    if (!path.wires.some(({ from, to }) => own.has(from) && own.has(to))) {
      const wanted = new Map(column.map((card, at) => [card.id, centreOf(path, card.id, heights) ?? at]))
      column.sort((a, b) => (wanted.get(a.id) ?? 0) - (wanted.get(b.id) ?? 0))
    }
    for (const [at, card] of column.entries()) heights.set(card.id, at - (column.length - 1) / 2)
  }
  return columns
}

function centreOf(path: Path, id: string, heights: ReadonlyMap<string, number>): number | undefined {
  const before = path.wires.filter(({ to }) => to === id).map(({ from }) => heights.get(from))
  const known = before.filter((height) => height !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, height) => sum + height, 0) / known.length
}

function shareOf({ wires }: Path, id: string): string | undefined {
  return wires.find(({ to, label }) => to === id && label !== undefined)?.label
}

/** Path data of SVG. */
type Line = (from: PlacedCard, to: PlacedCard) => string

function joined(
  path: Path,
  places: ReadonlyMap<string, PlacedCard>,
  lineOf: Line,
): Pick<PathLayout, 'cards' | 'wires'> {
  const wires = path.wires.flatMap((wire): PlacedWire[] => {
    const from = places.get(wire.from)
    const to = places.get(wire.to)
    if (from === undefined || to === undefined) return []
    return [{ id: `${wire.from}→${wire.to}`, isLit: wire.isLit, line: lineOf(from, to), layer: to.card.layer }]
  })
  // Lit wires last: they lie on top.
  return { cards: [...places.values()], wires: wires.sort((a, b) => Number(a.isLit) - Number(b.isLit)) }
}

const lineAcross: Line = (from, to) => {
  if (from.x === to.x) return lineBelow(from, to)
  const x1 = from.x + from.width
  const y1 = from.y + from.height / 2
  const x2 = to.x
  const y2 = to.y + to.height / 2
  const bend = Math.max(16, Math.min(56, (x2 - x1) / 2))
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}

// Behind the cards between, if there are any.
const lineBelow: Line = (from, to) => {
  const x = from.x + (to.card.isLit ? from.width / 2 : from.width / 2 + 14)
  return `M${x} ${from.y + from.height}L${x} ${to.y}`
}

// One trunk for all lit wires, beside it one for the others.
const lineDown: Line = (from, to) => {
  const y1 = from.y + from.height / 2
  const y2 = to.y + to.height / 2
  const left = gutter - (to.card.isLit && from.card.isLit ? 13 : 23)
  const bend = Math.min(18, (y2 - y1) / 2)
  return [
    `M${gutter} ${y1}C${left} ${y1} ${left} ${y1} ${left} ${y1 + bend}`,
    `L${left} ${y2 - bend}C${left} ${y2} ${left} ${y2} ${gutter} ${y2}`,
  ].join('')
}
