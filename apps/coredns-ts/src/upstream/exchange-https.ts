// Exchanges with upstreams over HTTPS (RFC 8484): one HTTP/2 connection for many queries, HTTP/1.1 where the upstream
// speaks nothing newer.

import { readFileSync } from 'node:fs'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import {
  decodeMessage,
  type ExchangeOptions,
  encodeQuery,
  type Message,
  type Query,
  type Upstream,
} from '@kubewire/dns-core'

/** A reply, or why there is none. */
export type HttpsResult = { readonly message: Message } | { readonly error: string; readonly isTimeout: boolean }

/** Connections to upstreams; `close` ends them. */
export interface HttpsExchange {
  exchange(upstream: Upstream, query: Query, options: ExchangeOptions): Promise<HttpsResult>
  close(): void
}

const contentType = 'application/dns-message'
const path = '/dns-query'

/** No connections yet. */
export function createHttpsExchange(): HttpsExchange {
  const sessions = new Map<string, Promise<ClientHttp2Session | undefined>>()
  return {
    async exchange(upstream, query, options) {
      const key = `${upstream.address} ${upstream.port} ${upstream.serverName ?? ''}`
      // RFC 8484 §4.1: an ID of zero, so that caches of HTTP can work.
      const body = Buffer.from(encodeQuery({ ...query, id: 0 }))
      let opened = sessions.get(key)
      if (opened === undefined) {
        opened = openSession(upstream, options, () => sessions.delete(key))
        sessions.set(key, opened)
      }
      try {
        const session = await opened
        const reply =
          session === undefined
            ? await askHttp1(upstream, body, options)
            : await askHttp2(session, authorityOf(upstream), body, options)
        const message = decodeMessage(reply)
        return message === undefined ? failure(new Error('bad reply')) : { message }
      } catch (cause) {
        return failure(cause)
      }
    },
    close() {
      for (const opened of sessions.values()) void opened.then((session) => session?.destroy()).catch(() => {})
      sessions.clear()
    },
  }
}

/** A session; `undefined` where the upstream did not choose HTTP/2. */
async function openSession(
  upstream: Upstream,
  options: ExchangeOptions,
  forget: () => void,
): Promise<ClientHttp2Session | undefined> {
  try {
    const socket = await openTls(upstream, options)
    if (socket.alpnProtocol !== 'h2') {
      socket.destroy()
      return undefined
    }
    const session = connectHttp2(`https://${authorityOf(upstream)}`, { createConnection: () => socket })
    session.setTimeout(options.expireMs, () => session.close())
    session.on('error', () => session.destroy())
    session.on('goaway', forget)
    session.on('close', forget)
    session.unref()
    return session
  } catch (cause) {
    forget()
    throw cause
  }
}

function openTls(upstream: Upstream, options: ExchangeOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host: upstream.address,
      port: upstream.port,
      ...tlsOptions(upstream, options),
      ALPNProtocols: ['h2', 'http/1.1'],
    })
    const timer = setTimeout(() => socket.destroy(new TimeoutError()), options.timeoutMs)
    socket.once('secureConnect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}

function askHttp2(
  session: ClientHttp2Session,
  authority: string,
  body: Buffer,
  options: ExchangeOptions,
): Promise<Buffer> {
  const isGet = options.method === 'GET'
  return new Promise((resolve, reject) => {
    const stream = session.request(
      isGet
        ? {
            ':method': 'GET',
            ':authority': authority,
            ':path': `${path}?dns=${body.toString('base64url')}`,
            accept: contentType,
          }
        : {
            ':method': 'POST',
            ':authority': authority,
            ':path': path,
            accept: contentType,
            'content-type': contentType,
          },
    )
    stream.setTimeout(options.timeoutMs, () => stream.destroy(new TimeoutError()))
    let status = 0
    const chunks: Buffer[] = []
    stream.on('response', (headers) => {
      status = headers[':status'] ?? 0
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', reject)
    stream.on('end', () => {
      if (status === 200) resolve(Buffer.concat(chunks))
      else reject(new Error(`http status ${status}`))
    })
    stream.end(isGet ? undefined : body)
  })
}

function askHttp1(upstream: Upstream, body: Buffer, options: ExchangeOptions): Promise<Buffer> {
  const isGet = options.method === 'GET'
  return new Promise((resolve, reject) => {
    const request = httpsRequest({
      host: upstream.address,
      port: upstream.port,
      ...tlsOptions(upstream, options),
      method: isGet ? 'GET' : 'POST',
      path: isGet ? `${path}?dns=${body.toString('base64url')}` : path,
      headers: { accept: contentType, ...(isGet ? {} : { 'content-type': contentType }) },
      timeout: options.timeoutMs,
    })
    request.on('timeout', () => request.destroy(new TimeoutError()))
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks))
        else reject(new Error(`http status ${response.statusCode}`))
      })
    })
    request.end(isGet ? undefined : body)
  })
}

class TimeoutError extends Error {
  override readonly message = 'i/o timeout'
}

function failure(cause: unknown): HttpsResult {
  const error = cause instanceof Error ? cause.message : String(cause)
  return { error, isTimeout: cause instanceof TimeoutError }
}

function authorityOf({ address, port, serverName }: Upstream): string {
  const host = serverName ?? (address.includes(':') ? `[${address}]` : address)
  return port === 443 ? host : `${host}:${port}`
}

/** Options of TLS towards an upstream, shared by DNS over TLS and over HTTPS. */
export function tlsOptions(
  { serverName }: Upstream,
  { tls = {}, sourceAddress }: ExchangeOptions,
): { servername?: string; cert?: Buffer; key?: Buffer; ca?: Buffer; localAddress?: string } {
  return {
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(tls.cert === undefined ? {} : { cert: readFileSync(tls.cert) }),
    ...(tls.key === undefined ? {} : { key: readFileSync(tls.key) }),
    ...(tls.ca === undefined ? {} : { ca: readFileSync(tls.ca) }),
    ...(sourceAddress === undefined ? {} : { localAddress: sourceAddress }),
  }
}
