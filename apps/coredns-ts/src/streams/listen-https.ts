// DNS over HTTPS (RFC 8484) on /dns-query, GET and POST, over HTTP/2 and HTTP/1.1. Without a certificate it is plain
// HTTP/1.1 for a proxy that ends TLS, as in CoreDNS core/dnsserver/server_https.go.

import type { EventEmitter } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { decodeMessage } from '@kubewire/dns-core'
import { type Answering, answerBytes } from '../answer-bytes.ts'
import type { OpenSocket } from '../udp/listen-udp.ts'
import { boundsOf, listenBounded, plainAddress } from './listen-bounded.ts'
import type { StreamOptions } from './listen-tcp.ts'
import { maxAgeSeconds } from './max-age.ts'
import { admitsClient, serverTlsOptions } from './server-tls.ts'

const contentType = 'application/dns-message'
const maxMessageBytes = 65_535

/** Without a finished question or reply a connection ends after this (CoreDNS core/dnsserver, idle timeout). */
const defaultIdleMs = 10_000

/** Connections of one listener at a time (CoreDNS core/dnsserver/server_https.go). */
const bounds = boundsOf(200)

/** Questions of one connection at a time. */
const maxStreams = 256

type Request = IncomingMessage | Http2ServerRequest

/** The one half of both kinds of responses that is used here. */
type Response = ServerResponse | Http2ServerResponse

/** Opens an HTTPS server, or an HTTP server without a certificate. An empty address means all. */
export async function listenHttps(
  address: string,
  port: number,
  answering: Answering,
  options: StreamOptions,
  countStatus: (status: number) => void,
): Promise<OpenSocket> {
  const idleMs = options.timeouts?.idleMs ?? defaultIdleMs
  // By client address and port. Only whole questions and replies restart the time, so that a slow sender holds nothing.
  const idleTimers = new Map<string, NodeJS.Timeout>()
  const server = serverOf(options, idleMs, (request, response) => {
    const { socket } = request
    const touch = (): void => void idleTimers.get(peerKey(socket))?.refresh()
    response.on('finish', touch)
    answerRequest(request, response, answering, port, countStatus, touch).catch(() => socket.destroy())
  })
  const serve = (socket: Socket): void => {
    const key = peerKey(socket)
    const timer = setTimeout(() => socket.destroy(), idleMs)
    idleTimers.set(key, timer)
    socket.on('close', () => {
      clearTimeout(timer)
      idleTimers.delete(key)
    })
    server.emit('connection', socket)
  }
  const bounded = await listenBounded({ address, port }, options.bounds ?? bounds, serve, options)
  return { answering, close: bounded.close }
}

/** A server without a socket of its own: connections are given to it. */
function serverOf(
  { tls }: StreamOptions,
  idleMs: number,
  onRequest: (request: Request, response: Response) => void,
): EventEmitter {
  if (tls === undefined) return createServer(onRequest)
  const options = { ...serverTlsOptions(tls, idleMs), allowHTTP1: true, settings: { maxConcurrentStreams: maxStreams } }
  const server = createSecureServer(options, onRequest)
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    if (!admitsClient(tls, socket)) socket.destroy()
  })
  return server
}

function peerKey({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`
}

async function answerRequest(
  request: Request,
  response: Response,
  answering: Answering,
  port: number,
  countStatus: (status: number) => void,
  touch: () => void,
): Promise<void> {
  const write = (status: number, headers: { readonly [name: string]: string | number }, body: string | Uint8Array) => {
    countStatus(status)
    // Both kinds have the same methods; the types of their overloads do not meet.
    const one = response as ServerResponse
    one.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
  }
  const refuse = (status: number, text: string): void =>
    write(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }, `${text}\n`)
  const url = new URL(request.url ?? '/', 'https://localhost')
  if (url.pathname !== '/dns-query') return refuse(404, '')
  const message = await readMessage(request, url)
  if (message === undefined) return refuse(400, 'invalid request')
  touch()
  const { remoteAddress = '', remotePort = 0, localAddress = '' } = request.socket
  const client = { address: plainAddress(remoteAddress), port: remotePort }
  const local = { address: plainAddress(localAddress), port }
  let reply: Uint8Array | undefined
  const keepFirst = (bytes: Uint8Array): void => {
    reply ??= bytes
  }
  await new Promise<void>((resolve) => {
    answerBytes(answering, message, { transport: 'https', client, local }, keepFirst, resolve)
  })
  if (reply === undefined) return refuse(500, 'No response')
  write(200, { 'content-type': contentType, 'cache-control': `max-age=${maxAgeSeconds(reply)}` }, reply)
}

/** The question of a request; `undefined` when there is none that can be read. */
async function readMessage(request: Request, url: URL): Promise<Uint8Array | undefined> {
  const bytes = await readBytes(request, url)
  return bytes === undefined || decodeMessage(bytes) === undefined ? undefined : bytes
}

async function readBytes(request: Request, url: URL): Promise<Uint8Array | undefined> {
  if (request.method === 'GET') {
    const texts = url.searchParams.getAll('dns')
    return texts.length === 1 ? Buffer.from(texts[0] ?? '', 'base64url') : undefined
  }
  if (request.method !== 'POST' || request.headers['content-type'] !== contentType) return undefined
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxMessageBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
