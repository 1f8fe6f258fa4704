// Over real sockets of the loopback.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type BoundedServer, listenBounded, type RefusalReason } from './listen-bounded.ts'

describe('a bounded server', () => {
  const sockets: Socket[] = []
  const refused: RefusalReason[] = []
  let server: BoundedServer | undefined
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    refused.length = 0
    await server?.close()
  })
  const start = async (maxConnections: number, maxPerClient: number): Promise<void> => {
    const where = { address: '', port: 0 }
    server = await listenBounded(where, { maxConnections, maxPerClient }, (socket, client) => socket.write(client), {
      onRefused: (reason) => void refused.push(reason),
    })
  }
  /** What the server says, or `closed`. */
  const dial = async (localAddress: string): Promise<string> => {
    const socket = connect({ port: server?.port ?? 0, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => {})
    const first = once(socket, 'data').then(([bytes]) => String(bytes))
    return Promise.race([first, once(socket, 'close').then(() => 'closed')])
  }

  it('names clients of both families by their plain address', async () => {
    await start(4, 4)
    expect(await dial('127.0.0.1')).toBe('127.0.0.1')
  })

  it('closes what is over the bound of one client, and only that', async () => {
    await start(8, 2)
    const seen = [await dial('127.0.0.2'), await dial('127.0.0.2'), await dial('127.0.0.2'), await dial('127.0.0.3')]
    expect(seen).toEqual(['127.0.0.2', '127.0.0.2', 'closed', '127.0.0.3'])
    expect(refused).toEqual(['client'])
  })

  it('closes what is over the bound of the listener', async () => {
    await start(2, 2)
    const seen = [await dial('127.0.0.2'), await dial('127.0.0.3'), await dial('127.0.0.4')]
    expect(seen).toEqual(['127.0.0.2', '127.0.0.3', 'closed'])
    expect(refused).toEqual(['listener'])
  })

  it('tells when connections cannot be taken, and goes on', async () => {
    const errors: string[] = []
    const made: Server[] = []
    const create = ((...words: Parameters<typeof createServer>) => {
      const one = createServer(...words)
      made.push(one)
      return one
    }) as typeof createServer
    server = await listenBounded(
      { address: '', port: 0 },
      { maxConnections: 4, maxPerClient: 4 },
      (socket, client) => socket.write(client),
      { onError: ({ message }) => void errors.push(message) },
      create,
    )
    made[0]?.emit('error', new Error('accept ENOMEM'))
    expect(errors).toEqual(['accept ENOMEM'])
    expect(await dial('127.0.0.1')).toBe('127.0.0.1')
  })

  it('has room again when a connection ended', async () => {
    await start(8, 1)
    expect(await dial('127.0.0.2')).toBe('127.0.0.2')
    const [socket] = sockets
    if (socket !== undefined) {
      socket.end()
      await once(socket, 'close')
    }
    expect(await dial('127.0.0.2')).toBe('127.0.0.2')
  })
})
