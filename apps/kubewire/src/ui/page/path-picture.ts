// Cards and wires of a path. Cards are buttons over a drawing of the wires; arrow keys walk from card to card.

import type { Path } from '../path/path.ts'
import { type Arrow, cardTowards } from '../view/choose-card.ts'
import { layoutPath, type PathLayout, type PlacedCard, type PlacedWire } from '../view/layout-path.ts'
import { h, s, styled } from './element.ts'

/** The picture of one path. */
export interface PathPicture {
  readonly element: HTMLElement
  /** Lays it out again where its width has changed. */
  resize(): void
  /** Marks the card whose lines are shown. */
  choose(card: string): void
}

/** Draws a path; `onChoose` gets the id of a card that was clicked. */
export function createPathPicture(path: Path, onChoose: (card: string) => void): PathPicture {
  const element = h('div', { class: 'picture', role: 'group', 'aria-label': 'The path, card by card' })
  let layout: PathLayout | undefined
  let chosen = ''
  let width = 0

  const mark = (): void => {
    const cards = [...element.querySelectorAll<HTMLButtonElement>('.card')]
    for (const card of cards) {
      const isChosen = card.dataset['id'] === chosen
      card.setAttribute('aria-pressed', String(isChosen))
      card.tabIndex = isChosen ? 0 : -1
    }
    // One stop for the Tab key: the chosen card, else the first.
    if (!cards.some(({ tabIndex }) => tabIndex === 0) && cards[0] !== undefined) cards[0].tabIndex = 0
  }
  const onKey = (event: KeyboardEvent): void => {
    if (layout === undefined || !/^Arrow(?:Left|Right|Up|Down)$/.test(event.key)) return
    const id = (event.target as HTMLElement).dataset['id']
    if (id === undefined) return
    event.preventDefault()
    const next = cardTowards(layout, id, event.key as Arrow)
    element.querySelector<HTMLButtonElement>(`[data-id="${CSS.escape(next)}"]`)?.focus()
    if (next !== id) onChoose(next)
  }
  const draw = (): void => {
    width = element.clientWidth
    layout = layoutPath(path, width)
    const hadFocus = element.contains(document.activeElement)
    element.classList.toggle('is-down', layout.flow === 'down')
    styled(element, { height: `${layout.height}px` })
    element.replaceChildren(drawWires(layout), ...layout.cards.map((placed) => drawCard(placed, onChoose)))
    mark()
    if (hadFocus) element.querySelector<HTMLButtonElement>('[tabindex="0"]')?.focus()
  }
  element.addEventListener('keydown', onKey)
  return {
    element,
    resize: () => {
      if (element.clientWidth !== width && element.clientWidth > 0) draw()
    },
    choose: (card) => {
      chosen = card
      mark()
    },
  }
}

function drawCard({ card, x, y, width, height, share }: PlacedCard, onChoose: (card: string) => void): HTMLElement {
  const classes = [
    'card',
    `is-${card.kind}`,
    card.isLit ? 'is-lit' : 'is-dim',
    ...(card.tone === 'plain' ? [] : [`is-${card.tone}`]),
  ]
  const button = h(
    'button',
    {
      type: 'button',
      class: classes.join(' '),
      'data-id': card.id,
      title: [card.title, card.note].filter(Boolean).join('\n'),
      onclick: () => onChoose(card.id),
    },
    h('span', { class: 'card-label' }, card.label, share !== undefined && h('span', { class: 'card-share' }, share)),
    h('span', { class: 'card-title' }, card.title),
    card.note !== undefined && h('span', { class: 'card-note' }, card.note),
    !card.isLit && h('span', { class: 'unseen' }, '(not on the way)'),
  )
  return styled(button, {
    left: `${x}px`,
    top: `${y}px`,
    width: `${width}px`,
    height: `${height}px`,
    '--stage': String(card.layer),
  })
}

function drawWires({ width, height, wires }: PathLayout): SVGElement {
  return s(
    'svg',
    { class: 'wires', width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    ...wires.map(drawWire),
  )
}

function drawWire({ line, isLit, layer }: PlacedWire): SVGElement {
  const path = s('path', { d: line, class: isLit ? 'wire is-lit' : 'wire', pathLength: isLit ? 1 : undefined })
  return styled(path, { '--stage': String(layer) })
}
