// Order of change where hosts are data: what nginx can serve goes at once, what needs a new class waits for the reload.

import { describe, expect, it } from 'vitest'
import type { Model } from '../model/model.ts'
import { foundState } from './found-state.ts'
import { type NginxState, planUpdate, withChange, withDataOf } from './plan-update.ts'

const model = {
  settings: {},
  servers: [],
  stream: [],
  files: [],
  tls: { defaultCertificate: undefined },
} as unknown as Model

const entry = (name: string): string => JSON.stringify({ kind: 'host', routes: [{ class: `@class-${name}`, set: [] }] })

function state(routes: { readonly [host: string]: string }, more: Partial<NginxState> = {}): NginxState {
  const classes = [...new Set(Object.values(routes).flatMap((text) => text.match(/@class-[0-9a-f]+/g) ?? []))]
  return {
    ...{ model, text: 'text', frame: 'f1', classes, rendered: classes, routed: new Set(Object.keys(routes)) },
    data: { backends: {}, servers: {}, certificates: {}, routes },
    ...more,
  }
}

describe('a route', () => {
  const running = state({ 'a.test': entry('a') })

  it('that enters a class nginx has is data, and so is one that goes', () => {
    const wanted = state({ 'b.test': entry('a') })
    expect(planUpdate(running, wanted)).toMatchObject({
      kind: 'data',
      change: { routes: { 'a.test': null, 'b.test': entry('a') } },
    })
  })

  it('that enters a new class waits for the reload that brings it; all others go at once', () => {
    const wanted = state({ 'a.test': entry('a'), 'b.test': entry('a'), 'c.test': entry('c') })
    const plan = planUpdate(running, wanted)
    expect(plan).toMatchObject({
      kind: 'reload',
      reasons: ['host c.test has settings that are new'],
      early: { routes: { 'b.test': entry('a') } },
    })
    expect(plan.kind === 'reload' && plan.early.routes).not.toHaveProperty('c.test')
  })

  it('that goes stays until a reload that is due anyway', () => {
    const wanted = state({}, { frame: 'f2' })
    expect(planUpdate(running, wanted)).toMatchObject({ kind: 'reload', early: { routes: {} } })
  })
})

it('a class that no route enters any more needs no reload, nor does its return', () => {
  const running = state({ 'a.test': entry('a'), 'b.test': entry('b') })
  const without = withDataOf(running, state({ 'a.test': entry('a') }))
  expect(without.rendered).toContain('@class-b')
  expect(planUpdate(without, state({ 'a.test': entry('a'), 'b.test': entry('b') })).kind).toBe('data')
})

it('what has been pushed early is not pushed again', () => {
  const running = state({ 'a.test': entry('a') })
  const wanted = state({ 'a.test': entry('a'), 'b.test': entry('a') })
  const pushed = withChange(running, { backends: {}, servers: {}, certificates: {}, routes: { 'b.test': entry('a') } })
  expect(planUpdate(pushed, wanted).kind).toBe('nothing')
})

describe('an nginx that another controller has started', () => {
  const wanted = state({ 'a.test': entry('a') }, { frame: 'abc' })
  const text = (frame: string, name: string): string =>
    `# routes are data, frame ${frame}\nhttp {\n  server {\n    location @class-${name} {\n    }\n  }\n}\n`

  it('is taken as it is where it has the frame and the classes', () => {
    expect(planUpdate(foundState(text('abc', 'a'), wanted), wanted).kind).toBe('nothing')
  })

  it('is reloaded where it lacks a class, has another frame, or serves hosts as servers', () => {
    for (const found of [text('abc', 'b'), text('abd', 'a'), 'http { }']) {
      expect(planUpdate(foundState(found, wanted), wanted).kind).toBe('reload')
    }
  })
})
