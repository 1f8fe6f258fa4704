// The sockets: http or https, one connection handler, answers and watch streams.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { ApiStatusError, badRequest } from '../api-status.ts'
import type { ServerState } from '../server-state.ts'
import type { Answer } from './answer.ts'
import type { ServerCertificate } from './certificate.ts'
import { handleRequest, statusAnswer, unauthorized } from './handle-request.ts'
import { type AnswerForm, negotiate } from './negotiate.ts'
import { type ApiRequest, apiRequest } from './request.ts'
import type { IncludeObject } from './table.ts'
import { userOf } from './users.ts'
import { frameEncoder, responseSink } from './watch-stream.ts'
import { renderAnswer, wantsPretty } from './write-answer.ts'

/** Where and how to listen. */
export interface ListenOptions {
  readonly address: string
  /** 0 picks a free port. */
  readonly port: number
  /** Serve https with this certificate; plain http without. */
  readonly certificate?: ServerCertificate
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

/** An open listener. */
export interface Listener {
  readonly port: number
  /** Cuts every connection, watches included, without closing the listener. */
  dropConnections(): void
  close(): Promise<void>
}

/** Opens the listener; rejects when the address is taken. */
export async function listen(state: ServerState, options: ListenOptions): Promise<Listener> {
  const { certificate } = options
  const handler = (message: IncomingMessage, response: ServerResponse): void => {
    serve(state, options, message, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
      process.emitWarning(error instanceof Error ? error : String(error))
    })
  }
  const server: Server = certificate ? createTlsServer({ ...certificate }, handler) : createServer(handler)
  server.keepAliveTimeout = 120_000
  server.requestTimeout = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.address, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    dropConnections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        dropConnections()
      }),
  }
}

async function serve(
  state: ServerState,
  options: ListenOptions,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const user = userOf(message.headers.authorization, state.tokens, options.certificate === undefined)
  const url = parseUrl(message.url ?? '/')
  let answer: Answer
  let request: ApiRequest | undefined
  if (!url) answer = statusAnswer(badRequest('the path of the request does not parse'))
  else if (!user) answer = statusAnswer(unauthorized())
  else {
    request = apiRequest(message, url, user)
    answer = await handleRequest(state, request)
  }
  const status = send(state, answer, message, response, url?.searchParams ?? new URLSearchParams())
  options.onRequest?.({
    method: message.method ?? '',
    path: url?.pathname ?? '',
    query: url?.search.slice(1) ?? '',
    userAgent: message.headers['user-agent'] ?? '',
    status,
  })
}

function send(
  state: ServerState,
  answer: Answer,
  message: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
): number {
  const include = includeOf(query)
  let form: AnswerForm
  try {
    form = formFor(answer, message.headers.accept)
    if (answer.kind !== 'watch')
      return write(renderAnswer(answer, renderOptions(state, form, include, message, query)), message, response)
  } catch (error) {
    const failed = failureAnswer(error)
    return write(renderAnswer(failed, renderOptions(state, plainForm, include, message, query)), message, response)
  }
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
  response.flushHeaders()
  const sink = responseSink(response, frameEncoder(answer.of, form, include, state.clock.nowMs))
  const stop = answer.start(sink)
  response.on('close', stop)
  return 200
}

// Only objects, lists and watches are negotiated; a `Status` or a discovery document is JSON whatever was asked.
function formFor(answer: Answer, accept: string | undefined): AnswerForm {
  const isNegotiated = answer.kind === 'object' || answer.kind === 'list' || answer.kind === 'watch'
  return isNegotiated ? negotiate(accept, answer.kind === 'watch') : plainForm
}

const plainForm: AnswerForm = { mediaType: 'application/json', as: 'object', version: '' }

function failureAnswer(error: unknown): ReturnType<typeof statusAnswer> {
  if (error instanceof ApiStatusError) return statusAnswer(error)
  throw error
}

function renderOptions(
  state: ServerState,
  form: AnswerForm,
  include: IncludeObject,
  message: IncomingMessage,
  query: URLSearchParams,
): Parameters<typeof renderAnswer>[1] {
  return {
    form,
    include,
    isPretty: wantsPretty(query.get('pretty'), message.headers['user-agent'] ?? ''),
    acceptsGzip: /\bgzip\b/.test(String(message.headers['accept-encoding'] ?? '')),
    nowMs: state.clock.nowMs(),
  }
}

function write(rendered: ReturnType<typeof renderAnswer>, message: IncomingMessage, response: ServerResponse): number {
  const { status, headers, body } = rendered
  response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'content-length': body.length }) })
  response.end(message.method === 'HEAD' || status === 304 ? undefined : body)
  // A body that was never read (a refusal before it) must not block the connection.
  if (!message.readableEnded) message.resume()
  return status
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
