// One HTTP request as a person asks for it: `[METHOD] URL` and headers. Pure: the command and the browser page ask alike.

import type { Explanation } from '@kubewire/kube-model'
import {
  explainRequest,
  type Model,
  printOutcome,
  type RequestOutcome,
  type SimulatedRequest,
  type Trace,
} from '@kubewire/nginx-gen'
import { UsageError } from '../exit-code.ts'
import { explainDataPlane, printServing, type ServingBackend, servingBackends } from './ingress-backend.ts'

/**
 * Reads the words of a request; without a method it is GET.
 *
 * @throws UsageError when there is no URL with scheme and host, or a header is none
 */
export function requestOf(
  words: readonly string[],
  headers: readonly string[],
  clientAddress: string,
): SimulatedRequest {
  const [first = '', second] = words
  const [method, text] = second === undefined ? ['GET', first] : [first.toUpperCase(), second]
  const [, scheme, host, path = '/'] = /^(https?):\/\/([^/?#]+)([/?].*)?$/i.exec(text) ?? []
  if (scheme === undefined || host === undefined || words.length > 2) {
    throw new UsageError(
      `expected [METHOD] URL such as GET https://shop.example.org/, found ${JSON.stringify(words.join(' '))}`,
    )
  }
  const port = portOf(host)
  return {
    scheme: scheme.toLowerCase() === 'https' ? 'https' : 'http',
    host,
    ...(port === undefined ? {} : { port }),
    path: path.startsWith('/') ? path : `/${path}`,
    method,
    headers: Object.fromEntries(headers.map(headerOf)),
    clientAddress,
  }
}

/** The way of a request in words; with the model of the configuration also what the data plane decides. */
export function explainAnswer(request: SimulatedRequest, trace: Trace, model?: Model): Explanation {
  const explanation = explainRequest(trace)
  const { steps = [] } = explanation
  const { outcome } = trace
  const upstream = outcome.kind === 'proxy' ? outcome.upstream : undefined
  const serving = model === undefined ? [] : servingBackends(model, upstream, request)
  // Nobody shakes hands where nothing listens.
  const behind = model === undefined || outcome.kind === 'refused' ? [] : explainDataPlane(model, serving, request)
  const { scheme = 'http', method = 'GET', host, path = '/' } = request
  return {
    ...explanation,
    where: `${method} ${scheme}://${host}${path}`,
    what: model === undefined ? explanation.what : printAnswer(model, outcome, serving),
    steps: [...steps.filter((step) => !isHeader(step)), ...behind, ...steps.filter(isHeader)],
  }
}

/** What becomes of a request, with every backend that may get it. */
export function printAnswer(model: Model, outcome: RequestOutcome, serving: readonly ServingBackend[]): string {
  if (outcome.kind !== 'proxy' || serving.length === 0) return printOutcome(outcome)
  return printOutcome({ ...outcome, upstream: printServing(model, outcome.upstream, serving) })
}

// Headers are many and seldom the question: they come after who serves the request.
function isHeader({ where }: Explanation): boolean {
  return /^(?:request header|response header|unknown)$/.test(where)
}

/** The port that a URL names: that of the listener. */
function portOf(host: string): number | undefined {
  const [, text] = /:([^:\]]*)$/.exec(host) ?? []
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^[0-9]+$/.test(text) && port > 0 && port <= 65_535) return port
  throw new UsageError(`expected a port from 1 to 65535 in the URL, found ${JSON.stringify(text)}`)
}

function headerOf(text: string): [string, string] {
  const [, name, value = ''] = /^([^:\s]+)\s*:\s*(.*)$/.exec(text) ?? []
  if (name === undefined) throw new UsageError(`expected -H 'Name: value', found ${JSON.stringify(text)}`)
  return [name, value]
}
