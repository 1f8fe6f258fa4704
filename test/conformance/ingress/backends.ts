// The servers behind the Services of a case: echo, auth gate, TCP and UDP echo. Each notes what it saw last.

import dgram from 'node:dgram'
import http from 'node:http'
import net from 'node:net'
import type { BackendSpec } from '@kubewire/nginx-gen/cases'

/** One request as a backend saw it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** The running backends of a case. */
export interface Backends {
  /** What each backend saw since the last `forget`, by name. */
  readonly seen: ReadonlyMap<string, readonly SeenRequest[]>
  forget(): void
  close(): Promise<void>
}

/** Starts all of them; the addresses must exist. */
export async function startBackends(specs: readonly BackendSpec[]): Promise<Backends> {
  const seen = new Map<string, SeenRequest[]>()
  const note = (name: string, request: SeenRequest): void => {
    const list = seen.get(name) ?? []
    seen.set(name, list)
    list.push(request)
  }
  const closers: (() => Promise<void>)[] = []
  for (const spec of specs) {
    const { role = 'echo' } = spec
    if (role === 'refuse') continue
    closers.push(await starters[role](spec, note))
  }
  return {
    seen,
    forget: () => seen.clear(),
    close: async () => {
      await Promise.all(closers.map((close) => close()))
    },
  }
}

type Note = (name: string, request: SeenRequest) => void
type Starter = (spec: BackendSpec, note: Note) => Promise<() => Promise<void>>

const starters: { readonly [role in 'echo' | 'gate' | 'tcp-echo' | 'udp-echo']: Starter } = {
  echo: (spec, note) => startHttp(spec, note, answerEcho),
  gate: (spec, note) => startHttp(spec, note, answerGate),
  'tcp-echo': startTcp,
  'udp-echo': startUdp,
}

type Answer = (spec: BackendSpec, request: SeenRequest, response: http.ServerResponse) => void

function startHttp(spec: BackendSpec, note: Note, answer: Answer): Promise<() => Promise<void>> {
  const server = http.createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = Object.fromEntries(
        Object.entries(incoming.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
      )
      const request = { method: incoming.method ?? '', path: incoming.url ?? '', headers, body }
      note(spec.name, request)
      answer(spec, request, response)
    })
  })
  server.keepAliveTimeout = 60_000
  return listening(server, spec, () => server.closeAllConnections())
}

function answerEcho(spec: BackendSpec, { method, path, headers }: SeenRequest, response: http.ServerResponse): void {
  const isPages = spec.name.startsWith('pages')
  const status = isPages ? 200 : Number(headers['x-echo-status'] ?? 200)
  const body = Buffer.from(JSON.stringify({ backend: spec.name, method, path, headers }))
  const set = headers['x-echo-set']
  const colon = set?.indexOf(':') ?? -1
  if (set !== undefined && colon > 0) response.setHeader(set.slice(0, colon).trim(), set.slice(colon + 1).trim())
  response.setHeader('content-type', 'application/json')
  const isBodyless = status === 204 || status === 304
  if (!isBodyless) response.setHeader('content-length', body.length)
  response.statusCode = status
  response.end(isBodyless || method === 'HEAD' ? undefined : body)
}

function answerGate(_spec: BackendSpec, { headers }: SeenRequest, response: http.ServerResponse): void {
  const user = headers['x-gate-user']
  if (user !== undefined) response.setHeader('X-User', user)
  response.setHeader('Set-Cookie', 'gate=1')
  response.statusCode = Number(headers['x-gate'] ?? 401)
  response.end()
}

function startTcp(spec: BackendSpec): Promise<() => Promise<void>> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let open = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (open + chunk).split('\n')
      open = lines.pop() ?? ''
      for (const line of lines) socket.write(`${spec.name}:${line}\n`)
    })
  })
  return listening(server, spec, () => {
    for (const socket of sockets) socket.destroy()
  })
}

function startUdp(spec: BackendSpec): Promise<() => Promise<void>> {
  const socket = dgram.createSocket(spec.address.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (message, from) => socket.send(`${spec.name}:${message}`, from.port, from.address))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address: spec.address, port: spec.port }, () => {
      resolve(() => new Promise((closed) => socket.close(() => closed())))
    })
  })
}

function listening(server: net.Server, { address, port }: BackendSpec, cut: () => void): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: address, port }, () => {
      resolve(
        () =>
          new Promise((closed) => {
            server.close(() => closed())
            cut()
          }),
      )
    })
  })
}
