// Which card is looked at when nobody has chosen one, and which one an arrow key leads to.

import type { Card, Path } from '../path/path.ts'
import type { PathLayout, PlacedCard } from './layout-path.ts'

/** The card that decided: the plugin that answers, the location, the last chain that names an object. */
export function tellingCard(path: Path): Card | undefined {
  const lit = path.cards.filter(({ isLit, lines }) => isLit && lines.length > 0)
  return (
    lit.findLast(({ kind, note }) => kind === 'plugin' && note === 'answers') ??
    lit.find(({ kind }) => kind === 'location') ??
    lit.find(({ kind, objects }) => kind === 'chain' && objects.length > 0) ??
    lit.find(({ kind }) => kind === 'chain' || kind === 'outcome')
  )
}

/** An arrow key. */
export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

/** The nearest card in the direction of the arrow; the same one where there is none. */
export function cardTowards(layout: PathLayout, id: string, arrow: Arrow): string {
  const from = layout.cards.find(({ card }) => card.id === id)
  if (from === undefined) return layout.cards[0]?.card.id ?? id
  const isSideways = arrow === 'ArrowLeft' || arrow === 'ArrowRight'
  const sign = arrow === 'ArrowLeft' || arrow === 'ArrowUp' ? -1 : 1
  let best: PlacedCard | undefined
  let distance = Number.POSITIVE_INFINITY
  for (const to of layout.cards) {
    const along = isSideways ? middleX(to) - middleX(from) : middleY(to) - middleY(from)
    const aside = Math.abs(isSideways ? middleY(to) - middleY(from) : middleX(to) - middleX(from))
    if (along * sign <= 1) continue
    // What is straight ahead is nearer than what is beside the way.
    const far = along * sign + 3 * aside
    if (far >= distance) continue
    best = to
    distance = far
  }
  return best?.card.id ?? id
}

function middleX({ x, width }: PlacedCard): number {
  return x + width / 2
}

function middleY({ y, height }: PlacedCard): number {
  return y + height / 2
}
