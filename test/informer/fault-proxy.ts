// An HTTP proxy in front of an API server that breaks things on demand: what networks, balancers and servers do to a
// list or watch. Works in front of any server, so the same faults meet the mini API server and the real one.

import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

/** Answers given instead of asking the server; the first whose verb fits is used up. */
export interface CannedAnswer {
  readonly verb: 'list' | 'watch' | 'page'
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body: string
}

/** How the body of the next list is sent. */
export type BodyStyle = 'whole' | 'slow' | 'half' | 'reset'

/** What happens to a line of an open watch on its way: the lines to send instead. */
export type WatchTampering = (line: string) => readonly string[]

/** The proxy and its switches. */
export interface FaultProxy {
  readonly url: string
  /** Where requests go now. */
  upstream: string
  readonly requests: string[]
  readonly openWatches: number
  readonly openSockets: number
  answerNext(answer: CannedAnswer): void
  /** The next list body is sent in this way. */
  bodyNext(style: BodyStyle): void
  /** Ends open watches as a server does at its timeout. */
  endWatches(): void
  /** Cuts every connection with a reset. */
  resetAll(): void
  /** Sends nothing more on the open connections, and does not close them. */
  stallWatches(): void
  /** The next request of this kind gets no headers. */
  hangNext(verb: 'list' | 'watch'): void
  /** Writes bytes into the open watches. */
  writeWatches(bytes: string | Buffer): void
  /** Passes lines through `tamper` until called with `undefined`. */
  tamper(tampering: WatchTampering | undefined): void
  /** Undoes what only time would heal: ends watches that are stalled, or that a tampering keeps a frame of. */
  release(): void
  /** Sends one byte per write. */
  isBytewise: boolean
  /** The next frame is cut in half; then the stream ends or is reset. */
  cutNextFrame(how: 'end' | 'reset'): void
  /** Nobody listens for so long. */
  refuse(): Promise<void>
  listenAgain(): Promise<void>
  close(): Promise<void>
}

interface OpenWatch {
  readonly response: ServerResponse
  readonly stop: () => void
  isStalled: boolean
}

/** Starts a proxy to `upstream`. */
export async function createFaultProxy(upstream: string): Promise<FaultProxy> {
  const watches = new Set<OpenWatch>()
  const sockets = new Set<Socket>()
  const canned: CannedAnswer[] = []
  const hanging = new Set<'list' | 'watch'>()
  let bodyStyle: BodyStyle = 'whole'
  let tampering: WatchTampering | undefined
  let cut: 'end' | 'reset' | undefined

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://proxy')
    const verb = url.searchParams.has('watch') ? 'watch' : url.searchParams.has('continue') ? 'page' : 'list'
    proxy.requests.push(`${verb} ${url.search.slice(1)}`)
    if (hanging.delete(verb === 'watch' ? 'watch' : 'list')) return
    const at = canned.findIndex((answer) => answer.verb === verb)
    if (at >= 0) return sendCanned(canned.splice(at, 1)[0] as CannedAnswer, response)
    const style = verb === 'watch' ? 'whole' : bodyStyle
    if (verb !== 'watch') bodyStyle = 'whole'
    forward(request, response, proxy.upstream, (answer) => {
      if (verb === 'watch' && answer.statusCode === 200) relayWatch(answer, response)
      else void relayBody(answer, response, style)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })

  const relayWatch = (answer: IncomingMessage, response: ServerResponse): void => {
    const watch: OpenWatch = { response, stop: () => answer.destroy(), isStalled: false }
    watches.add(watch)
    response.once('close', () => {
      watches.delete(watch)
      answer.destroy()
    })
    response.flushHeaders()
    let rest = Buffer.alloc(0)
    answer.on('error', () => response.destroy())
    answer.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const line = rest.subarray(0, end).toString('utf8')
        rest = rest.subarray(end + 1)
        if (!watch.isStalled) for (const out of tampering?.(line) ?? [line]) sendFrame(response, `${out}\n`)
      }
    })
    answer.on('end', () => {
      if (!watch.isStalled) response.end()
    })
  }

  const sendFrame = (response: ServerResponse, text: string): void => {
    if (response.writableEnded || response.destroyed) return
    const bytes = Buffer.from(text)
    if (cut !== undefined && text.includes('"type"')) {
      const how = cut
      cut = undefined
      const half = bytes.subarray(0, bytes.length >> 1)
      if (how === 'end') response.end(half)
      else response.write(half, () => response.socket?.resetAndDestroy())
    } else if (proxy.isBytewise) for (const byte of bytes) response.write(Buffer.from([byte]))
    else response.write(bytes)
  }

  const proxy: FaultProxy = {
    get url() {
      return `http://127.0.0.1:${port}`
    },
    upstream,
    requests: [],
    isBytewise: false,
    get openWatches() {
      return watches.size
    },
    get openSockets() {
      return sockets.size
    },
    answerNext: (answer) => canned.push(answer),
    bodyNext: (style) => {
      bodyStyle = style
    },
    endWatches: () => {
      for (const { response } of watches) response.end()
    },
    resetAll: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    stallWatches: () => {
      for (const watch of watches) watch.isStalled = true
    },
    release: () => {
      for (const { response, isStalled } of watches) if (isStalled || tampering !== undefined) response.end()
      tampering = undefined
    },
    hangNext: (verb) => hanging.add(verb),
    writeWatches: (bytes) => {
      for (const { response, isStalled } of watches) if (!isStalled && !response.writableEnded) response.write(bytes)
    },
    tamper: (next) => {
      tampering = next
    },
    cutNextFrame: (how) => {
      cut = how
    },
    refuse: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      proxy.resetAll()
      await closed
    },
    listenAgain: () => listenOn(port),
    close: async () => {
      for (const { stop } of watches) stop()
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  const listenOn = (wanted: number): Promise<void> =>
    new Promise((resolve) => server.listen(wanted, '127.0.0.1', resolve))
  await listenOn(0)
  const { port } = server.address() as AddressInfo
  return proxy
}

function sendCanned(answer: CannedAnswer, response: ServerResponse): void {
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body)
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: string,
  answered: (answer: IncomingMessage) => void,
): void {
  const target = new URL(upstream)
  const options: RequestOptions & { readonly rejectUnauthorized?: boolean } = {
    agent: false,
    host: target.hostname,
    port: target.port,
    path: request.url,
    method: request.method,
    headers: request.headers,
    rejectUnauthorized: false,
  }
  const forwarded = (target.protocol === 'https:' ? requestHttps : requestHttp)(options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answered(answer)
  })
  // A server that is gone is a connection cut, not an answer.
  forwarded.on('error', () => response.socket?.resetAndDestroy())
  response.once('close', () => forwarded.destroy())
  request.pipe(forwarded)
}

async function relayBody(answer: IncomingMessage, response: ServerResponse, style: BodyStyle): Promise<void> {
  const pieces: Buffer[] = []
  answer.on('error', () => response.destroy())
  for await (const chunk of answer) pieces.push(chunk as Buffer)
  const body = Buffer.concat(pieces)
  if (style === 'whole') return void response.end(body)
  if (style === 'slow') {
    for (let at = 0; at < body.length && !response.destroyed; at += 97) {
      response.write(body.subarray(at, at + 97))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return void response.end()
  }
  response.write(body.subarray(0, body.length >> 1), () =>
    style === 'half' ? response.destroy() : response.socket?.resetAndDestroy(),
  )
}
