// The endpoints of the demo, as one process inside the `pods` namespace: every line on standard input is the whole
// list of what shall listen. TCP speaks HTTP, UDP answers each datagram; both say who they are and what they saw.

import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

/** One address and port that answers. */
export interface EchoEndpoint {
  /** What it calls itself: the Service's name. */
  readonly name: string
  readonly protocol: 'TCP' | 'UDP'
  readonly address: string
  readonly port: number
  /** The address it stands for, when it listens elsewhere. */
  readonly shownAs?: string
}

/** Serves until standard input ends. For each line it prints `ok` or the reason why something cannot listen. */
export async function runEchoChild(): Promise<void> {
  const closers = new Map<string, () => void>()
  for await (const line of createInterface({ input: process.stdin })) {
    const wanted = new Map((JSON.parse(line) as EchoEndpoint[]).map((endpoint) => [JSON.stringify(endpoint), endpoint]))
    for (const [key, close] of closers) {
      if (wanted.has(key)) continue
      close()
      closers.delete(key)
    }
    const failures: string[] = []
    for (const [key, endpoint] of wanted) {
      if (closers.has(key)) continue
      try {
        closers.set(key, await (endpoint.protocol === 'UDP' ? listenUdp(endpoint) : listenHttp(endpoint)))
      } catch (error) {
        failures.push(`${endpoint.address} port ${endpoint.port}: ${(error as Error).message}`)
      }
    }
    process.stdout.write(`${failures.length === 0 ? 'ok' : failures.join('; ')}\n`)
  }
  process.exit(0)
}

function listenHttp(endpoint: EchoEndpoint): Promise<() => void> {
  const server = createServer((request, response) => {
    request.resume()
    const { method = '', url = '', headers, socket } = request
    const via = headers['x-forwarded-for'] === undefined ? '' : ` for ${String(headers['x-forwarded-for'])}`
    const from = plain(socket.remoteAddress ?? '')
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    response.end(`${nameOf(endpoint)} got ${method} ${url} host ${headers.host ?? '-'} from ${from}${via}\n`)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: endpoint.address, port: endpoint.port }, () =>
      resolve(() => {
        server.close()
        server.closeAllConnections()
      }),
    )
  })
}

function listenUdp(endpoint: EchoEndpoint): Promise<() => void> {
  const socket = createSocket(endpoint.address.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (message, from) => {
    const text = `${nameOf(endpoint)} got ${message.toString().trim()} from ${plain(from.address)}\n`
    socket.send(text, from.port, from.address)
  })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address: endpoint.address, port: endpoint.port }, () => resolve(() => socket.close()))
  })
}

function nameOf({ name, address, port, shownAs }: EchoEndpoint): string {
  return `${name} at ${shownAs ?? `${address.includes(':') ? `[${address}]` : address}:${port}`}`
}

function plain(address: string): string {
  return address.replace(/^::ffff:/, '')
}
