// Health, readiness, metrics, webhooks: a few fixed routes over HTTP or HTTPS, bounded in connections, time and size,
// so that a slow or hostile peer costs a daemon nothing that matters.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Log } from './log.ts'

/** What a route is asked. */
export interface EndpointRequest {
  readonly method: string
  /** Without query, as received. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** Empty unless `maxBodyBytes` allows one. */
  readonly body: string
}

/** What a route answers; status 200 and `text/plain; charset=utf-8` unless said otherwise. */
export interface EndpointReply {
  readonly status?: number
  readonly contentType?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body: string
}

/** One route; a path that ends in `/` stands for everything below it, the longest match wins (Go ServeMux). */
export type EndpointHandler = (request: EndpointRequest) => EndpointReply | Promise<EndpointReply>

/** Where to listen and what to answer. */
export interface EndpointOptions {
  /** Empty or `::`: all addresses, both families. */
  readonly address: string
  /** 0: any free port. */
  readonly port: number
  /** `::` leaves the IPv4 addresses to others. */
  readonly isIpv6Only?: boolean
  readonly routes: { readonly [path: string]: EndpointHandler }
  readonly log?: Pick<Log, 'warn' | 'error'>
  /** PEM texts; plain HTTP without. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string }
  /** Default 256; more are closed at once. */
  readonly maxConnections?: number
  /** Default 0: a request with a body is answered 413. */
  readonly maxBodyBytes?: number
  /** Time for a whole request to arrive; default 10 000 ms. */
  readonly requestTimeoutMs?: number
}

/** A listening server. */
export interface Endpoints {
  readonly port: number
  /** Replaces the certificate without closing anything; only with `tls`. */
  setTls(tls: { readonly cert: string; readonly key: string }): void
  /** Stops listening and closes every connection. */
  close(): Promise<void>
}

/** Starts listening. Rejects with Node's error when the address cannot be bound. */
export async function serveEndpoints(options: EndpointOptions): Promise<Endpoints> {
  const { requestTimeoutMs = 10_000 } = options
  const limits = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 5000),
    keepAliveTimeout: 15_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16 * 1024,
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void answer(options, request, response)
  const tlsServer = options.tls ? createTlsServer({ ...limits, ...options.tls }, onRequest) : undefined
  const server: Server = tlsServer ?? createServer(limits, onRequest)
  server.maxConnections = options.maxConnections ?? 256
  server.on('clientError', (_error, socket) => socket.destroy())
  tlsServer?.on('tlsClientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const address = options.address === '' ? undefined : options.address
    const { isIpv6Only: ipv6Only = false } = options
    server.listen({ port: options.port, ipv6Only, ...(address === undefined ? {} : { host: address }) }, resolve)
  })
  server.on('error', (error) => options.log?.error(`http endpoint: ${error.message}`))
  return {
    port: (server.address() as AddressInfo).port,
    setTls: (tls) => tlsServer?.setSecureContext(tls),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(options: EndpointOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const reply = await replyTo(options, request).catch((error: unknown): EndpointReply => {
    options.log?.error(`http endpoint ${request.url ?? ''}: ${error instanceof Error ? error.message : String(error)}`)
    return { status: 500, body: 'internal error\n' }
  })
  if (response.destroyed) return
  const body = Buffer.from(reply.body)
  response.writeHead(reply.status ?? 200, {
    'content-type': reply.contentType ?? 'text/plain; charset=utf-8',
    'content-length': body.length,
    ...reply.headers,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

async function replyTo(options: EndpointOptions, request: IncomingMessage): Promise<EndpointReply> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const handler = findRoute(options.routes, url.pathname)
  if (handler === undefined) return notFound
  const body = await readBody(request, options.maxBodyBytes ?? 0)
  if (body === undefined) return { status: 413, body: 'request body too large\n', headers: { connection: 'close' } }
  const { method = 'GET', headers } = request
  return handler({ method, path: url.pathname, query: url.searchParams, headers, body })
}

function findRoute(routes: EndpointOptions['routes'], path: string): EndpointHandler | undefined {
  if (Object.hasOwn(routes, path)) return routes[path]
  const prefix = Object.keys(routes)
    .filter((route) => route.endsWith('/') && path.startsWith(route))
    .reduce((longest, route) => (route.length > longest.length ? route : longest), '')
  return prefix === '' ? undefined : routes[prefix]
}

// As Go's `http.NotFound` answers.
const notFound: EndpointReply = {
  status: 404,
  headers: { 'X-Content-Type-Options': 'nosniff' },
  body: '404 page not found\n',
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
