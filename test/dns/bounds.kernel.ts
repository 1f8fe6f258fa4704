// The bounds of listeners with connections, over real sockets of the loopback: TCP, TLS and HTTPS have one mechanism and
// are asked the same. A Corefile sets the bound of HTTPS; the others get small bounds here, in process.

import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { decodeMessage, encodeQuery, queryOf } from '@kubewire/dns-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DaemonWorld, eventually, startDaemonWorld } from './daemon-world.ts'
import { frame, readIds } from './frames.ts'
import { makeCertificate, whyNoOtherServers } from './other-servers.ts'

const reason = whyNoOtherServers()
const question = encodeQuery(queryOf('a.example.', 1, { id: 7 }))
const path = `/dns-query?dns=${Buffer.from(question).toString('base64url')}`

describe.skipIf(reason !== undefined)('bounds of an HTTPS listener', () => {
  let world: DaemonWorld
  const open: { destroy(): void }[] = []
  const held: Socket[] = []
  const [https, plain, metrics, strict, tls] = [0, 1, 2, 3, 4] as const
  const portOf = (which: number): number => world.others[which] ?? 0
  const certificate = makeCertificate()

  beforeAll(async () => {
    const { cert, key } = certificate
    const body = 'timeouts {\n idle 1s\n}\nhttps {\n max_connections 8\n}\nhosts {\n 192.0.2.7 a.example\n ttl 60\n}'
    const files = 'tls {{dir}}/cert {{dir}}/key'
    const signed = (mode: string): string => `${files} {{dir}}/cert {\n client_auth ${mode}\n}`
    world = await startDaemonWorld(
      `https://.:{{other0}} {\nprometheus 127.0.0.1:{{other2}}\n${files}\n${body}\n}
https://.:{{other1}} {\n${body}\n}
https://.:{{other3}} {\n${signed('require_and_verify')}\nwhoami\n}
tls://.:{{other4}} {\n${signed('require')}\nwhoami\n}`,
      { files: { cert, key } },
    )
  })
  afterAll(async () => {
    for (const one of open) one.destroy()
    await world?.close()
  })
  const dial = async (port: number, localAddress = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    open.push(socket)
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const isClosedSoon = (socket: Socket): Promise<boolean> => {
    socket.resume()
    return eventually(
      async () => socket.destroyed,
      (gone) => gone,
      500,
    )
  }
  const session = (port: number, localAddress = '127.0.0.1'): ClientHttp2Session => {
    const over = { port, host: '127.0.0.1', localAddress, rejectUnauthorized: false, ALPNProtocols: ['h2'] }
    const one = connectHttp2(`https://127.0.0.1:${port}`, { createConnection: () => connectTls(over) })
    open.push(one)
    one.on('error', () => {})
    return one
  }
  const askHttp2 = async (one: ClientHttp2Session): Promise<{ status: unknown; age: unknown; bytes: Buffer }> => {
    const stream = one.request({ ':path': path })
    const [headers] = (await once(stream, 'response')) as unknown as [Record<string, unknown>]
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return { status: headers[':status'], age: headers['cache-control'], bytes: Buffer.concat(chunks) }
  }

  it('closes connections over half of the bound of one client, takes those of another, and none over the whole', async () => {
    const own = await Promise.all(Array.from({ length: 4 }, () => dial(portOf(plain))))
    expect(await isClosedSoon(await dial(portOf(plain)))).toBe(true)
    const others = await Promise.all(Array.from({ length: 4 }, () => dial(portOf(plain), '127.0.0.2')))
    expect(await isClosedSoon(await dial(portOf(plain), '127.0.0.3'))).toBe(true)
    held.push(...own, ...others)
    expect(held.filter(({ destroyed }) => destroyed)).toEqual([])
  })

  it('has room again once the idle time closed them', async () => {
    const isOver = async (): Promise<boolean> => held.every((socket) => socket.resume().destroyed)
    expect(await eventually(isOver, (over) => over)).toBe(true)
    expect(await isClosedSoon(await dial(portOf(plain)))).toBe(false)
  }, 20_000)

  it('bounds connections before their handshake, and counts them', async () => {
    await Promise.all(Array.from({ length: 4 }, () => dial(portOf(https), '127.0.0.5')))
    expect(await isClosedSoon(await dial(portOf(https), '127.0.0.5'))).toBe(true)
    const { body } = await world.get(portOf(metrics), '/metrics')
    expect(body).toMatch(/^kubewire_connections_refused_total\{server="https:\/\/:[0-9]+",reason="client"\} 1$/m)
    const reply = await askHttp2(session(portOf(https), '127.0.0.6'))
    expect([reply.status, reply.age, decodeMessage(reply.bytes)?.answer.length]).toEqual([200, 'max-age=60', 1])
  })

  it('keeps an HTTP/2 connection as long as it asks, and ends it the idle time after', async () => {
    const one = session(portOf(https), '127.0.0.7')
    for (let i = 0; i < 4; i++) {
      expect((await askHttp2(one)).status).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    const startMs = performance.now()
    await once(one, 'close')
    expect(performance.now() - startMs).toBeLessThan(8000)
  }, 20_000)

  it.each([
    ['a head', 'GET /dns-query HTTP/1.1\r\nHost: dns.example\r\n', 'X: y\r\n'],
    [
      'a body',
      'POST /dns-query HTTP/1.1\r\nHost: dns.example\r\nContent-Type: application/dns-message\r\nContent-Length: 999\r\n\r\n',
      'x',
    ],
  ])(
    'ends a connection that sends %s without end, whatever it sends',
    async (_name, start, more) => {
      const socket = await dial(portOf(plain), '127.0.0.8')
      socket.resume()
      socket.write(start)
      const drip = setInterval(() => socket.write(more), 100)
      const startMs = performance.now()
      await once(socket, 'close')
      clearInterval(drip)
      expect(performance.now() - startMs).toBeLessThan(8000)
    },
    20_000,
  )

  it('answers plain HTTP/1.1 where the block has no certificate', async () => {
    const response = await fetch(`http://127.0.0.1:${portOf(plain)}${path}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/dns-message'])
    const bad = await fetch(`http://127.0.0.1:${portOf(plain)}/dns-query?dns=AAAB`)
    expect([bad.status, await bad.text()]).toEqual([400, 'invalid request\n'])
  })

  it('asks clients for the certificate that the tls plugin wants', async () => {
    const { cert, key } = certificate
    const over = { rejectUnauthorized: false, host: '127.0.0.1' }
    const own = connectHttp2(`https://127.0.0.1:${portOf(strict)}`, { rejectUnauthorized: false, cert, key })
    open.push(own)
    expect((await askHttp2(own)).status).toBe(200)
    const bare = session(portOf(strict))
    await expect(
      Promise.race([askHttp2(bare), once(bare, 'close').then(() => Promise.reject(new Error('closed')))]),
    ).rejects.toThrow()
    const known = connectTls({ ...over, port: portOf(tls), cert, key })
    open.push(known)
    known.write(frame(question))
    expect(await readIds(known, 1)).toEqual([7])
    const stranger = connectTls({ ...over, port: portOf(tls) })
    open.push(stranger)
    stranger.on('error', () => {})
    stranger.resume()
    await once(stranger, 'close')
  })
})
