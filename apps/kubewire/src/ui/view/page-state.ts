// Everything the page shows, as one value, and how events change it. Pure: what has to happen comes back as effects.

import { type ObjectRef, type Problem, printRef } from '@kubewire/kube-model'
import type { RuleFinding } from '../../lint/rule-finding.ts'
import type { ConnectionAsked, NameAsked, Question, QuestionKind, UrlAsked } from '../engine/question.ts'
import type { ClusterSummary } from '../engine/summarize-cluster.ts'
import type { PathAnswer } from '../path/path.ts'
import { type Address, printAddress } from './address.ts'

/** The forms, each with what was last typed into it. */
export interface Drafts {
  readonly name: NameAsked
  readonly connection: ConnectionAsked
  readonly url: UrlAsked
}

/** What is known about the answer. */
export type AnswerState =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking'; readonly last: PathAnswer | undefined }
  | { readonly kind: 'answered'; readonly answer: PathAnswer }
  | { readonly kind: 'refused'; readonly message: string }

/** The page. */
export interface PageState {
  readonly view: Address['view']
  readonly form: QuestionKind
  readonly drafts: Drafts
  /** The question whose path is shown. */
  readonly asked: Question | undefined
  /** Number of the question; answers to earlier ones are late. */
  readonly turn: number
  readonly answer: AnswerState
  /** Card whose lines are shown; empty: none. */
  readonly card: string
  readonly summary: ClusterSummary | undefined
  readonly problems: readonly Problem[] | undefined
  readonly findings: readonly RuleFinding[] | undefined
  /** What the map is narrowed to. */
  readonly filter: string
  /** How many Services the map shows. */
  readonly shown: number
  readonly object: { readonly ref: ObjectRef; readonly text: string | undefined } | undefined
  /** Why the page cannot show the cluster, or no longer what it is now. */
  readonly failure: string | undefined
}

/** What can happen. */
export type PageEvent =
  | { readonly kind: 'loaded'; readonly summary: ClusterSummary }
  | { readonly kind: 'checked'; readonly problems: readonly Problem[]; readonly findings: readonly RuleFinding[] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'moved'; readonly address: Address }
  | { readonly kind: 'drafted'; readonly question: Question }
  | { readonly kind: 'form-chosen'; readonly form: QuestionKind }
  | { readonly kind: 'asked'; readonly question: Question }
  | { readonly kind: 'answered'; readonly turn: number; readonly answer: PathAnswer }
  | { readonly kind: 'refused'; readonly turn: number; readonly message: string }
  | { readonly kind: 'card-chosen'; readonly card: string }
  | { readonly kind: 'filtered'; readonly filter: string }
  | { readonly kind: 'more-wanted' }
  | { readonly kind: 'object-wanted'; readonly ref: ObjectRef }
  | { readonly kind: 'object-read'; readonly ref: ObjectRef; readonly text: string }
  | { readonly kind: 'object-closed' }

/** What the page has to do. */
export type PageEffect =
  | { readonly kind: 'ask'; readonly turn: number; readonly question: Question }
  | { readonly kind: 'check' }
  | { readonly kind: 'read-object'; readonly ref: ObjectRef }
  | { readonly kind: 'go'; readonly hash: string; readonly isNew: boolean }

/** The next state, and what has to be done. */
export interface PageStep {
  readonly state: PageState
  readonly effects: readonly PageEffect[]
}

// Services that the map shows at first, and more each time.
const mapPortion = 60

/** The page before anything is known. */
export const emptyPage: PageState = {
  view: 'map',
  form: 'name',
  drafts: {
    name: { kind: 'name', name: '', type: 'A', client: '' },
    connection: { kind: 'connection', from: '', to: '', protocol: '', node: '' },
    url: { kind: 'url', method: 'GET', url: '', headers: [] },
  },
  asked: undefined,
  turn: 0,
  answer: { kind: 'none' },
  card: '',
  summary: undefined,
  problems: undefined,
  findings: undefined,
  filter: '',
  shown: mapPortion,
  object: undefined,
  failure: undefined,
}

/** One step of the page. */
export function stepPage(state: PageState, event: PageEvent): PageStep {
  switch (event.kind) {
    case 'loaded': {
      const next = { ...state, summary: event.summary, failure: event.summary.failure }
      // What is shown may have changed with the input.
      const again = state.asked === undefined ? { state: next, effects: [] } : ask(next, state.asked)
      return { state: again.state, effects: [...again.effects, { kind: 'check' }] }
    }
    case 'checked':
      return only({ ...state, problems: event.problems, findings: event.findings })
    case 'failed':
      return only({ ...state, failure: event.message })
    case 'moved':
      return move(state, event.address)
    case 'drafted':
      return only({ ...state, form: event.question.kind, drafts: draft(state.drafts, event.question) })
    case 'form-chosen':
      return only({ ...state, form: event.form })
    case 'asked': {
      const step = ask({ ...state, view: 'path', card: '', object: undefined }, event.question)
      const hash = printAddress({ view: 'path', question: event.question, card: '' })
      return { state: step.state, effects: [...step.effects, { kind: 'go', hash, isNew: true }] }
    }
    case 'answered':
      if (event.turn !== state.turn) return only(state)
      return only({ ...state, answer: { kind: 'answered', answer: event.answer } })
    case 'refused':
      if (event.turn !== state.turn) return only(state)
      return only({ ...state, answer: { kind: 'refused', message: event.message } })
    case 'card-chosen':
      return chooseCard(state, event.card)
    case 'filtered':
      return only({ ...state, filter: event.filter, shown: mapPortion })
    case 'more-wanted':
      return only({ ...state, shown: state.shown + mapPortion })
    case 'object-wanted':
      return {
        state: { ...state, object: { ref: event.ref, text: undefined } },
        effects: [{ kind: 'read-object', ref: event.ref }],
      }
    case 'object-read':
      // References come back from the worker as copies.
      return state.object !== undefined && printRef(state.object.ref) === printRef(event.ref)
        ? only({ ...state, object: { ref: event.ref, text: event.text } })
        : only(state)
    case 'object-closed':
      return only({ ...state, object: undefined })
  }
}

function only(state: PageState): PageStep {
  return { state, effects: [] }
}

function ask(state: PageState, question: Question): PageStep {
  const turn = state.turn + 1
  const last = state.answer.kind === 'answered' ? state.answer.answer : undefined
  return {
    state: {
      ...state,
      turn,
      asked: question,
      form: question.kind,
      drafts: draft(state.drafts, question),
      answer: { kind: 'asking', last },
    },
    effects: [{ kind: 'ask', turn, question }],
  }
}

/** A link was followed, or the browser's own back and forward. */
function move(state: PageState, address: Address): PageStep {
  if (address.view !== 'path') return only({ ...state, view: address.view, object: undefined })
  const shown = { ...state, view: 'path', card: address.card, object: undefined } as const
  const isSame = state.asked !== undefined && sameQuestion(state.asked, address.question)
  return isSame ? only(shown) : ask(shown, address.question)
}

// A card is part of the link, but no page of its own: back leads to the question before.
function chooseCard(state: PageState, card: string): PageStep {
  const next = { ...state, card }
  if (state.asked === undefined) return only(next)
  const hash = printAddress({ view: 'path', question: state.asked, card })
  return { state: next, effects: [{ kind: 'go', hash, isNew: false }] }
}

function draft(drafts: Drafts, question: Question): Drafts {
  return { ...drafts, [question.kind]: question }
}

function sameQuestion(a: Question, b: Question): boolean {
  return printAddress({ view: 'path', question: a, card: '' }) === printAddress({ view: 'path', question: b, card: '' })
}
