// The cache on a clock of its own: what is stored, for how long, what a client sees, and what leaves with its object.

import { namespace, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { queryOf } from '../query.ts'
import { addressRecord, type DnsRecord } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'
import { emptyReply, type Reply } from '../reply.ts'
import { askServer, type TestWorld, testServer } from '../testing/ask-corefile.ts'
import { isKubernetes } from './kubernetes.ts'

const soa = (minimum: number): DnsRecord => ({
  name: 'example.org.',
  type: 6,
  class: 1,
  ttlSeconds: minimum,
  data: {
    kind: 'soa',
    mname: 'ns.example.org.',
    rname: 'a.example.org.',
    serial: 1,
    refreshSeconds: 2,
    retrySeconds: 3,
    expireSeconds: 4,
    minimumSeconds: minimum,
  },
})

/** A cache in front of an upstream whose reply and clock the test sets. */
function setUp(lines: string, first: Partial<Reply>) {
  const transports: string[] = []
  const world = { nowMs: 1_000_000, asked: 0, transports, reply: { ...emptyReply, ...first } as Reply | undefined }
  const delayed: (() => void)[] = []
  const ports: TestWorld['ports'] = {
    nowMs: () => world.nowMs,
    schedule: (_delayMs, callback) => {
      delayed.push(callback)
      return () => {}
    },
    exchange: (_upstream, query) => {
      world.asked++
      world.transports.push(query.transport)
      return Promise.resolve(
        world.reply === undefined
          ? { kind: 'error', error: 'i/o timeout', isTimeout: true, wasCached: false }
          : { kind: 'reply', reply: world.reply, question: query },
      )
    },
  }
  const server = testServer(`.:53 {\n${lines}\nforward . 192.0.2.53 {\n max_connect_attempts 1\n max_fails 0\n}\n}`, {
    ports,
  })
  const ask = (question = 'a.example.org. A'): Promise<string> => askServer(server, question)
  const runDelayed = async (): Promise<void> => {
    for (const callback of delayed.splice(0)) callback()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { world, ask, runDelayed }
}

const address = (ttl: number): Partial<Reply> => ({ answer: [addressRecord('a.example.org.', ttl, '192.0.2.1')] })

describe('what a cache gives out', () => {
  it('counts TTLs down and asks again when they are over', async () => {
    const { world, ask } = setUp('cache 30', address(300))
    expect(await ask()).toBe('NOERROR | a.example.org. 30 A 192.0.2.1')
    world.nowMs += 12_000
    expect(await ask()).toBe('NOERROR | a.example.org. 18 A 192.0.2.1')
    world.nowMs += 18_000
    expect(await ask()).toBe('NOERROR | a.example.org. 30 A 192.0.2.1')
    expect(world.asked).toBe(2)
  })

  it.each([
    ['cache', address(0), 'NOERROR | a.example.org. 5 A 192.0.2.1', 2, 'at least five seconds'],
    ['cache {\nkeepttl\n}', address(60), 'NOERROR | a.example.org. 60 A 192.0.2.1', 1, 'TTLs that do not count down'],
    [
      'cache',
      { rcode: 3, authority: [soa(60)] },
      'NXDOMAIN | authority: example.org. 53 SOA ns.example.org. a.example.org. 1 2 3 4 60',
      1,
      'denials with a SOA',
    ],
    ['cache', { rcode: 3 }, 'NXDOMAIN', 2, 'no denials without a SOA'],
    [
      'cache',
      { ...address(60), truncated: true },
      'NOERROR tc | a.example.org. 60 A 192.0.2.1',
      2,
      'nothing that was cut short',
    ],
    ['cache', { rcode: 5 }, 'REFUSED', 2, 'no refusals'],
    ['cache example.net', address(60), 'NOERROR | a.example.org. 60 A 192.0.2.1', 2, 'nothing outside its zones'],
    [
      'cache {\ndisable success example.org\n}',
      address(60),
      'NOERROR | a.example.org. 60 A 192.0.2.1',
      2,
      'nothing of disabled zones',
    ],
    [
      'cache',
      { ...address(60), authoritative: true, recursionAvailable: true },
      'NOERROR aa ra | a.example.org. 53 A 192.0.2.1',
      1,
      'flags as stored',
    ],
  ])('%j, second answer %j', async (lines, reply, expected, asked, says) => {
    const { world, ask } = setUp(lines, reply as Partial<Reply>)
    await ask()
    world.nowMs += 7000
    expect([says, await ask(), world.asked]).toEqual([says, expected, asked])
  })

  it('keeps a failure without a reply for five seconds', async () => {
    const { world, ask } = setUp('cache', {})
    world.reply = undefined
    expect(await ask()).toBe('SERVFAIL')
    world.reply = { ...emptyReply, ...address(60) }
    expect(await ask()).toBe('SERVFAIL')
    world.nowMs += 5000
    expect(await ask()).toBe('NOERROR | a.example.org. 60 A 192.0.2.1')
  })

  it('tells apart types, classes, DO and CD', async () => {
    const { world, ask } = setUp('cache', address(60))
    for (const question of ['a.example.org. A', 'A.Example.ORG. A', 'a.example.org. AAAA', 'a.example.org. A CH'])
      await ask(question)
    expect(world.asked).toBe(3)
  })
})

describe('what a cache does ahead of time and after it', () => {
  it('refreshes popular entries when a tenth of their time is left', async () => {
    const { world, ask, runDelayed } = setUp('cache 100 {\nprefetch 2\n}', address(100))
    await ask()
    world.nowMs += 50_000
    await ask()
    world.nowMs += 41_000
    expect(await ask()).toBe('NOERROR | a.example.org. 9 A 192.0.2.1')
    await runDelayed()
    expect([await ask(), world.asked]).toEqual(['NOERROR | a.example.org. 100 A 192.0.2.1', 2])
  })

  it('serves stale answers with TTL 0 at once and refreshes behind them', async () => {
    const { world, ask, runDelayed } = setUp('cache 30 {\nserve_stale 1h\n}', address(30))
    await ask()
    world.nowMs += 60_000
    expect(await ask()).toBe('NOERROR | a.example.org. 0 A 192.0.2.1')
    await runDelayed()
    expect([await ask(), world.asked]).toEqual(['NOERROR | a.example.org. 30 A 192.0.2.1', 2])
    world.nowMs += 4_000_000
    await ask()
    expect(world.asked).toBe(3)
  })

  it('asks over TCP where nobody waits for the answer', async () => {
    const { world, ask, runDelayed } = setUp('cache 30 {\nserve_stale 1h\n}', address(30))
    await ask()
    world.nowMs += 60_000
    await ask()
    await runDelayed()
    expect(world.transports).toEqual(['udp', 'tcp'])
  })

  it('keeps a stale denial while refreshes fail, and forgets it for an answer', async () => {
    const denial = { rcode: rcode.NXDOMAIN, authority: [soa(30)] }
    const { world, ask, runDelayed } = setUp('cache 30 {\nserve_stale 1h\n}', denial)
    await ask()
    world.nowMs += 60_000
    const failures = [{ ...emptyReply, rcode: rcode.SERVFAIL }, { ...emptyReply, rcode: rcode.REFUSED }, undefined]
    for (const failure of failures) {
      world.reply = failure
      expect(await ask()).toMatch(/^NXDOMAIN \| authority: example\.org\. 0 SOA/)
      await runDelayed()
    }
    world.reply = { ...emptyReply, ...address(30) }
    await ask()
    await runDelayed()
    expect(await ask()).toBe('NOERROR | a.example.org. 30 A 192.0.2.1')
  })

  it('keeps an answer beside a denial where positive ones are preferred', async () => {
    const { world, ask, runDelayed } = setUp(
      'cache 30 {\nserve_stale 1h\nserve_stale_policy prefer_positive\n}',
      address(30),
    )
    await ask()
    world.nowMs += 60_000
    world.reply = { ...emptyReply, rcode: rcode.NXDOMAIN, authority: [soa(30)] }
    await ask()
    await runDelayed()
    expect(await ask()).toBe('NOERROR | a.example.org. 0 A 192.0.2.1')
  })

  it('verifies first when told so, and falls back to the stale answer', async () => {
    const { world, ask } = setUp('cache 30 {\nserve_stale 1h verify\nservfail 0s\n}', address(30))
    await ask()
    world.nowMs += 60_000
    world.reply = undefined
    expect(await ask()).toBe('NOERROR | a.example.org. 0 A 192.0.2.1')
    world.reply = { ...emptyReply, answer: [addressRecord('a.example.org.', 30, '192.0.2.2')] }
    expect(await ask()).toBe('NOERROR | a.example.org. 30 A 192.0.2.2')
  })
})

describe('entries of a cluster', () => {
  it('leave the moment their object changes, others stay', async () => {
    const dropped: number[] = []
    const objects = [
      namespace('shop'),
      service('shop/tea', { clusterIPs: ['10.96.4.4'] }),
      service('shop/rum', { clusterIPs: ['10.96.4.5'] }),
    ]
    const metrics = {
      add: (name: string, _labels: readonly string[], amount = 1) => {
        if (name === 'kubewire_cache_changes_total') dropped.push(amount)
      },
      counter: () => ({ value: 0 }),
      set: () => {},
      observe: () => {},
    }
    const server = testServer('.:53 {\ncache 300\nkubernetes cluster.local\n}', { objects, ports: { metrics } })
    const plugin = server.blocks.flatMap((block) => block.plugins).find((named) => isKubernetes(named.plugin))?.plugin
    if (plugin === undefined || !isKubernetes(plugin)) throw new Error('no kubernetes plugin')
    const ask = (name: string): Promise<string> => askServer(server, `${name}.shop.svc.cluster.local. A`)
    for (const name of ['tea', 'rum', 'new']) await ask(name)
    const moved = service('shop/tea', { clusterIPs: ['10.96.4.9'] })
    plugin.index.apply({ kind: 'Service', namespace: 'shop', name: 'tea', object: moved }, 0)
    plugin.index.apply(
      { kind: 'Service', namespace: 'shop', name: 'new', object: service('shop/new', { clusterIPs: ['10.96.4.7'] }) },
      0,
    )
    expect([await ask('tea'), await ask('new'), dropped]).toEqual([
      'NOERROR aa | tea.shop.svc.cluster.local. 5 A 10.96.4.9',
      'NOERROR aa | new.shop.svc.cluster.local. 5 A 10.96.4.7',
      [1, 1],
    ])
  })
})

it('gives RD back as asked, once the reply comes from the cache or is none', async () => {
  const server = testServer(
    '.:53 {\ncache\nheader {\n query clear rd\n}\nhosts /dev/null {\n 192.0.2.1 a.example\n}\n}',
  )
  const recursionDesired = async (name: string): Promise<unknown> => {
    const answer = await server.listeners[0]?.answer(queryOf(name, rrType.A))
    return answer?.kind === 'reply' ? answer.reply.recursionDesired : 'no reply'
  }
  expect(await recursionDesired('a.example.')).toBe(false)
  expect(await recursionDesired('a.example.')).toBeUndefined()
  expect(await recursionDesired('b.example.')).toBeUndefined()
})
