import { describe, expect, test } from 'vitest'
import type { Question } from '../engine/question.ts'
import type { ClusterSummary } from '../engine/summarize-cluster.ts'
import type { PathAnswer } from '../path/path.ts'
import { emptyPage, type PageEvent, type PageState, type PageStep, stepPage } from './page-state.ts'

const tea: Question = { kind: 'name', name: 'tea.shop', type: 'A', client: '' }
const milk: Question = { ...tea, name: 'milk.shop' }
const answer: PathAnswer = {
  headline: 'Answers 10.96.10.1',
  tone: 'good',
  remarks: [],
  path: { cards: [], wires: [] },
  explanation: { where: 'dns', what: 'answers' },
}
const summary: ClusterSummary = {
  source: 'examples/shop',
  generation: 1,
  failure: undefined,
  counts: [],
  services: [],
  nodes: [],
  pods: [],
}

function play(events: readonly PageEvent[], from: PageState = emptyPage): PageStep {
  return events.reduce<PageStep>(({ state }, event) => stepPage(state, event), { state: from, effects: [] })
}

describe('the page', () => {
  test('a question is asked, shown and put into the address', () => {
    const { state, effects } = play([{ kind: 'asked', question: tea }])
    expect(state).toMatchObject({ view: 'path', form: 'name', asked: tea, answer: { kind: 'asking' } })
    expect(effects).toEqual([
      { kind: 'ask', turn: 1, question: tea },
      { kind: 'go', hash: '#name?name=tea.shop', isNew: true },
    ])
  })

  test('an answer to an earlier question is late and changes nothing', () => {
    const { state } = play([
      { kind: 'asked', question: tea },
      { kind: 'asked', question: milk },
      { kind: 'answered', turn: 1, answer },
    ])
    expect(state.answer.kind).toBe('asking')
    expect(play([{ kind: 'answered', turn: 2, answer }], state).state.answer).toEqual({ kind: 'answered', answer })
  })

  test('while the next one is asked the last answer stays', () => {
    const { state } = play([
      { kind: 'asked', question: tea },
      { kind: 'answered', turn: 1, answer },
      { kind: 'asked', question: milk },
    ])
    expect(state.answer).toEqual({ kind: 'asking', last: answer })
  })

  test('a question that means nothing is refused in words', () => {
    const { state } = play([
      { kind: 'asked', question: tea },
      { kind: 'refused', turn: 1, message: 'expected a name' },
    ])
    expect(state.answer).toEqual({ kind: 'refused', message: 'expected a name' })
  })

  test('a link asks, fills the form, and asks nothing when it leads back to the same question', () => {
    const first = play([{ kind: 'moved', address: { view: 'path', question: tea, card: 'plugin 0 cache' } }])
    expect(first.state).toMatchObject({ card: 'plugin 0 cache', drafts: { name: tea } })
    expect(first.effects).toEqual([{ kind: 'ask', turn: 1, question: tea }])
    const away = play([{ kind: 'moved', address: { view: 'map' } }], first.state)
    const back = play([{ kind: 'moved', address: { view: 'path', question: tea, card: '' } }], away.state)
    expect(back.state.view).toBe('path')
    expect(back.effects).toEqual([])
  })

  test('a card is part of the address, but no page of its own', () => {
    const { effects } = play([
      { kind: 'asked', question: tea },
      { kind: 'card-chosen', card: 'plugin 0 cache' },
    ])
    expect(effects).toEqual([{ kind: 'go', hash: '#name?name=tea.shop&at=plugin+0+cache', isNew: false }])
  })

  test('when the input changed what is shown is asked again, and everything is checked', () => {
    const { state, effects } = play([
      { kind: 'asked', question: tea },
      { kind: 'answered', turn: 1, answer },
      { kind: 'loaded', summary: { ...summary, generation: 2, failure: 'a file is gone' } },
    ])
    expect(effects).toEqual([{ kind: 'ask', turn: 2, question: tea }, { kind: 'check' }])
    expect(state).toMatchObject({ failure: 'a file is gone', answer: { kind: 'asking', last: answer } })
  })

  test('each form keeps what was typed into it', () => {
    const url: Question = { kind: 'url', method: 'GET', url: 'https://shop.exa', headers: [] }
    const { state } = play([
      { kind: 'drafted', question: tea },
      { kind: 'drafted', question: url },
      { kind: 'form-chosen', form: 'name' },
    ])
    expect(state).toMatchObject({ form: 'name', drafts: { name: tea, url } })
  })

  test('an object that was closed before it was read stays closed', () => {
    const ref = { kind: 'Service', namespace: 'shop', name: 'tea' }
    const opened = play([{ kind: 'object-wanted', ref }])
    expect(opened.effects).toEqual([{ kind: 'read-object', ref }])
    const { state } = play(
      [{ kind: 'object-closed' }, { kind: 'object-read', ref, text: 'kind: Service\n' }],
      opened.state,
    )
    expect(state.object).toBeUndefined()
  })

  test('an object that was read, be it a copy of its name, is shown', () => {
    const ref = { kind: 'Service', namespace: 'shop', name: 'tea' }
    const text = 'kind: Service\n'
    const { state } = play([
      { kind: 'object-wanted', ref },
      { kind: 'object-read', ref: { ...ref }, text },
    ])
    expect(state.object).toEqual({ ref, text })
  })

  test('a new filter starts with the first portion of the map again', () => {
    const { state } = play([{ kind: 'more-wanted' }, { kind: 'filtered', filter: 'tea' }])
    expect(state).toMatchObject({ filter: 'tea', shown: emptyPage.shown })
  })
})
