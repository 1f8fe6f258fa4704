// A question's answer: the headline, the picture, what the chosen card holds, and every step in words.

import { type Explanation, type ObjectRef, printPercent } from '@kubewire/kube-model'
import type { ClusterSummary } from '../engine/summarize-cluster.ts'
import type { Card, CardLine, PathAnswer } from '../path/path.ts'
import { printAddress } from '../view/address.ts'
import { tellingCard } from '../view/choose-card.ts'
import type { PageEvent, PageState } from '../view/page-state.ts'
import { type SampleQuestion, sampleQuestions } from '../view/sample-questions.ts'
import { h } from './element.ts'
import { objectChips } from './object-chip.ts'
import { createPathPicture, type PathPicture } from './path-picture.ts'

/** The view; `show` draws what has changed. */
export interface PathView {
  readonly element: HTMLElement
  show(state: PageState): void
}

/** Makes the view. */
export function createPathView(emit: (event: PageEvent) => void): PathView {
  const verdict = h('div', { class: 'verdict', role: 'status', 'aria-live': 'polite' })
  const stage = h('div', { class: 'stage' })
  const inspector = h('section', { class: 'panel inspector', 'aria-label': 'The chosen card' })
  const steps = h('section', { class: 'panel steps', 'aria-label': 'Every step' })
  const details = h('div', { class: 'details' }, inspector, steps)
  const element = h('section', { class: 'view path-view', 'aria-label': 'Path' }, verdict, stage, details)
  const openObject = (ref: ObjectRef): void => emit({ kind: 'object-wanted', ref })
  let picture: PathPicture | undefined
  let drawn: PathAnswer | undefined
  new ResizeObserver(() => picture?.resize()).observe(stage)

  const drawAnswer = (answer: PathAnswer): void => {
    drawn = answer
    picture = createPathPicture(answer.path, (card) => emit({ kind: 'card-chosen', card }))
    stage.replaceChildren(picture.element)
    steps.replaceChildren(h('h2', {}, 'Every step'), drawSteps([answer.explanation], openObject))
  }
  return {
    element,
    show: ({ answer, card, asked, summary }) => {
      element.classList.toggle('is-asking', answer.kind === 'asking')
      const shown = answer.kind === 'answered' ? answer.answer : answer.kind === 'asking' ? answer.last : undefined
      if (shown === undefined) {
        picture = undefined
        drawn = undefined
        stage.replaceChildren()
        details.hidden = true
        if (answer.kind === 'refused') verdict.replaceChildren(...drawRefusal(answer.message, summary))
        else verdict.replaceChildren(h('p', { class: 'waiting' }, asked === undefined ? '' : 'Following the path …'))
        return
      }
      details.hidden = false
      if (shown !== drawn) {
        verdict.replaceChildren(...drawVerdict(shown))
        drawAnswer(shown)
      }
      const chosen = shown.path.cards.find(({ id }) => id === card) ?? tellingCard(shown.path)
      picture?.choose(chosen?.id ?? '')
      picture?.resize()
      inspector.replaceChildren(...(chosen === undefined ? [] : drawInspector(chosen, openObject)))
    },
  }
}

const marks = { good: '✓', bad: '✕', plain: '→' } as const
const toneWords = { good: 'It works', bad: 'It does not work', plain: 'Result' } as const

function drawVerdict({ tone, headline, remarks }: PathAnswer): readonly HTMLElement[] {
  return [
    h(
      'div',
      { class: `verdict-line is-${tone}` },
      h('span', { class: 'verdict-mark', role: 'img', 'aria-label': toneWords[tone] }, marks[tone]),
      h('h1', {}, headline),
    ),
    ...(remarks.length === 0 ? [] : [h('ul', { class: 'remarks' }, ...remarks.map((remark) => h('li', {}, remark)))]),
  ]
}

function drawRefusal(message: string, summary: ClusterSummary | undefined): readonly HTMLElement[] {
  const samples = summary === undefined ? [] : sampleQuestions(summary)
  return [
    h(
      'div',
      { class: 'verdict-line is-bad' },
      h('span', { class: 'verdict-mark', 'aria-hidden': 'true' }, '?'),
      h('h1', {}, 'This cannot be asked here'),
    ),
    h('p', { class: 'refusal', role: 'alert' }, message),
    ...(samples.length === 0 ? [] : [h('p', { class: 'samples-head' }, 'What can be asked, for example')]),
    h('ul', { class: 'samples' }, ...samples.map(drawSample)),
  ]
}

function drawSample({ text, question }: SampleQuestion): HTMLElement {
  return h('li', {}, h('a', { class: 'way', href: printAddress({ view: 'path', question, card: '' }) }, text))
}

function drawInspector(card: Card, openObject: (ref: ObjectRef) => void): readonly HTMLElement[] {
  return [
    h('p', { class: 'eyebrow' }, card.place ?? card.label),
    h('h2', { class: 'mono' }, card.title),
    ...(card.note === undefined ? [] : [h('p', { class: 'quiet' }, card.note)]),
    ...objectChips(card.objects, openObject),
    ...(card.lines.length === 0 ? [] : [h('ol', { class: 'lines' }, ...card.lines.map(drawLine))]),
  ]
}

function drawLine({ text, note, isLit }: CardLine): HTMLElement {
  return h(
    'li',
    { class: isLit ? 'line is-lit' : 'line' },
    h('code', {}, text),
    note !== undefined && h('span', { class: 'line-note' }, note),
  )
}

function drawSteps(steps: readonly Explanation[], openObject: (ref: ObjectRef) => void): HTMLElement {
  // Of ways that part, only the first is open: the others mostly say the same.
  const firstWay = steps.findIndex(({ steps: inner = [] }) => inner.length > 0)
  const items = steps.map((step, at) => drawStep(step, at === firstWay, openObject))
  return h('ol', { class: 'step-list' }, ...items)
}

function drawStep(step: Explanation, isOpen: boolean, openObject: (ref: ObjectRef) => void): HTMLElement {
  const { origin = [], steps = [] } = step
  if (steps.length === 0) return h('li', {}, drawSentence(step), ...objectChips(origin, openObject))
  return h(
    'li',
    {},
    h(
      'details',
      { open: isOpen },
      h('summary', {}, drawSentence(step)),
      ...objectChips(origin, openObject),
      drawSteps(steps, openObject),
    ),
  )
}

function drawSentence({ where, what, why, changed, probability = 1 }: Explanation): HTMLElement {
  return h(
    'span',
    { class: 'step' },
    h('span', { class: 'step-where' }, where),
    ' ',
    h('span', { class: 'step-what' }, what),
    probability < 1 && h('span', { class: 'step-chance' }, printPercent(probability)),
    changed !== undefined && h('span', { class: 'step-changed' }, changed),
    why !== undefined && h('span', { class: 'step-why' }, `because ${why}`),
  )
}
