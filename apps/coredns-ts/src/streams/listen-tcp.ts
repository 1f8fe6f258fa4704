// DNS over TCP and TLS (RFC 7766, RFC 7858): length-prefixed messages, pipelining, limits of time and backlog.

import type { Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { TimeoutsConfig, TlsConfig } from '@kubewire/dns-core'
import { type Answering, answerBytes } from '../answer-bytes.ts'
import { answerHot } from '../answer-hot.ts'
import { wayOf } from '../metrics/count-requests.ts'
import type { OpenSocket } from '../udp/listen-udp.ts'
import { boundsOf, type ConnectionBounds, type ListenerEvents, listenBounded, plainAddress } from './listen-bounded.ts'
import { admitsClient, serverTlsOptions } from './server-tls.ts'

/** Limits of a connection (CoreDNS core/dnsserver: read 3 s, write 5 s, idle 10 s). */
const defaultTimeouts = { readMs: 3000, idleMs: 10_000 }

/** Replies waiting in one connection beyond this stop the reading of it. */
const maxBacklogBytes = 1024 * 1024

/** Replies to the messages of one chunk are gathered here, each with its length in front, and written at once. */
const gathered = Buffer.alloc(256 * 1024)

// A question and its ready answer are copied into these and out again, which costs less than new views of a chunk.
const question = Buffer.alloc(512)
const reply = Buffer.alloc(65_535)

/** Connections of one listener at a time; each holds a descriptor and a few kilobytes. */
export const streamBounds: ConnectionBounds = boundsOf(16_384)

/** What a listener with connections is told. */
export interface StreamOptions extends ListenerEvents {
  readonly timeouts?: TimeoutsConfig
  readonly tls?: TlsConfig
  readonly bounds?: ConnectionBounds
}

/** Opens a TCP or, with a certificate, a TLS server. An empty address means all. */
export async function listenTcp(
  address: string,
  port: number,
  answering: Answering,
  options: StreamOptions = {},
): Promise<OpenSocket> {
  const { tls } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const take = tls === undefined ? undefined : tlsTaker(tls, answering, timeouts)
  const serve = take ?? ((socket: Socket): void => serveConnection(socket, answering, 'tcp', timeouts))
  const server = await listenBounded({ address, port }, options.bounds ?? streamBounds, serve, options)
  return { answering, close: server.close }
}

/** Takes connections into TLS; the sockets under it are the bounded ones. */
function tlsTaker(tls: TlsConfig, answering: Answering, timeouts: typeof defaultTimeouts): (socket: Socket) => void {
  const options = { ...serverTlsOptions(tls, timeouts.idleMs), ALPNProtocols: ['dot'] }
  const server = createTlsServer(options, (socket) => {
    if (admitsClient(tls, socket)) serveConnection(socket, answering, 'tls', timeouts)
    else socket.destroy()
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return (socket) => void server.emit('connection', socket)
}

function serveConnection(
  socket: Socket,
  answering: Answering,
  transport: 'tcp' | 'tls',
  timeouts: { readonly readMs: number; readonly idleMs: number },
): void {
  const client = { address: plainAddress(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 }
  const local = { address: plainAddress(socket.localAddress ?? ''), port: socket.localPort ?? 0 }
  const way = wayOf(transport, client.address.includes(':') ? 6 : 4)
  let buffered: Buffer = Buffer.alloc(0)
  let readTimer: NodeJS.Timeout | undefined
  let isGathering = false
  let used = 0
  const write = (bytes: Uint8Array): void => {
    if (socket.destroyed || bytes.length === 0) return
    socket.write(bytes)
    if (socket.writableLength > maxBacklogBytes) socket.pause()
  }
  const flush = (): void => {
    write(Buffer.from(gathered.subarray(0, used)))
    used = 0
  }
  const send = (message: Uint8Array): void => {
    if (isGathering && gathered.length - used < message.length + 2) flush()
    const frame = isGathering ? gathered.subarray(used) : Buffer.allocUnsafe(message.length + 2)
    frame.writeUInt16BE(message.length)
    frame.set(message, 2)
    if (isGathering) used += message.length + 2
    else write(frame)
  }
  /** Answers the message at `at` of what was read; whether it was ready. */
  const answer = (at: number, length: number, isFollowing: boolean): boolean => {
    const ready = length > question.length ? 0 : answerReady(at, length, isFollowing)
    if (ready > 0) {
      if (gathered.length - used < ready + 2) flush()
      gathered[used++] = ready >> 8
      gathered[used++] = ready & 0xff
      copyBytes(reply, 0, ready, gathered, used)
      used += ready
    } else answerBytes(answering, buffered.subarray(at, at + length), { transport, client, local }, send)
    return ready > 0
  }
  const answerReady = (at: number, length: number, isFollowing: boolean): number => {
    copyBytes(buffered, at, length, question, 0)
    return answerHot(answering, question, length, way, reply, isFollowing)
  }
  socket.setTimeout(timeouts.idleMs, () => socket.destroy())
  socket.on('drain', () => socket.resume())
  socket.on('error', () => socket.destroy())
  socket.on('close', () => clearTimeout(readTimer))
  socket.on('data', (chunk: Buffer) => {
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
    let at = 0
    isGathering = true
    let isFollowing = false
    while (buffered.length - at >= 2) {
      const length = buffered.readUInt16BE(at)
      if (buffered.length - at - 2 < length) break
      isFollowing = answer(at + 2, length, isFollowing)
      at += 2 + length
    }
    flush()
    isGathering = false
    buffered = at === buffered.length ? Buffer.alloc(0) : Buffer.from(buffered.subarray(at))
    clearTimeout(readTimer)
    // A message that has begun must be whole within the read limit.
    if (buffered.length > 0) readTimer = setTimeout(() => socket.destroy(), timeouts.readMs)
  })
}

/** Short copies are faster in a loop than through a view. */
function copyBytes(from: Buffer, at: number, length: number, to: Buffer, toAt: number): void {
  if (length > 256) from.copy(to, toAt, at, at + length)
  else for (let i = 0; i < length; i++) to[toAt + i] = from[at + i] as number
}
