// The TCP socket under every listener with connections (TCP, TLS, HTTPS): bounded in number, in all and for one client
// address, so that a client that only opens connections leaves room for the others. What a connection carries and how
// long it may be idle is its listener's.

import { createServer, type Server, type Socket } from 'node:net'

/** How many connections there may be at a time. */
export interface ConnectionBounds {
  readonly maxConnections: number
  /** From one address. */
  readonly maxPerClient: number
}

/** Why a connection was closed at once. */
export type RefusalReason = 'listener' | 'client'

/** What happens to a listener while it is open. */
export interface ListenerEvents {
  /** A connection was closed for a bound. */
  onRefused?(reason: RefusalReason): void
  /** Connections could not be taken, for want of memory or descriptors; the listener goes on. */
  onError?(error: Error): void
}

/** A listening socket. */
export interface BoundedServer {
  readonly port: number
  /** Stops listening and ends every connection. */
  close(): Promise<void>
}

/** One address takes at most half, so that it cannot keep all others out. */
export function boundsOf(maxConnections: number): ConnectionBounds {
  return { maxConnections, maxPerClient: Math.ceil(maxConnections / 2) }
}

/**
 * Listens on an address, or on all of both families when it is empty, and hands over the connections within bounds.
 * Rejects with Node's error when the address cannot be bound.
 */
export async function listenBounded(
  where: { readonly address: string; readonly port: number },
  bounds: ConnectionBounds,
  serve: (socket: Socket, clientAddress: string) => void,
  events: ListenerEvents = {},
  create: typeof createServer = createServer,
): Promise<BoundedServer> {
  const connections = new Set<Socket>()
  const perClient = new Map<string, number>()
  const server = create({ noDelay: true }, (socket) => {
    // Without an address it was closed by the client before it was taken.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const client = plainAddress(socket.remoteAddress)
    const held = perClient.get(client) ?? 0
    if (held >= bounds.maxPerClient) {
      events.onRefused?.('client')
      return void socket.destroy()
    }
    perClient.set(client, held + 1)
    connections.add(socket)
    socket.on('close', () => {
      connections.delete(socket)
      const left = (perClient.get(client) ?? 1) - 1
      if (left === 0) perClient.delete(client)
      else perClient.set(client, left)
    })
    socket.on('error', () => socket.destroy())
    serve(socket, client)
  })
  server.maxConnections = bounds.maxConnections
  server.on('drop', () => events.onRefused?.('listener'))
  await bind(server, where.address, where.port)
  server.on('error', (error) => events.onError?.(error))
  const bound = server.address()
  return {
    port: bound !== null && typeof bound === 'object' ? bound.port : where.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of connections) socket.destroy()
      }),
  }
}

/** An address without scope, IPv4 as IPv4. */
export function plainAddress(address: string): string {
  const scope = address.indexOf('%')
  return (scope < 0 ? address : address.slice(0, scope)).replace(/^::ffff:(?=[0-9.]+$)/, '')
}

/** Listens on both families where there are two. */
async function bind(server: Server, address: string, port: number): Promise<void> {
  const listen = (host: string): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port, backlog: 1024 }, () => {
        server.removeListener('error', reject)
        resolve()
      })
    })
  try {
    await listen(address === '' ? '::' : address)
  } catch (error) {
    const code = (error as { readonly code?: string }).code
    if (address !== '' || (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL')) throw error
    await listen('0.0.0.0')
  }
}
