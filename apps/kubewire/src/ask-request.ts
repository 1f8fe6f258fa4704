// One HTTP request as a person asks for it: `[METHOD] URL` and headers. Pure: the command and the browser page ask alike.

import type { Explanation } from '@kubewire/kube-model'
import { explainRequest, type Model, type SimulatedRequest, type Trace } from '@kubewire/nginx-gen'
import { UsageError } from './exit-code.ts'
import { explainDataPlane } from './ingress-backend.ts'

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
  return {
    scheme: scheme.toLowerCase() === 'https' ? 'https' : 'http',
    host,
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
  const upstream = trace.outcome.kind === 'proxy' ? trace.outcome.upstream : undefined
  const behind = model === undefined ? [] : explainDataPlane(model, upstream, request)
  const { scheme = 'http', method = 'GET', host, path = '/' } = request
  return {
    ...explanation,
    where: `${method} ${scheme}://${host}${path}`,
    steps: [...steps.filter((step) => !isHeader(step)), ...behind, ...steps.filter(isHeader)],
  }
}

// Headers are many and seldom the question: they come after who serves the request.
function isHeader({ where }: Explanation): boolean {
  return /^(?:request header|response header|unknown)$/.test(where)
}

function headerOf(text: string): [string, string] {
  const [, name, value = ''] = /^([^:\s]+)\s*:\s*(.*)$/.exec(text) ?? []
  if (name === undefined) throw new UsageError(`expected -H 'Name: value', found ${JSON.stringify(text)}`)
  return [name, value]
}
