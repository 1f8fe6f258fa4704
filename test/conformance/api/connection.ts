// Requests and watches to a server over https, one connection for each, as a careful client would see them.

import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { connect } from 'node:tls'
import { gunzipSync } from 'node:zlib'

/** How to reach a server. */
export type Address = { readonly port: number } | { readonly socketPath: string }

/** What was asked. */
export interface ApiQuestion {
  readonly method: string
  readonly path: string
  readonly query: { readonly [name: string]: unknown }
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
}

/** What came back. */
export interface ApiReply {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly text: string
  readonly seconds: number
}

/** One frame of a watch. */
export interface Frame {
  readonly type: string
  readonly object: unknown
}

/** An open watch; frames come in a queue. */
export interface OpenWatch {
  readonly reply: ApiReply
  readonly frames: Frame[]
  hasEnded(): boolean
  /** Waits for a frame, the end, or the time. */
  wait(ms: number): Promise<void>
  close(): void
}

/** Asks and reads the whole answer. */
export async function ask(address: Address, question: ApiQuestion): Promise<ApiReply> {
  const startMs = performance.now()
  const message = await send(address, question)
  return readReply(message, startMs)
}

/** Opens a watch. A status other than 200 is read to its end and has no frames. */
export async function openWatch(address: Address, question: ApiQuestion): Promise<OpenWatch> {
  const startMs = performance.now()
  const message = await send(address, question)
  if (message.statusCode !== 200) return endedWatch(await readReply(message, startMs))
  const frames: Frame[] = []
  let hasEnded = false
  let wake = (): void => {}
  let rest = ''
  message.setEncoding('utf8')
  message.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') frames.push(JSON.parse(line) as Frame)
    wake()
  })
  const end = (): void => {
    hasEnded = true
    wake()
  }
  message.on('end', end).on('close', end).on('error', end)
  const reply = { status: 200, headers: headersOf(message), text: '', seconds: (performance.now() - startMs) / 1000 }
  return {
    reply,
    frames,
    hasEnded: () => hasEnded,
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    close: () => message.destroy(),
  }
}

function endedWatch(reply: ApiReply): OpenWatch {
  return { reply, frames: [], hasEnded: () => true, wait: async () => {}, close: () => {} }
}

async function send(address: Address, question: ApiQuestion): Promise<IncomingMessage> {
  const { method, headers, body } = question
  const query = Object.entries(question.query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const path = query.length === 0 ? question.path : `${question.path}?${query.join('&')}`
  const tls = { rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }
  const where =
    'port' in address
      ? { agent: false as const, host: '127.0.0.1', port: address.port }
      : { createConnection: () => connect({ path: address.socketPath, ...tls }) }
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const request = https.request({
    method,
    path,
    headers: { ...headers, ...(bytes ? { 'content-length': bytes.length } : {}) },
    ...tls,
    ...where,
  })
  request.end(bytes)
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  return message
}

async function readReply(message: IncomingMessage, startMs: number): Promise<ApiReply> {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  const raw = Buffer.concat(chunks)
  const bytes = message.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
  return {
    status: message.statusCode ?? 0,
    headers: headersOf(message),
    text: bytes.toString('utf8'),
    seconds: (performance.now() - startMs) / 1000,
  }
}

function headersOf(message: IncomingMessage): { [name: string]: string } {
  const found: { [name: string]: string } = {}
  for (let i = 0; i < message.rawHeaders.length; i += 2) {
    const name = (message.rawHeaders[i] ?? '').toLowerCase()
    const value = message.rawHeaders[i + 1] ?? ''
    found[name] = name in found ? `${found[name]}, ${value}` : value
  }
  return found
}
