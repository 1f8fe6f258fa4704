// Endpoints that answer with their name and what they saw: TCP (per line), UDP (per datagram) and HTTP.
// They listen in this process; `echo-process.ts` runs the same inside a namespace.

import dgram from 'node:dgram'
import http from 'node:http'
import net from 'node:net'

/** One address to listen on. The address must exist on an interface. */
export interface EchoEndpoint {
  /** What it calls itself in answers. */
  readonly name: string
  readonly protocol: 'tcp' | 'udp' | 'http'
  readonly address: string
  readonly port: number
}

/** What an endpoint answers: one line of JSON (TCP, UDP), or the body (HTTP, with the last three keys). */
export interface EchoAnswer {
  readonly name: string
  /** `address:port` the client came from, and the one it reached, as the endpoint saw them. */
  readonly remote: string
  readonly local: string
  /** The line or datagram; for HTTP the body. */
  readonly received: string
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
}

/** A set of listening endpoints. */
export interface EchoServer {
  /** Settles when all listen; throws when an address cannot be had. */
  add(endpoints: readonly EchoEndpoint[]): Promise<void>
  /** Stops listening and cuts connections. Endpoints that are not there are ignored. */
  remove(endpoints: readonly EchoEndpoint[]): Promise<void>
  close(): Promise<void>
}

/** Listens in this process and namespace. */
export async function createEchoServer(endpoints: readonly EchoEndpoint[] = []): Promise<EchoServer> {
  const closers = new Map<string, () => Promise<void>>()
  const server: EchoServer = {
    async add(more) {
      await Promise.all(
        more.map(async (endpoint) => {
          const close = await { tcp: listenTcp, udp: listenUdp, http: listenHttp }[endpoint.protocol](endpoint)
          closers.set(keyOf(endpoint), close)
        }),
      )
    },
    async remove(some) {
      for (const endpoint of some) {
        const close = closers.get(keyOf(endpoint))
        closers.delete(keyOf(endpoint))
        await close?.()
      }
    },
    async close() {
      for (const close of closers.values()) await close()
      closers.clear()
    },
  }
  await server.add(endpoints)
  return server
}

function keyOf({ protocol, address, port }: EchoEndpoint): string {
  return `${protocol === 'udp' ? 'udp' : 'tcp'} ${address} ${port}`
}

function listenTcp(endpoint: EchoEndpoint): Promise<() => Promise<void>> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    const ends = {
      remote: place(socket.remoteAddress, socket.remotePort),
      local: place(socket.localAddress, socket.localPort),
    }
    let open = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (open + chunk).split('\n')
      open = lines.pop() ?? ''
      for (const received of lines) socket.write(`${print({ name: endpoint.name, ...ends, received })}\n`)
    })
  })
  return listening(server, endpoint, async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
}

function listenHttp(endpoint: EchoEndpoint): Promise<() => Promise<void>> {
  const server = http.createServer((request, response) => {
    let received = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk
    })
    request.on('end', () => {
      const { remoteAddress, remotePort, localAddress, localPort } = request.socket
      const ends = { remote: place(remoteAddress, remotePort), local: place(localAddress, localPort) }
      const { method = '', url = '', headers } = request
      response.setHeader('content-type', 'application/json')
      response.end(print({ name: endpoint.name, ...ends, received, method, path: url, headers }))
    })
  })
  return listening(server, endpoint, async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
}

function listenUdp(endpoint: EchoEndpoint): Promise<() => Promise<void>> {
  const socket = dgram.createSocket(endpoint.address.includes(':') ? 'udp6' : 'udp4')
  const local = place(endpoint.address, endpoint.port)
  socket.on('message', (message, from) => {
    const remote = place(from.address, from.port)
    socket.send(print({ name: endpoint.name, remote, local, received: message.toString() }), from.port, from.address)
  })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address: endpoint.address, port: endpoint.port }, () => {
      resolve(() => new Promise((closed) => socket.close(() => closed())))
    })
  })
}

function listening(
  server: net.Server,
  endpoint: EchoEndpoint,
  close: () => Promise<void>,
): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: endpoint.address, port: endpoint.port, backlog: 511 }, () => resolve(close))
  })
}

function print(answer: EchoAnswer): string {
  return JSON.stringify(answer)
}

function place(address: string | undefined, port: number | undefined): string {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/, '')
  return plain.includes(':') ? `[${plain}]:${port}` : `${plain}:${port}`
}
