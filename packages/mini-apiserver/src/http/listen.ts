// The sockets: http or https, opened, dropped, closed for a while and opened again.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { ServerCertificate } from './certificate.ts'

/** Where and how to listen. */
export interface ListenOptions {
  readonly address: string
  /** 0 picks a free port. */
  readonly port: number
  /** Serve https with this certificate; plain http without. */
  readonly certificate?: ServerCertificate
}

/** Answers one request. */
export type RequestHandler = (message: IncomingMessage, response: ServerResponse) => Promise<void>

/** An open listener. */
export interface Listener {
  readonly port: number
  /** Resets every connection, watches included, without closing the listener. */
  dropConnections(): void
  /** Closes the listener and resets every connection, then listens again after a while. */
  restart(downMs: number): void
  close(): Promise<void>
}

/** Opens the listener; rejects when the address is taken. */
export async function listen(options: ListenOptions, handle: RequestHandler): Promise<Listener> {
  const sockets = new Set<Socket>()
  const open = (port: number) => openServer({ ...options, port }, handle, sockets)
  let server = await open(options.port)
  const { port } = server.address() as AddressInfo
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  const dropConnections = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port,
    dropConnections,
    restart: (downMs) => {
      server.close()
      dropConnections()
      const reopen = (): void => {
        if (isClosed) return
        open(port).then(
          (opened) => {
            server = opened
            if (isClosed) server.close()
          },
          () => {
            timer = setTimeout(reopen, 50)
          },
        )
      }
      timer = setTimeout(reopen, downMs)
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      return new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
    },
  }
}

async function openServer(options: ListenOptions, handle: RequestHandler, sockets: Set<Socket>): Promise<Server> {
  const { certificate, address, port } = options
  const handler = (message: IncomingMessage, response: ServerResponse): void => {
    handle(message, response).catch((error: unknown) => {
      // Only a defect of ours comes here; the client sees the connection end.
      response.destroy()
      process.emitWarning(error instanceof Error ? error : String(error))
    })
  }
  const server: Server = certificate ? createTlsServer({ ...certificate }, handler) : createServer(handler)
  server.keepAliveTimeout = 120_000
  server.requestTimeout = 0
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return server
}
