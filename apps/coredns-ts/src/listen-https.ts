// DNS over HTTPS (RFC 8484) on /dns-query, GET and POST, over HTTP/2 and HTTP/1.1.

import { readFileSync } from 'node:fs'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import type { TlsConfig } from '@kubewire/dns-core'
import { type Answering, answerBytes } from './answer-bytes.ts'
import type { OpenSocket } from './listen-udp.ts'

const contentType = 'application/dns-message'
const maxMessageBytes = 65_535

/** A connection without traffic ends after this (CoreDNS core/dnsserver, idle timeout). */
const idleMs = 10_000

/** Questions of one connection at a time. */
const maxStreams = 256

/** Opens an HTTPS server; without a certificate there is nothing to serve with. */
export async function listenHttps(
  address: string,
  port: number,
  answering: Answering,
  tls: TlsConfig,
  countStatus: (status: number) => void,
): Promise<OpenSocket> {
  const sockets = new Set<Socket>()
  const server = createSecureServer(
    {
      cert: readFileSync(tls.cert),
      key: readFileSync(tls.key),
      allowHTTP1: true,
      handshakeTimeout: idleMs,
      settings: { maxConcurrentStreams: maxStreams },
    },
    (request, response) => void answerRequest(request, response, answering, port, countStatus),
  )
  server.setTimeout(idleMs)
  server.on('secureConnection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(address === '' ? {} : { host: address }) }, resolve)
  })
  server.on('error', () => {})
  return {
    answering,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function answerRequest(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  answering: Answering,
  port: number,
  countStatus: (status: number) => void,
): Promise<void> {
  const refuse = (status: number, text: string): void => {
    countStatus(status)
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
  }
  const url = new URL(request.url ?? '/', 'https://localhost')
  if (url.pathname !== '/dns-query') return refuse(404, '')
  const message = await readMessage(request, url)
  if (message === undefined) return refuse(400, 'no DNS message')
  const client = {
    address: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    port: request.socket.remotePort ?? 0,
  }
  const local = { address: request.socket.localAddress ?? '', port }
  let reply: Uint8Array | undefined
  await new Promise<void>((resolve) => {
    answerBytes(
      answering,
      message,
      { transport: 'https', client, local },
      (bytes) => {
        reply ??= bytes
      },
      resolve,
    )
  })
  if (reply === undefined) return refuse(500, 'No response')
  countStatus(200)
  response.writeHead(200, { 'content-type': contentType, 'content-length': reply.length }).end(reply)
}

async function readMessage(request: Http2ServerRequest, url: URL): Promise<Uint8Array | undefined> {
  if (request.method === 'GET') {
    const text = url.searchParams.get('dns')
    return text === null ? undefined : Buffer.from(text, 'base64url')
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
