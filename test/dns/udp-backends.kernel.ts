// Both UDP back ends of the daemon do the same: one table for both, over real sockets.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { encodeQuery, type Query, queryOf, rrType } from '@kubewire/dns-core'
import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DaemonWorld, startDaemonWorld } from './daemon-world.ts'

const tea = 'tea.shop.svc.cluster.local.'
const many = 'many.shop.svc.cluster.local.'
const corefile = (zones: string): string =>
  `.:{{port}} {\n prometheus 127.0.0.1:{{other0}}\n ${zones}\n kubernetes cluster.local {\n kubeconfig {{kubeconfig}}\n }\n}`

const objects: readonly KubeObject[] = [
  namespace('shop'),
  service('shop/tea', { clusterIP: '10.96.4.4', clusterIPs: ['10.96.4.4'] }),
  service('shop/many', { clusterIP: 'None', clusterIPs: ['None'] }),
  endpointSlice(
    'shop/many',
    Array.from({ length: 400 }, (_, i) => `10.20.${i >> 8}.${i & 255}`),
  ),
]

const question = (name: string, id: number, extra: Partial<Query> = {}): Uint8Array =>
  encodeQuery(queryOf(name, rrType.A, { id, ...extra }))
const edns = (udpSize: number): Pick<Query, 'edns'> => ({
  edns: { udpSize, version: 0, dnssecOk: false, options: [] },
})

/** Sends datagrams at once; what came back until nothing came for a while, by ID. */
async function exchange(
  port: number,
  datagrams: readonly Uint8Array[],
  { address = '127.0.0.1', wanted = datagrams.length, quietMs = 1500 } = {},
): Promise<Map<number, { readonly bytes: Buffer; readonly from: string }>> {
  const socket = createSocket({ type: address.includes(':') ? 'udp6' : 'udp4', recvBufferSize: 4_000_000 })
  const replies = new Map<number, { readonly bytes: Buffer; readonly from: string }>()
  try {
    return await new Promise((resolve, reject) => {
      let timer = setTimeout(() => resolve(replies), quietMs)
      socket.on('error', reject)
      socket.on('message', (bytes, remote) => {
        replies.set(bytes.readUInt16BE(0), { bytes, from: `${remote.address} ${remote.port}` })
        clearTimeout(timer)
        if (replies.size >= wanted) resolve(replies)
        else timer = setTimeout(() => resolve(replies), quietMs)
      })
      for (const datagram of datagrams) socket.send(datagram, port, address)
    })
  } finally {
    socket.close()
  }
}

describe.each(['dgram', 'batched'])('datagrams of the %s back end', (backend) => {
  let world: DaemonWorld
  beforeAll(async () => {
    world = await startDaemonWorld(corefile(''), {
      args: ['-udp-backend', backend],
      prepare: (api) => api.apply(...objects),
    })
  })
  afterAll(() => world?.close())

  it.each([
    ['127.0.0.1', 'over IPv4'],
    ['::1', 'over IPv6'],
  ])('many at once are all answered, each under its own number, from %s (%s)', async (address) => {
    const datagrams = Array.from({ length: 500 }, (_, id) => question(id % 3 === 0 ? tea : `x${id}.${tea}`, id))
    const replies = await exchange(world.port, datagrams, { address })
    expect(replies.size).toBe(500)
    expect(new Set([...replies.values()].map(({ from }) => from))).toEqual(new Set([`${address} ${world.port}`]))
    for (const [id, { bytes }] of replies) {
      expect([id, bytes.readUInt16BE(6), (bytes[3] ?? 0) & 15]).toEqual(id % 3 === 0 ? [id, 1, 0] : [id, 0, 3])
    }
  })

  it.each<readonly [string, Partial<Query>, boolean, number]>([
    ['what does not fit 512 bytes is cut', {}, true, 512],
    ['what does not fit the advertised size is cut', edns(4096), true, 4096],
    ['a large answer goes out whole', edns(65_535), false, 6456],
  ])('%s', async (_name, extra, isCut, limit) => {
    for (const id of [1, 2]) {
      const reply = (await exchange(world.port, [question(many, id, extra)])).get(id)?.bytes
      expect([((reply?.[2] ?? 0) & 2) !== 0, (reply?.length ?? 0) > limit - 40]).toEqual([isCut, true])
      expect(reply?.length).toBeLessThanOrEqual(limit)
    }
  })

  it('a datagram of five thousand bytes is read whole', async () => {
    const long = Buffer.concat([question(tea, 7), new Uint8Array(5000)])
    const replies = await exchange(world.port, [long, long, long], { wanted: 1 })
    expect(replies.get(7)?.bytes.readUInt16BE(6)).toBe(1)
  })

  it('what is no question is passed over between those that are', async () => {
    const junk = [new Uint8Array(0), Uint8Array.of(1, 2, 3), new Uint8Array(60_000), new Uint8Array(12).fill(0xff)]
    const datagrams = Array.from({ length: 40 }, (_, i) => [question(tea, 100 + i), junk[i % 4] ?? junk[0]!]).flat()
    const replies = await exchange(world.port, datagrams, { wanted: 1000, quietMs: 300 })
    expect(Array.from({ length: 40 }, (_, i) => replies.has(100 + i))).not.toContain(false)
  })

  it('counts every answer', async () => {
    const seen = async (): Promise<number> => {
      const { body } = await world.get(world.others[0] ?? 0, '/metrics')
      return Number(/^coredns_dns_requests_total\{.*family="1".*type="A".*\} ([0-9]+)$/m.exec(body)?.[1])
    }
    const before = await seen()
    await exchange(
      world.port,
      Array.from({ length: 200 }, (_, id) => question(tea, id)),
    )
    expect((await seen()) - before).toBe(200)
  })

  it('ends in the middle of a flood', async () => {
    const socket = createSocket('udp4')
    const bytes = question(tea, 1)
    const flood = setInterval(() => {
      for (let i = 0; i < 200; i++) socket.send(bytes, world.port, '127.0.0.1')
    }, 1)
    await new Promise<void>((resolve) => {
      let count = 0
      socket.on('message', () => {
        count += 1
        if (count === 1000) resolve()
      })
    })
    await world.daemon.stop('SIGTERM')
    const { exitCode } = await world.daemon.ended
    clearInterval(flood)
    socket.close()
    expect(exitCode).toBe(0)
  })
})

describe('a choice of the back end', () => {
  it.each([
    [['-udp-backend', 'fast'], /^invalid value "fast" for flag -udp-backend: expected auto, dgram or batched$/m],
    [['-udp-backend', 'batched'], /^-udp-backend batched is not possible: the package koffi does not load: .*$/m],
  ])('%j that is impossible is refused in one line', async (args, line) => {
    // Without the search path that the package manager sets, the bundle finds no koffi beside it.
    const started = startDaemonWorld(corefile(''), { args, env: { NODE_PATH: undefined } })
    const error: unknown = await started.then((world) => world.close()).catch((cause: unknown) => cause)
    const [, ...output] = (error instanceof Error ? error.message : '').trim().split('\n')
    expect(output).toHaveLength(1)
    expect(output[0]).toMatch(line)
  })

  it('auto serves without koffi, too', async () => {
    const world = await startDaemonWorld(corefile(''), {
      env: { NODE_PATH: undefined },
      prepare: (api) => api.apply(...objects),
    })
    expect((await world.ask(`${tea} A`))?.answer).toHaveLength(1)
    await world.close()
  })

  it('a port that another program has is refused', async () => {
    const taken = createSocket('udp4')
    taken.bind(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address()
    const started = startDaemonWorld(`.:${port} {\n bind 127.0.0.1\n whoami\n}`, { args: ['-udp-backend', 'batched'] })
    const error: unknown = await started.then((world) => world.close()).catch((cause: unknown) => cause)
    taken.close()
    expect(String(error)).toContain('bind EADDRINUSE 127.0.0.1')
  })
})
