// TCP under load and under bad clients: ten thousand connections, readers that do not read, connections that stay silent.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { encodeQuery, queryOf } from '@kubewire/dns-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DaemonWorld, eventually, startDaemonWorld } from './daemon-world.ts'
import { frame, readIds } from './frames.ts'

const connections = 10_000
const question = (id: number): Buffer => frame(encodeQuery(queryOf('a.example.', 1, { id })))

describe('TCP', () => {
  let world: DaemonWorld
  const sockets: Socket[] = []
  beforeAll(async () => {
    world = await startDaemonWorld(
      '.:{{port}} {\n timeouts {\n  idle 60s\n }\n hosts {\n  192.0.2.7 a.example\n }\n}\n.:{{other0}} {\n timeouts {\n  idle 1s\n }\n hosts {\n  192.0.2.7 a.example\n }\n}',
    )
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await world?.close()
  })
  const open = async (port = world.port): Promise<Socket> => {
    // Many more connections than one address has ports for go over several addresses of the loopback.
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (sockets.length % 4)}` })
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }

  it(`holds ${connections} connections and answers on the first, the last, and over UDP`, async () => {
    const made: Socket[] = []
    while (made.length < connections) made.push(...(await Promise.all(Array.from({ length: 200 }, () => open()))))
    for (const socket of [made[0], made[made.length - 1]]) {
      socket?.write(question(7))
      expect(socket === undefined ? [] : await readIds(socket, 1)).toEqual([7])
    }
    expect((await world.ask('a.example. A'))?.answer.length).toBe(1)
    for (const socket of made) socket.destroy()
  }, 60_000)

  it('answers a thousand questions sent at once on one connection', async () => {
    const socket = await open()
    const ids = Array.from({ length: 1000 }, (_, i) => i + 1)
    const seen = readIds(socket, ids.length)
    socket.write(Buffer.concat(ids.map(question)))
    expect(await seen).toEqual(ids)
  })

  it('answers a question that comes byte by byte', async () => {
    const socket = await open()
    const seen = readIds(socket, 1)
    for (const byte of question(9)) {
      socket.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await seen).toEqual([9])
  })

  it('keeps serving others beside a client that asks and never reads, and ends it when it stands still', async () => {
    const greedy = await open(world.others[0])
    greedy.pause()
    const block = Buffer.concat(Array.from({ length: 1000 }, (_, i) => question(i)))
    const ended = new Promise<string>((resolve) => greedy.on('close', () => resolve('ended')))
    for (let i = 0; i < 400 && !greedy.destroyed && greedy.writableLength < 1e6; i++) {
      greedy.write(block)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await world.ask('a.example. A'))?.answer.length).toBe(1)
    const other = await open(world.others[0])
    other.write(question(5))
    expect(await readIds(other, 1)).toEqual([5])
    // The reset shows when something is written again.
    const isGone = async (): Promise<boolean> => greedy.destroyed || (!greedy.write(question(1)) && greedy.destroyed)
    expect(await eventually(isGone, (gone) => gone, 10_000)).toBe(true)
    expect(await ended).toBe('ended')
  }, 20_000)

  it('ends a connection without questions after the idle time', async () => {
    const socket = await open(world.others[0])
    const startMs = performance.now()
    socket.resume()
    await once(socket, 'close')
    const seconds = (performance.now() - startMs) / 1000
    expect(seconds).toBeGreaterThan(0.9)
    expect(seconds).toBeLessThan(3)
  })
})
