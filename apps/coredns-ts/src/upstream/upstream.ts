// Exchanges with upstream servers over UDP, TCP, TLS and HTTPS. Connections are kept for a while and reused; every
// query has an unguessable ID and, over UDP, one of several ports.

import { randomInt } from 'node:crypto'
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  decodeMessage,
  type ExchangeOptions,
  type ExchangeResult,
  encodeQuery,
  type Message,
  type Query,
  type Upstream,
  upstreamReply,
} from '@kubewire/dns-core'
import { exchangeErrorText, type FailedExchange, hostPort, timeoutText } from './exchange-error.ts'
import { createHttpsExchange, type HttpsResult, tlsOptions } from './exchange-https.ts'

/** Sends queries to upstreams; `close` ends every connection. */
export interface UpstreamClient {
  exchange(upstream: Upstream, query: Query, options: ExchangeOptions): Promise<ExchangeResult>
  close(): void
}

/** UDP sockets kept for one upstream; each carries several queries. */
const udpSocketsPerUpstream = 8

/** A client with pools of its own. */
export function createUpstreamClient(
  reported: (isReused: boolean, labels: readonly [plugin: string, to: string, protocol: string]) => void,
): UpstreamClient {
  const udpPools = new Map<string, UdpPool>()
  const streamPools = new Map<string, IdleStreams>()
  const https = createHttpsExchange()
  return {
    exchange(upstream, query, options) {
      if (upstream.transport === 'https') return https.exchange(upstream, query, options).then(httpsResult)
      const label = hostPort(upstream)
      const countReuse =
        (proto: string) =>
        (isHit: boolean): void =>
          reported(isHit, ['forward', label, proto])
      if (upstream.transport === 'dns' && !options.useTcp) {
        const key = `${label} ${options.sourceAddress ?? ''}`
        const pool = udpPools.get(key) ?? createUdpPool(upstream, options, countReuse('udp'))
        udpPools.set(key, pool)
        return pool.exchange(query, options.timeoutMs)
      }
      const key = `${upstream.transport} ${label} ${upstream.serverName ?? ''} ${options.sourceAddress ?? ''}`
      const idle = streamPools.get(key) ?? { sockets: [] }
      streamPools.set(key, idle)
      return exchangeStream(
        upstream,
        query,
        options,
        idle,
        countReuse(upstream.transport === 'tls' ? 'tcp-tls' : 'tcp'),
      )
    },
    close() {
      https.close()
      for (const pool of udpPools.values()) pool.close()
      for (const idle of streamPools.values()) for (const { socket } of idle.sockets) socket.destroy()
    },
  }
}

interface UdpPool {
  exchange(query: Query, timeoutMs: number): Promise<ExchangeResult>
  close(): void
}

interface Waiting {
  readonly query: Query
  readonly settle: (result: ExchangeResult) => void
}

interface PooledSocket {
  readonly socket: UdpSocket
  readonly waiting: Map<number, Waiting>
  readonly ready: Promise<void>
  lastUseMs: number
}

function createUdpPool(upstream: Upstream, options: ExchangeOptions, countReuse: (isHit: boolean) => void): UdpPool {
  const pooled: PooledSocket[] = []
  const drop = (one: PooledSocket, error: string): void => {
    const at = pooled.indexOf(one)
    if (at >= 0) pooled.splice(at, 1)
    for (const { settle } of one.waiting.values()) settle(failure(error))
    one.waiting.clear()
    try {
      one.socket.close()
    } catch {
      // closed already
    }
  }
  const sweep = setInterval(() => {
    const nowMs = performance.now()
    for (const one of [...pooled]) {
      if (one.waiting.size === 0 && nowMs - one.lastUseMs > options.expireMs) drop(one, 'expired')
    }
  }, 1000)
  sweep.unref()
  return {
    async exchange(query, timeoutMs) {
      const one =
        pooled.length < udpSocketsPerUpstream ? openUdp(upstream, options, drop) : pooled[randomInt(pooled.length)]
      if (one === undefined) return failure('no socket')
      const isKnown = pooled.includes(one)
      countReuse(isKnown)
      if (!isKnown) pooled.push(one)
      one.lastUseMs = performance.now()
      let id = randomInt(65_536)
      while (one.waiting.has(id)) id = randomInt(65_536)
      return new Promise<ExchangeResult>((resolve) => {
        const timer = setTimeout(() => settle(failure(timeoutText(betweenUdp(one.socket, upstream)), true)), timeoutMs)
        const settle = (result: ExchangeResult): void => {
          clearTimeout(timer)
          one.waiting.delete(id)
          resolve(result)
        }
        one.waiting.set(id, { query, settle })
        one.ready.then(
          () => one.socket.send(encodeQuery({ ...query, id })),
          (cause: unknown) => settle(failure(exchangeErrorText(cause, betweenUdp(one.socket, upstream)))),
        )
      })
    },
    close() {
      clearInterval(sweep)
      for (const one of [...pooled]) drop(one, 'closed')
    },
  }
}

function openUdp(
  upstream: Upstream,
  options: ExchangeOptions,
  drop: (one: PooledSocket, error: string) => void,
): PooledSocket {
  const socket = createSocket(upstream.address.includes(':') ? 'udp6' : 'udp4')
  const waiting = new Map<number, Waiting>()
  const ready = new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    const connect = (): void => socket.connect(upstream.port, upstream.address, resolve)
    if (options.sourceAddress === undefined) connect()
    else socket.bind(0, options.sourceAddress, connect)
  })
  ready.catch(() => {})
  const one: PooledSocket = { socket, waiting, ready, lastUseMs: performance.now() }
  socket.on('message', (bytes) => {
    const found = waiting.get(bytes.readUInt16BE(0))
    const message = bytes.length < 12 ? undefined : decodeMessage(bytes)
    if (found === undefined || message === undefined || (message.flags & 0x8000) === 0) return
    found.settle(resultOf(message))
  })
  socket.on('error', (error) => drop(one, exchangeErrorText(error, betweenUdp(socket, upstream))))
  return one
}

interface IdleStream {
  readonly socket: Socket
  readonly openedMs: number
  readonly expiry: NodeJS.Timeout
}

interface IdleStreams {
  readonly sockets: IdleStream[]
}

function exchangeStream(
  upstream: Upstream,
  query: Query,
  options: ExchangeOptions,
  idle: IdleStreams,
  count: (isHit: boolean) => void,
): Promise<ExchangeResult> {
  const kept = takeIdle(idle)
  count(kept !== undefined)
  const socket = kept?.socket ?? openStream(upstream, options)
  const openedMs = kept?.openedMs ?? performance.now()
  return new Promise((resolve) => {
    const id = randomInt(65_536)
    let received = Buffer.alloc(0)
    const finish = (result: ExchangeResult, isReusable: boolean): void => {
      clearTimeout(timer)
      socket.removeAllListeners('data')
      if (isReusable && (options.maxIdle === 0 || idle.sockets.length < options.maxIdle))
        keepStream({ socket, openedMs }, idle, options)
      else socket.destroy()
      resolve(result)
    }
    const between = (): FailedExchange => betweenTcp(socket, upstream)
    const timer = setTimeout(() => finish(failure(timeoutText(between()), true), false), options.timeoutMs)
    const fail = (error: string): void => finish({ ...failure(error), wasCached: kept !== undefined }, false)
    socket.removeAllListeners('error').removeAllListeners('close')
    socket.on('error', (error) => fail(exchangeErrorText(error, between())))
    socket.on('close', () => fail('EOF'))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
      const message = decodeMessage(received.subarray(2, 2 + received.readUInt16BE(0)))
      if (message === undefined || message.id !== id) finish(failure('bad reply'), false)
      else finish(resultOf(message), true)
    })
    const bytes = encodeQuery({ ...query, id })
    const frame = Buffer.allocUnsafe(bytes.length + 2)
    frame.writeUInt16BE(bytes.length)
    frame.set(bytes, 2)
    socket.write(frame)
  })
}

/** The connection used last, its own timer off. */
function takeIdle(idle: IdleStreams): IdleStream | undefined {
  const kept = idle.sockets.pop()
  if (kept !== undefined) clearTimeout(kept.expiry)
  return kept
}

function keepStream(
  { socket, openedMs }: Pick<IdleStream, 'socket' | 'openedMs'>,
  idle: IdleStreams,
  { expireMs, maxAgeMs = 0 }: ExchangeOptions,
): void {
  const ageLeftMs = maxAgeMs === 0 ? Number.POSITIVE_INFINITY : openedMs + maxAgeMs - performance.now()
  if (ageLeftMs <= 0) {
    socket.destroy()
    return
  }
  const expiry = setTimeout(() => socket.destroy(), Math.min(expireMs, ageLeftMs))
  expiry.unref()
  const entry = { socket, openedMs, expiry }
  const forget = (): void => {
    clearTimeout(expiry)
    const at = idle.sockets.indexOf(entry)
    if (at >= 0) idle.sockets.splice(at, 1)
  }
  socket.removeAllListeners('error').removeAllListeners('close')
  socket.on('error', () => socket.destroy())
  socket.on('close', forget)
  idle.sockets.push(entry)
}

function openStream(upstream: Upstream, options: ExchangeOptions): Socket {
  const target = { host: upstream.address, port: upstream.port }
  const source = options.sourceAddress === undefined ? {} : { localAddress: options.sourceAddress }
  if (upstream.transport !== 'tls') return connectTcp({ ...target, ...source, noDelay: true })
  return connectTls({ ...target, ...tlsOptions(upstream, options), ALPNProtocols: ['dot'] })
}

function httpsResult(result: HttpsResult): ExchangeResult {
  return 'message' in result ? resultOf(result.message) : failure(result.error, result.isTimeout)
}

function resultOf(message: Message): ExchangeResult {
  const [question] = message.questions
  return { kind: 'reply', reply: upstreamReply(message), ...(question === undefined ? {} : { question }) }
}

function failure(error: string, isTimeout = false): ExchangeResult & { readonly kind: 'error' } {
  return { kind: 'error', error, isTimeout, wasCached: false }
}

function betweenUdp(socket: UdpSocket, upstream: Upstream): FailedExchange {
  const between = { network: 'udp', remote: hostPort(upstream) } as const
  try {
    const { address, port } = socket.address()
    return { ...between, local: { address, port } }
  } catch {
    // Not bound yet, or closed.
    return { ...between, local: undefined }
  }
}

function betweenTcp({ localAddress, localPort }: Socket, upstream: Upstream): FailedExchange {
  const isOpen = localAddress !== undefined && localPort !== undefined
  const local = isOpen ? { address: localAddress, port: localPort } : undefined
  return { network: 'tcp', local, remote: hostPort(upstream) }
}
