// HTTP to one API server over node:http and node:https: agents kept per TLS material, TCP keep-alive, abort at any
// moment, credentials read again once after a 401. Knows nothing of lists and watches.
// TCP keep-alive finds a vanished host in about 40 s; a stuck peer is found by the watchdog of the watch machine.

import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type Clock, systemClock } from '../clock.ts'
import { type Status, statusOf } from '../status.ts'
import { asWatchError, errorOfStatus, WatchError, type WatchStep } from '../watch-error.ts'
import type { Credentials, Login, TlsMaterial } from './login.ts'
import { parseRetryAfter } from './retry-after.ts'

/** One HTTP request. */
export interface HttpRequest {
  readonly step: WatchStep
  readonly method: string
  /** Path and query on the server. */
  readonly target: string
  readonly accept: string
  readonly body?: string
  readonly contentType?: string
  readonly signal: AbortSignal
  /** Fails the request when no byte comes for so long; absent: never. */
  readonly idleTimeoutMs?: number
}

/** A successful (2xx) answer whose body is still to be read. */
export interface HttpAnswer {
  readonly statusCode: number
  readonly contentType: string
  /** Decompressed chunks. Ends or throws a `WatchError` when the signal aborts; by then the socket is closed. */
  readonly body: AsyncIterable<Buffer>
}

/** Requests to one server. */
export interface HttpClient {
  /** Settles on response headers; rejects with a `WatchError` for anything but 2xx. */
  send(request: HttpRequest): Promise<HttpAnswer>
  /** Closes every socket and resolves when they are gone. */
  close(): Promise<void>
}

const keepAliveProbeMs = 30_000
/** Most of an error body worth reading. */
const errorBodyBytes = 64 * 1024

/** How a client works. */
export interface HttpClientOptions {
  /** Asks for gzip: less to send, more to compute. */
  readonly isCompressed?: boolean
  /** Read only where an answer asks to come back at a date and has none of its own. */
  readonly clock?: Clock
}

/** A client for the login's server. */
export function createHttpClient(login: Login, options: HttpClientOptions = {}): HttpClient {
  const { clock = systemClock } = options
  const agents = new Map<string, HttpAgent | HttpsAgent>()
  const sockets = new Set<Socket>()
  const isTls = login.server.startsWith('https:')

  const agentFor = (tls: TlsMaterial): HttpAgent | HttpsAgent => {
    const identity = JSON.stringify([tls.ca, tls.cert, tls.key, tls.servername, tls.rejectUnauthorized].map(String))
    const known = agents.get(identity)
    if (known) return known
    // Rotated material: idle connections made with the old one go, open watches live until they end.
    for (const old of agents.values())
      for (const list of Object.values(old.freeSockets)) list?.forEach((s) => void s.destroy())
    agents.clear()
    const agent = isTls ? new HttpsAgent({ keepAlive: true, ...tls }) : new HttpAgent({ keepAlive: true })
    agents.set(identity, agent)
    return agent
  }

  const watchSocket = (socket: Socket): void => {
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.setKeepAlive(true, keepAliveProbeMs)
    socket.setNoDelay(true)
    socket.once('close', () => sockets.delete(socket))
  }

  const attempt = async (request: HttpRequest): Promise<Exchange> => {
    const credentials = await login.credentials()
    return openExchange(request, {
      login,
      credentials,
      agent: credentials.agent ?? agentFor(credentials.tls),
      isCompressed: options.isCompressed === true,
      watchSocket,
    })
  }

  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    try {
      let exchange = await attempt(request)
      if (exchange.response.statusCode === 401) {
        await discard(exchange)
        login.refresh()
        exchange = await attempt(request)
      }
      const { response } = exchange
      const statusCode = response.statusCode ?? 0
      if (statusCode < 200 || statusCode > 299) throw await answeredError(exchange, request, clock.nowMs())
      const contentType = response.headers['content-type'] ?? ''
      return { statusCode, contentType, body: readBody(exchange, request) }
    } catch (thrown) {
      const error = transportError(thrown, request)
      if (error.code === 'INF_TLS') login.refresh()
      throw error
    }
  }

  return {
    send,
    close: async () => {
      for (const agent of agents.values()) agent.destroy()
      const open = [...sockets]
      for (const socket of open) socket.destroy()
      await Promise.all(
        open.map((socket) => (socket.closed ? undefined : new Promise((done) => socket.once('close', done)))),
      )
    },
  }
}

interface Exchange {
  readonly request: ClientRequest
  readonly response: IncomingMessage
  readonly closed: Promise<void>
}

interface Opening {
  readonly login: Login
  readonly credentials: Credentials
  readonly agent: HttpAgent | HttpsAgent
  readonly isCompressed: boolean
  readonly watchSocket: (socket: Socket) => void
}

function openExchange(asked: HttpRequest, opening: Opening): Promise<Exchange> {
  const { login, credentials, agent } = opening
  const { method, body, contentType, signal, idleTimeoutMs } = asked
  const url = new URL(login.server)
  const base = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  const isTls = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError(asked))
    const request = (isTls ? requestHttps : requestHttp)({
      agent,
      method,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (isTls ? 443 : 80),
      path: base + asked.target,
      ...(isTls ? credentials.tls : {}),
      headers: {
        ...(credentials.headers as OutgoingHttpHeaders),
        accept: asked.accept,
        'user-agent': 'kubewire-informer',
        ...(opening.isCompressed ? { 'accept-encoding': 'gzip' } : {}),
        ...(body === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
      },
    })
    const closed = new Promise<void>((done) => request.once('close', done))
    let answer: IncomingMessage | undefined
    // A complete answer has given its connection back; destroying it then would hit whoever has it next.
    const abort = (): void => {
      if (!answer?.complete) request.destroy()
    }
    signal.addEventListener('abort', abort)
    void closed.then(() => signal.removeEventListener('abort', abort))
    request.once('socket', opening.watchSocket)
    if (idleTimeoutMs !== undefined) {
      request.setTimeout(idleTimeoutMs, () => void request.destroy(new Error(`no data for ${idleTimeoutMs} ms`)))
    }
    request.once('response', (response) => {
      // Whoever reads the body sees the error there; between two reads nobody listens, and that must not be fatal.
      response.on('error', () => undefined)
      answer = response
      resolve({ request, response, closed })
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      // An idle connection that the server closed while we took it: nothing was asked yet, ask again on a fresh one.
      const isStaleSocket = request.reusedSocket && error.code === 'ECONNRESET' && method === 'GET' && !signal.aborted
      if (isStaleSocket) openExchange(asked, opening).then(resolve, reject)
      else void closed.then(() => reject(error))
    })
    request.end(body)
  })
}

async function* readBody(exchange: Exchange, asked: HttpRequest): AsyncGenerator<Buffer> {
  const { request, response, closed } = exchange
  const isGzip = response.headers['content-encoding'] === 'gzip'
  const stream: Readable = isGzip ? response.pipe(createGunzip()) : response
  if (isGzip) response.on('error', (error) => stream.destroy(error))
  let isComplete = false
  try {
    for await (const chunk of stream) yield chunk as Buffer
    isComplete = true
  } catch (thrown) {
    throw transportError(thrown, asked)
  } finally {
    if (!isComplete) request.destroy()
    // A kept connection does not close; only an abandoned one is waited for.
    if (!isComplete) await closed
  }
}

async function discard({ response, request, closed }: Exchange): Promise<void> {
  response.resume()
  await Promise.race([new Promise((done) => response.once('end', done)), closed])
  if (!response.complete) request.destroy()
}

async function answeredError(exchange: Exchange, asked: HttpRequest, nowMs: number): Promise<WatchError> {
  const { response } = exchange
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of readBody(exchange, asked)) {
    size += chunk.length
    if (size > errorBodyBytes) break
    pieces.push(chunk)
  }
  const text = Buffer.concat(pieces).toString('utf8')
  const status = statusOfAnswer(response, text, nowMs)
  return errorOfStatus(status, asked.step, `${asked.method} ${asked.target.split('?', 1)[0]}`)
}

// kube-apiserver's own throttle and proxies answer with plain text or HTML: read a Status only where JSON is declared.
function statusOfAnswer(response: IncomingMessage, text: string, nowMs: number): Status {
  const code = response.statusCode ?? 0
  const isJson = /\bjson\b/.test(response.headers['content-type'] ?? '')
  let status: Status = { message: text.trim().slice(0, 200) }
  try {
    if (isJson) status = statusOf(JSON.parse(text))
  } catch {
    // Half a body of an error is still that error.
  }
  const { 'retry-after': retryAfter, date } = response.headers
  const seconds = Math.max(status.retryAfterSeconds ?? 0, parseRetryAfter(retryAfter, date, nowMs))
  return { ...status, code, ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}) }
}

function transportError(thrown: unknown, { step, method, target }: HttpRequest): WatchError {
  if (thrown instanceof WatchError) return thrown
  const { code = '', message = String(thrown) } = thrown as NodeJS.ErrnoException
  const isTls = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)
  if (!isTls && code === '') return asWatchError(thrown, step)
  const what = `${method} ${target.split('?', 1)[0]}: ${message}`
  return new WatchError({ code: isTls ? 'INF_TLS' : 'INF_CONNECT', step, message: what, cause: thrown })
}

function abortError({ step, method }: HttpRequest): WatchError {
  return new WatchError({ code: 'INF_CONNECT', step, message: `${method} was aborted` })
}
