// One request on its connection: user, faults, handler, response.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiStatusError, badRequest } from '../api-status.ts'
import type { FaultRule, FaultRules } from '../faults/faults.ts'
import { handleFaultRequest, isFaultPath } from '../faults/handle-fault-request.ts'
import { faultyAnswer, faultyQuery } from '../faults/request-faults.ts'
import { parseRoute } from '../request/route.ts'
import type { ServerState } from '../server-state.ts'
import type { Answer } from './answer.ts'
import { handleRequest, statusAnswer, unauthorized } from './handle-request.ts'
import { verbOf } from './handle-resource.ts'
import { type AnswerForm, negotiate } from './negotiate.ts'
import { apiRequest } from './request.ts'
import type { IncludeObject } from './table.ts'
import { userOf } from './users.ts'
import { startWatchStream } from './watch-stream.ts'
import { type RenderedAnswer, type RenderOptions, renderAnswer, wantsPretty } from './write-answer.ts'

/** What a listener's requests are served with. */
export interface ServeOptions {
  /** Whether a request without a token is the administrator's. */
  readonly trustsAnonymous: boolean
  readonly faults: FaultRules
  /** Whether `/__faults` is served. */
  readonly allowsFaults: boolean
  /** A look at every request when its answer has begun. */
  readonly onRequest?: (seen: RecordedRequest) => void
}

/** One request, as tests and logs see it. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly userAgent: string
  readonly status: number
}

interface Exchange {
  readonly state: ServerState
  readonly options: ServeOptions
  readonly message: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly rules: readonly FaultRule[]
}

/** Serves one request. */
export async function serveRequest(
  state: ServerState,
  options: ServeOptions,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = parseUrl(message.url ?? '/')
  const rules = url ? options.faults.take(contextOf(message, url)) : []
  const exchange: Exchange = { state, options, message, response, url: url ?? new URL('http://server/'), rules }
  if (await disturbConnection(exchange)) return
  const answer = url ? await answerOf(exchange) : statusAnswer(badRequest('the path of the request does not parse'))
  const status = respond(exchange, answer)
  options.onRequest?.({
    method: message.method ?? '',
    path: exchange.url.pathname,
    query: exchange.url.search.slice(1),
    userAgent: message.headers['user-agent'] ?? '',
    status,
  })
}

function contextOf(message: IncomingMessage, url: URL): Parameters<FaultRules['take']>[0] {
  const userAgent = message.headers['user-agent'] ?? ''
  const method = message.method ?? 'GET'
  const route = parseRoute(url.pathname)
  if (route.kind === 'plain') return { verb: method.toLowerCase(), resource: '', name: '', userAgent }
  return { verb: verbOf(method, route, url.searchParams), resource: route.plural, name: route.name, userAgent }
}

/** Delays, and faults that leave no answer at all; whether that is the end of the request. */
async function disturbConnection({ rules, message, response, state }: Exchange): Promise<boolean> {
  const delayMs = Math.max(0, ...rules.filter(isRequestDelay).map(({ afterMs = 0 }) => afterMs))
  if (delayMs > 0) await new Promise<void>((resolve) => state.clock.after(delayMs, resolve))
  if (rules.some(({ kind }) => kind === 'refuseConnection')) {
    message.socket.resetAndDestroy()
    return true
  }
  const skew = rules.find(({ kind }) => kind === 'clockSkew')
  if (skew) response.setHeader('date', new Date(state.clock.nowMs() + (skew.by ?? 3_600_000)).toUTCString())
  return rules.some(({ kind }) => kind === 'hang')
}

function isRequestDelay({ kind }: FaultRule): boolean {
  return ['throttle', 'serverError', 'unauthorized', 'forbidden', 'expired', 'garbage', 'refuseConnection'].includes(
    kind,
  )
}

async function answerOf({ state, options, message, url, rules }: Exchange): Promise<Answer> {
  for (const rule of rules) {
    const answer = faultyAnswer(rule, url.searchParams)
    if (answer) return answer
  }
  const user = userOf(message.headers.authorization, state.tokens, options.trustsAnonymous)
  if (!user) return statusAnswer(unauthorized())
  const request = apiRequest(message, url, faultyQuery(rules, url.searchParams), user)
  const isFault = options.allowsFaults && isFaultPath(url.pathname)
  return isFault ? handleFaultRequest(request, options.faults).catch(failureAnswer) : handleRequest(state, request)
}

function failureAnswer(error: unknown): Answer {
  if (error instanceof ApiStatusError) return statusAnswer(error)
  throw error
}

function respond(exchange: Exchange, answer: Answer): number {
  const { state, message, response, url, rules } = exchange
  const include = includeOf(url.searchParams)
  let form: AnswerForm
  try {
    form = formFor(answer, message.headers.accept)
    if (answer.kind !== 'watch') return write(exchange, renderAnswer(answer, renderOptions(exchange, form, include)))
  } catch (error) {
    if (!(error instanceof ApiStatusError)) throw error
    return write(exchange, renderAnswer(statusAnswer(error), renderOptions(exchange, plainForm, include)))
  }
  startWatchStream(response, answer, { form, include, rules, clock: state.clock })
  return 200
}

// Only objects, lists and watches are negotiated; a `Status` or a discovery document is JSON whatever was asked.
function formFor(answer: Answer, accept: string | undefined): AnswerForm {
  const isNegotiated = answer.kind === 'object' || answer.kind === 'list' || answer.kind === 'watch'
  return isNegotiated ? negotiate(accept, answer.kind === 'watch') : plainForm
}

const plainForm: AnswerForm = { mediaType: 'application/json', as: 'object', version: '' }

function renderOptions({ state, message, url }: Exchange, form: AnswerForm, include: IncludeObject): RenderOptions {
  return {
    form,
    include,
    isPretty: wantsPretty(url.searchParams.get('pretty'), message.headers['user-agent'] ?? ''),
    acceptsGzip: /\bgzip\b/.test(String(message.headers['accept-encoding'] ?? '')),
    nowMs: state.clock.nowMs(),
  }
}

function write({ message, response, rules, state }: Exchange, { status, headers, body }: RenderedAnswer): number {
  const isEmpty = message.method === 'HEAD' || status === 304
  response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'content-length': body.length }) })
  const slow = rules.find(({ kind }) => kind === 'slowBody')
  if (slow && !isEmpty) writeSlowly(response, body, slow, state)
  else response.end(isEmpty ? undefined : body)
  // A body that was never read (a refusal before it) must not block the connection.
  if (!message.readableEnded) message.resume()
  return status
}

function writeSlowly(
  response: ServerResponse,
  body: Uint8Array,
  { chunk = 1, everyMs = 5 }: FaultRule,
  state: ServerState,
): void {
  let at = 0
  const step = (): void => {
    if (response.destroyed) return
    response.write(body.subarray(at, at + chunk))
    at += chunk
    if (at >= body.length) response.end()
    else state.clock.after(everyMs, step)
  }
  if (body.length === 0) response.end()
  else step()
}

function includeOf(query: URLSearchParams): IncludeObject {
  const word = query.get('includeObject')
  return word === 'Object' || word === 'None' ? word : 'Metadata'
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text, 'http://server')
  } catch {
    return undefined
  }
}
