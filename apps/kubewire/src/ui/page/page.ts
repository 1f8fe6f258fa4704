// The page: one state, events in, effects out, each part draws what it shows of the state.

import type { EngineReply, EngineRequest } from '../engine/engine-messages.ts'
import type { QuestionKind } from '../engine/question.ts'
import { parseAddress } from '../view/address.ts'
import { emptyPage, type PageEffect, type PageEvent, type PageState, stepPage } from '../view/page-state.ts'
import { createAskForm } from './ask-form.ts'
import { byId } from './element.ts'
import { createFindingsView } from './findings-view.ts'
import { followChanges } from './follow-changes.ts'
import { createMapView } from './map-view.ts'
import { createObjectDialog } from './object-dialog.ts'
import { createPageHead } from './page-head.ts'
import { createPathView } from './path-view.ts'
import { createShortcuts } from './shortcuts.ts'

let state: PageState = emptyPage
let isDrawing = false

const worker = new Worker('/worker.js', { type: 'module' })
const send = (request: EngineRequest): void => worker.postMessage(request)

const head = createPageHead()
const form = createAskForm(() => state, emit)
const views = { map: createMapView(emit), path: createPathView(emit), findings: createFindingsView(emit) }
const dialog = createObjectDialog(emit)

byId('head').replaceWith(head.element)
byId('main').append(form.element, views.map.element, views.path.element, views.findings.element)
document.body.append(
  dialog.element,
  createShortcuts([
    { key: '/', meaning: 'ask', run: () => form.focus() },
    { key: 'n', meaning: 'ask for a name', run: () => choose('name') },
    { key: 'c', meaning: 'ask for a connection', run: () => choose('connection') },
    { key: 'u', meaning: 'ask for a URL', run: () => choose('url') },
    { key: 'm', meaning: 'show the map', run: () => go('#map') },
    { key: 'f', meaning: 'show the findings', run: () => go('#findings') },
  ]),
)

worker.addEventListener('message', (event: MessageEvent<EngineReply>) => emit(event.data))
worker.addEventListener('error', (event) =>
  emit({ kind: 'failed', message: `the libraries could not start: ${event.message}` }),
)
window.addEventListener('hashchange', () => emit({ kind: 'moved', address: parseAddress(location.hash) }))

send({ kind: 'load' })
emit({ kind: 'moved', address: parseAddress(location.hash) })
void followChanges(
  () => state.summary?.generation,
  () => send({ kind: 'load' }),
  (isLive) => head.showLive(isLive),
)

function emit(event: PageEvent): void {
  const before = state.view
  const step = stepPage(state, event)
  state = step.state
  if (!isDrawing) {
    isDrawing = true
    // Many events of one moment are drawn once.
    requestAnimationFrame(draw)
  }
  for (const effect of step.effects) run(effect)
  if (before !== state.view) window.scrollTo(0, 0)
}

function run(effect: PageEffect): void {
  switch (effect.kind) {
    case 'ask':
      send({ kind: 'ask', turn: effect.turn, question: effect.question })
      break
    case 'check':
      send({ kind: 'check' })
      break
    case 'read-object':
      send({ kind: 'read-object', ref: effect.ref })
      break
    case 'go':
      if (effect.isNew) history.pushState(null, '', effect.hash)
      else history.replaceState(null, '', effect.hash)
  }
}

function draw(): void {
  isDrawing = false
  head.show(state)
  form.show(state)
  for (const [name, view] of Object.entries(views)) view.element.hidden = name !== state.view
  views[state.view].show(state)
  dialog.show(state)
}

function choose(kind: QuestionKind): void {
  emit({ kind: 'form-chosen', form: kind })
  // At once: whoever pressed the key is typing already.
  draw()
  form.focus()
}

function go(hash: string): void {
  location.hash = hash
}
