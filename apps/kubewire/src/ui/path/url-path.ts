// A request's trace as a path: servers, locations of the chosen one, backends, endpoints. What nginx looked past is dim.

import { type Explanation, joinHostPort, type ObjectRef, printPercent, printRef } from '@kubewire/kube-model'
import {
  type Backend,
  defaultBackendName,
  type Model,
  printOutcome,
  type SimulatedRequest,
  type SourceNode,
  type Trace,
} from '@kubewire/nginx-gen'
import { explainAnswer } from '../../ask/ask-request.ts'
import { collapsePath } from './collapse-path.ts'
import type { ObjectIndex } from './object-index.ts'
import { type Card, type CardLine, type PathAnswer, plainCard, type Tone, type Wire } from './path.ts'

interface Drawing {
  readonly cards: Card[]
  readonly wires: Wire[]
}

/** Who serves a request, block by block. */
export function urlPath(
  nodes: readonly SourceNode[],
  model: Model,
  request: SimulatedRequest,
  trace: Trace,
  index: ObjectIndex,
): PathAnswer {
  const explanation = explainAnswer(request, trace, model)
  const drawing: Drawing = { cards: [questionCard(request)], wires: [] }
  const server = drawServers(drawing, nodes, trace)
  const location = drawLocations(drawing, trace, server)
  if (trace.outcome.kind === 'proxy') drawBackends(drawing, model, explanation, location, index)
  else drawAnswer(drawing, trace, location)
  return { ...summary(trace, model), path: collapsePath(drawing), explanation }
}

function questionCard({ scheme = 'http', method = 'GET', host, path = '/' }: SimulatedRequest): Card {
  const title = `${host}${path}`
  return { ...plainCard, id: 'question', kind: 'question', label: `${method} ${scheme}`, title, layer: 0 }
}

/** The chosen server and its neighbours in the file; the id of the chosen one. */
function drawServers(drawing: Drawing, nodes: readonly SourceNode[], trace: Trace): string {
  if (trace.server === undefined) return 'question'
  const http = nodes.find(({ name }) => name === 'http')?.children ?? []
  // Servers of nginx's own sockets are nobody's to ask.
  const servers = http.filter(
    (node) =>
      node.name === 'server' &&
      node.children.some(({ name, args }) => name === 'listen' && /^\d+$/.test(args[0] ?? '')),
  )
  let chosen = 'question'
  for (const [at, server] of neighbours(servers, servers.indexOf(trace.server), 3)) {
    const isLit = server === trace.server
    const id = `server ${at}`
    if (isLit) chosen = id
    const step = isLit ? trace.steps.find(({ phase }) => phase === 'server') : undefined
    drawing.cards.push({
      ...plainCard,
      id,
      kind: 'server',
      label: 'server',
      title: namesOf(server).join(' ') || '""',
      ...(step?.why === undefined ? {} : { note: step.why }),
      isLit,
      layer: 1,
      lines: directiveLines(server),
      objects: [],
    })
    drawing.wires.push({ from: 'question', to: id, isLit })
  }
  return chosen
}

function drawLocations(drawing: Drawing, trace: Trace, server: string): string {
  const chosen = trace.location[0]
  const locations = (trace.server?.children ?? []).filter(({ name }) => name === 'location')
  if (locations.length === 0) return server
  let last = server
  for (const [at, location] of neighbours(locations, chosen === undefined ? 0 : locations.indexOf(chosen), 5)) {
    const isLit = location === chosen
    const id = `location ${at}`
    const step = trace.steps.find(({ phase, node }) => phase === 'location' && node === location)
    drawing.cards.push({
      ...plainCard,
      id,
      kind: 'location',
      label: 'location',
      title: location.args.join(' '),
      ...(step?.why === undefined ? {} : { note: step.why }),
      isLit,
      layer: 2,
      lines: [...(isLit ? stepLines(trace) : []), ...directiveLines(location)],
      objects: originOf(location),
    })
    drawing.wires.push({ from: server, to: id, isLit })
    if (isLit) last = id
  }
  return last
}

function drawBackends(
  drawing: Drawing,
  model: Model,
  explanation: Explanation,
  from: string,
  index: ObjectIndex,
): void {
  const endpoints = new Map<string, Card>()
  for (const { where, probability = 1, why } of explanation.steps ?? []) {
    const [, name] = /^backend (.+)$/.exec(where) ?? []
    const backend = model.backends.find((candidate) => candidate.name === name)
    if (backend === undefined) continue
    const id = `backend ${backend.name}`
    drawing.cards.push(backendCard(id, backend, why))
    drawing.wires.push({
      from,
      to: id,
      isLit: true,
      ...(probability === 1 ? {} : { label: printPercent(probability) }),
    })
    for (const { address, port } of backend.endpoints) {
      const title = joinHostPort(address, port)
      const objects = index.ofAddress(address)
      const card: Card = {
        ...plainCard,
        id: `endpoint ${title}`,
        kind: 'endpoint',
        label: 'endpoint',
        title,
        tone: isBuiltIn(backend) ? 'bad' : 'good',
        layer: 4,
        objects,
        ...endpointNote(backend, objects),
      }
      endpoints.set(card.id, card)
      drawing.wires.push({ from: id, to: card.id, isLit: true })
    }
  }
  drawing.cards.push(...endpoints.values())
}

function endpointNote(backend: Backend, objects: readonly ObjectRef[]): { readonly note?: string } {
  if (isBuiltIn(backend)) return { note: 'answers 404' }
  const pod = objects.find(({ kind }) => kind === 'Pod')
  return pod === undefined ? {} : { note: printRef(pod) }
}

function backendCard(id: string, backend: Backend, why: string | undefined): Card {
  const { length } = backend.endpoints
  const note = `${length} ${length === 1 ? 'endpoint' : 'endpoints'}, ${backend.balancing.kind}`
  return {
    ...plainCard,
    id,
    kind: 'backend',
    label: backend.canary === undefined ? 'backend' : 'canary backend',
    title: backend.name,
    note: why === undefined ? note : why,
    layer: 3,
    lines: [
      { text: note, isLit: true },
      ...(backend.affinity === undefined
        ? []
        : [{ text: `cookie affinity: ${backend.affinity.cookieName}`, isLit: true }]),
      ...backend.alternatives.map((name) => ({ text: `alternative: ${name}`, isLit: false })),
    ],
    objects: backend.service === undefined ? [] : [backend.service],
  }
}

function drawAnswer(drawing: Drawing, trace: Trace, from: string): void {
  const { outcome } = trace
  const status = outcome.kind === 'answer' ? outcome.status : undefined
  const layer = Math.max(...drawing.cards.map((card) => card.layer)) + 1
  drawing.cards.push({
    ...plainCard,
    id: 'outcome',
    kind: 'outcome',
    label: 'answer',
    title: status === undefined ? printOutcome(outcome) : String(status),
    ...(outcome.kind === 'answer' && outcome.location !== undefined ? { note: `to ${outcome.location}` } : {}),
    tone: toneOf(status),
    layer,
    lines: [{ text: printOutcome(outcome), isLit: true }],
  })
  drawing.wires.push({ from, to: 'outcome', isLit: true })
}

function summary(trace: Trace, model: Model): Pick<PathAnswer, 'headline' | 'tone' | 'remarks'> {
  const { outcome, unknownVariables } = trace
  const remarks = [
    ...(unknownVariables.length === 0
      ? []
      : [`only a running nginx knows ${unknownVariables.map((name) => `$${name}`).join(', ')}`]),
  ]
  if (outcome.kind === 'proxy') {
    const backend = model.backends.find(({ name }) => name === outcome.upstream)
    if (backend !== undefined && isBuiltIn(backend)) {
      return { headline: 'No Ingress takes this request: the default backend answers 404', tone: 'bad', remarks }
    }
    const service = backend?.service
    const place = service === undefined ? outcome.upstream : `Service ${service.namespace}/${service.name}`
    return { headline: `Goes to ${place} as ${outcome.method} ${outcome.path}`, tone: 'good', remarks }
  }
  const text = printOutcome(outcome)
  const tone = outcome.kind === 'answer' ? toneOf(outcome.status) : outcome.kind === 'refused' ? 'bad' : 'plain'
  return { headline: `${text.charAt(0).toUpperCase()}${text.slice(1)}`, tone, remarks }
}

function isBuiltIn(backend: Backend): boolean {
  return backend.name === defaultBackendName && backend.service === undefined
}

function toneOf(status: number | undefined): Tone {
  if (status === undefined) return 'plain'
  return status >= 400 ? 'bad' : status >= 300 ? 'plain' : 'good'
}

/** The chosen one with those before and after it, in order, with their places. */
function neighbours<T>(all: readonly T[], chosen: number, around: number): readonly (readonly [number, T])[] {
  const first = Math.max(0, Math.min(chosen - Math.floor(around / 2), all.length - around))
  return [...all.entries()].slice(first, first + around)
}

function namesOf(server: SourceNode): readonly string[] {
  return server.children.filter(({ name }) => name === 'server_name').flatMap(({ args }) => args)
}

function stepLines(trace: Trace): readonly CardLine[] {
  return trace.steps
    .filter(({ phase }) => phase !== 'server' && phase !== 'location')
    .map(({ phase, what, why }) => ({
      text: `${phase}: ${what}`,
      isLit: true,
      ...(why === undefined ? {} : { note: why }),
    }))
}

/** The directives of a block, without the blocks inside it. */
function directiveLines({ children }: SourceNode): readonly CardLine[] {
  return children
    .filter((node) => node.children.length === 0 && node.code === undefined)
    .map(({ name, args }) => ({ text: `${[name, ...args].join(' ')};`, isLit: false }))
}

function originOf({ source }: SourceNode): readonly ObjectRef[] {
  const object = 'origin' in source ? source.origin?.object : undefined
  return object === undefined ? [] : [object]
}
