// A path as it is drawn: cards in layers, wires between them. Plain data: an engine in a worker makes it, a page lays
// it out; neither needs the other's world.

import type { Explanation, ObjectRef } from '@kubewire/kube-model'

/** What a card stands for; decides its mark. */
export type CardKind = 'question' | 'plugin' | 'chain' | 'server' | 'location' | 'backend' | 'endpoint' | 'outcome'

/** How it ended there: it works, it does not, or neither. */
export type Tone = 'plain' | 'good' | 'bad'

/** One line of what a card holds: a rule, a directive, a record. */
export interface CardLine {
  readonly text: string
  /** What it did to this question. */
  readonly note?: string
  readonly isLit: boolean
}

/** One card. */
export interface Card {
  readonly id: string
  readonly kind: CardKind
  /** Small word above the title: `nat`. */
  readonly label: string
  /** Where exactly, for whoever looks closer: `nat · PREROUTING`; the label where that says it all. */
  readonly place?: string
  readonly title: string
  /** One sentence. */
  readonly note?: string
  /** Whether the question came here. */
  readonly isLit: boolean
  readonly tone: Tone
  /** Column, from 0; the question stands in the first. Cards of one column that lead to each other stand below each other. */
  readonly layer: number
  /** Row, where a path has rows of its own (the names of a search list). */
  readonly row?: number
  readonly lines: readonly CardLine[]
  readonly objects: readonly ObjectRef[]
}

/** One wire between two cards. */
export interface Wire {
  readonly from: string
  readonly to: string
  readonly isLit: boolean
  /** `33.3%`. */
  readonly label?: string
}

/** Cards and wires. */
export interface Path {
  readonly cards: readonly Card[]
  readonly wires: readonly Wire[]
}

/** The answer to one question. */
export interface PathAnswer {
  /** One line, capital letter, no full stop. */
  readonly headline: string
  readonly tone: Tone
  /** What to know about the headline: masqueraded, assumed, only a running nginx knows. */
  readonly remarks: readonly string[]
  readonly path: Path
  readonly explanation: Explanation
}

/** What a card has where nothing is said. */
export const plainCard = { tone: 'plain', isLit: true, lines: [], objects: [] } as const
