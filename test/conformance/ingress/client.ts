// Sends one probe of a case and tells what came back: HTTP/1.1 and HTTP/2, with SNI, client certificate and source
// address; or a line over TCP, a datagram over UDP. Follows no redirects and checks no certificates.

import dgram from 'node:dgram'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import { gunzipSync } from 'node:zlib'
import type { KeyPair, RequestSpec } from '@kubewire/nginx-gen/cases'

/** What came back. */
export interface Answer {
  /** `undefined` when the connection failed; `error` says how. */
  readonly status: number | undefined
  readonly error?: string
  /** Lower-case names; `set-cookie` holds all of them, one a line. */
  readonly headers: { readonly [name: string]: string }
  readonly cookies: readonly string[]
  readonly body: string
  readonly httpVersion: string
  /** Subject of the served certificate, `O=…, CN=…`. */
  readonly tlsSubject: string | undefined
}

/** What the requests of a case share. */
export interface ClientContext {
  readonly httpPort: number
  readonly httpsPort: number
  readonly certificates: ReadonlyMap<string, KeyPair>
  /** Cookies by jar name. */
  readonly jars: Map<string, Map<string, string>>
}

const target = '127.0.0.1'
const limitMs = 15_000

/** Sends one HTTP request. */
export async function sendRequest(spec: RequestSpec, context: ClientContext): Promise<Answer> {
  const headers = headersOf(spec, context)
  const answer = spec.http === '2' ? await sendHttp2(spec, headers, context) : await sendHttp1(spec, headers, context)
  if (spec.jar !== undefined) keepCookies(context, spec.jar, answer.cookies)
  return answer
}

function headersOf(spec: RequestSpec, context: ClientContext): [string, string][] {
  const headers: [string, string][] = [['Host', spec.host ?? target]]
  const given = Object.entries(spec.headers ?? {})
  // The client that recorded the cases sent this unless told otherwise, as curl does.
  if (!given.some(([name]) => name.toLowerCase() === 'accept')) headers.push(['Accept', '*/*'])
  for (const [name, value] of given) headers.push([name, String(value)])
  const jar = spec.jar === undefined ? undefined : context.jars.get(spec.jar)
  if (jar !== undefined && jar.size > 0) headers.push(['Cookie', [...jar].map(([n, v]) => `${n}=${v}`).join('; ')])
  return headers
}

function bodyOf(spec: RequestSpec): Buffer | undefined {
  if (spec.bodySize !== undefined) return Buffer.alloc(spec.bodySize, 'x')
  return spec.body === undefined ? undefined : Buffer.from(spec.body)
}

function tlsOptions(spec: RequestSpec, context: ClientContext, alpn: string): tls.ConnectionOptions {
  const name = spec.sni ?? (spec.host ?? '').replace(/:\d+$/, '')
  const pair = spec.clientCert === undefined ? undefined : context.certificates.get(spec.clientCert)
  return {
    rejectUnauthorized: false,
    ALPNProtocols: [alpn],
    ...(name === '' || net.isIP(name) > 0 ? {} : { servername: name }),
    ...(pair === undefined ? {} : { cert: pair.cert, key: pair.key }),
    ...(spec.client === undefined ? {} : { localAddress: spec.client }),
  }
}

function sendHttp1(spec: RequestSpec, headers: [string, string][], context: ClientContext): Promise<Answer> {
  const isTls = spec.scheme === 'https'
  const body = bodyOf(spec)
  return new Promise((resolve) => {
    const options: https.RequestOptions = {
      host: target,
      port: isTls ? context.httpsPort : context.httpPort,
      method: spec.method ?? 'GET',
      path: encodeUnsendable(spec.path ?? '/'),
      headers: [...headers, ...(body === undefined ? [] : [['Content-Length', String(body.length)]])].flat() as never,
      setHost: false,
      agent: false,
      timeout: limitMs,
      ...(spec.client === undefined ? {} : { localAddress: spec.client }),
      ...(isTls ? { ...tlsOptions(spec, context, 'http/1.1') } : {}),
    }
    let subject: string | undefined
    const failed = (error: Error): void => resolve(failure(error, subject))
    const request = (isTls ? https : http).request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', failed)
      response.on('end', () => {
        const distinct = Object.entries(response.headersDistinct)
        resolve({
          status: response.statusCode,
          headers: Object.fromEntries(distinct.map(([name, values]) => [name, (values ?? []).join(', ')])),
          cookies: response.headersDistinct['set-cookie'] ?? [],
          body: decodeBody(chunks, response.headers['content-encoding']),
          httpVersion: response.httpVersion,
          tlsSubject: subject,
        })
      })
    })
    request.on('socket', (socket) => {
      socket.once('secureConnect', () => {
        subject = subjectOf(socket as tls.TLSSocket)
      })
    })
    request.on('timeout', () => request.destroy(new Error(`no answer within ${limitMs} ms`)))
    request.on('error', failed)
    // The server may answer and close before it has read a large body.
    request.end(body)
  })
}

function sendHttp2(spec: RequestSpec, headers: [string, string][], context: ClientContext): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = tls.connect({ host: target, port: context.httpsPort, ...tlsOptions(spec, context, 'h2') })
    const failed = (error: Error): void => resolve(failure(error, undefined))
    socket.on('error', failed)
    socket.once('secureConnect', () => {
      const subject = subjectOf(socket)
      const session = http2.connect(`https://${target}`, { createConnection: () => socket })
      session.on('error', failed)
      const body = bodyOf(spec)
      const own = Object.fromEntries(headers.filter(([name]) => name !== 'Host').map(([n, v]) => [n.toLowerCase(), v]))
      const stream = session.request(
        {
          ':method': spec.method ?? 'GET',
          ':path': spec.path ?? '/',
          ':authority': spec.host ?? target,
          ':scheme': 'https',
          ...own,
        },
        { endStream: body === undefined },
      )
      stream.setTimeout(limitMs, () => stream.close())
      let received: http2.IncomingHttpHeaders = {}
      const chunks: Buffer[] = []
      stream.on('response', (found) => {
        received = found
      })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', failed)
      stream.on('close', () => {
        session.close()
        resolve(answerOfHttp2(received, chunks, subject))
      })
      if (body !== undefined) stream.end(body)
    })
  })
}

function answerOfHttp2(headers: http2.IncomingHttpHeaders, chunks: readonly Buffer[], subject: string): Answer {
  const plain = Object.entries(headers).filter(([name]) => !name.startsWith(':'))
  return {
    status: Number(headers[':status']) || undefined,
    headers: Object.fromEntries(plain.map(([name, value]) => [name, [value].flat().join(', ')])),
    cookies: headers['set-cookie'] ?? [],
    body: decodeBody(chunks, headers['content-encoding']),
    httpVersion: '2',
    tlsSubject: subject,
  }
}

/** Sends a text over TCP or UDP; `undefined` when the port refuses or closes at once. */
export function sendPlain(spec: RequestSpec, wantedLength: number): Promise<string | undefined> {
  return spec.udp === undefined
    ? sendTcp(spec.tcp ?? 0, spec.send ?? '', wantedLength)
    : sendUdp(spec.udp, spec.send ?? '')
}

const plainLimitMs = 1500

function sendTcp(port: number, text: string, wantedLength: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let received = ''
    const socket = net.connect({ host: target, port })
    const done = (): void => {
      socket.destroy()
      resolve(received === '' ? undefined : received)
    }
    socket.setTimeout(plainLimitMs, done)
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk
      if (received.length >= wantedLength) done()
    })
    socket.on('error', done)
    socket.on('close', done)
    socket.once('connect', () => socket.write(text))
  })
}

function sendUdp(port: number, text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket('udp4')
    const done = (answer: string | undefined): void => {
      clearTimeout(timer)
      socket.close()
      resolve(answer)
    }
    const timer = setTimeout(() => done(undefined), plainLimitMs)
    socket.once('message', (message) => done(message.toString()))
    socket.once('error', () => done(undefined))
    socket.connect(port, target, () => socket.send(text))
  })
}

function decodeBody(chunks: readonly Buffer[], encoding: string | undefined): string {
  const bytes = Buffer.concat(chunks)
  return (encoding === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString()
}

function keepCookies(context: ClientContext, name: string, cookies: readonly string[]): void {
  const jar = context.jars.get(name) ?? new Map<string, string>()
  context.jars.set(name, jar)
  for (const cookie of cookies) {
    const [pair = ''] = cookie.split(';')
    const equals = pair.indexOf('=')
    jar.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim())
  }
}

function subjectOf(socket: tls.TLSSocket): string {
  const { subject } = socket.getPeerCertificate()
  return Object.entries(subject ?? {})
    .map(([name, value]) => `${name}=${[value].flat().join('+')}`)
    .join(', ')
}

function failure(error: Error, tlsSubject: string | undefined): Answer {
  return { status: undefined, error: error.message, headers: {}, cookies: [], body: '', httpVersion: '', tlsSubject }
}

// Node refuses to send spaces, control characters and anything beyond Latin-1.
function encodeUnsendable(path: string): string {
  return path.replaceAll(/[^\u0021-\u00ff]/gu, (c) => encodeURIComponent(c))
}
