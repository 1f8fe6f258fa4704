// Ready answers of the cache against the ordinary way: byte for byte what it would have sent at that moment, and nothing at
// all where it would have done more than send.

import { namespace, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { isKubernetes } from '../plugins/kubernetes.ts'
import { type Query, queryOf } from '../query.ts'
import { addressRecord, type DnsRecord, nameRecord } from '../record.ts'
import { rrType } from '../record-types.ts'
import { emptyReply, type Reply } from '../reply.ts'
import { testServer } from '../testing/ask-corefile.ts'
import { decodeMessage } from '../wire/decode-message.ts'
import { encodeQuery } from '../wire/encode-query.ts'
import { encodeReply } from '../wire/writer.ts'
import { printRecord } from '../zone/print-record.ts'
import { HotAnswers } from './hot-answers.ts'

const name = 'a.example.org.'
const addresses = (count: number, owner = name): DnsRecord[] =>
  Array.from({ length: count }, (_, i) => addressRecord(owner, 300, `192.0.2.${i + 1}`))
const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [] }

/** A cache in front of an upstream that says this; both ways to its answers. */
function setUp(answer: readonly DnsRecord[], lines = 'cache 30', extra: Partial<Reply> = {}) {
  const world = { nowMs: 1_000_000, hits: 0, refreshes: 0 }
  const reply: Reply = { ...emptyReply, recursionAvailable: true, answer, ...extra }
  const server = testServer(`.:53 {\n${lines}\nkubernetes cluster.local\nforward . 192.0.2.53\n}`, {
    objects: [namespace('shop'), service('shop/tea', { clusterIPs: ['10.96.4.4'] })],
    ports: {
      nowMs: () => world.nowMs,
      metrics: {
        add: () => {},
        set: () => {},
        observe: () => {},
        counter: (metric) => ({
          get value() {
            return 0
          },
          set value(_) {
            if (metric === 'coredns_cache_hits_total') world.hits++
          },
        }),
      },
      schedule: () => {
        world.refreshes++
        return () => {}
      },
      exchange: (_upstream, query) => Promise.resolve({ kind: 'reply', reply, question: query }),
    },
  })
  const [listener] = server.listeners
  const hot = new HotAnswers()
  /** The ordinary way; it teaches the short one. */
  const slowly = async (query: Query): Promise<string> => {
    const asked = await listener?.answer(query)
    if (asked?.kind !== 'reply') throw new Error('expected a reply')
    hot.learn(query, asked)
    return hex(encodeReply(query, asked.reply))
  }
  const quickly = (query: Query): string | undefined => {
    const bytes = encodeQuery(query)
    const out = new Uint8Array(4096)
    const length = hot.answer(bytes, bytes.length, { isDatagram: query.transport === 'udp', family: 4 }, out)
    return length === 0 ? undefined : hex(out.subarray(0, length))
  }
  const plugin = server.blocks.flatMap(({ plugins }) => plugins).find((one) => isKubernetes(one.plugin))?.plugin
  if (plugin === undefined || !isKubernetes(plugin)) throw new Error('no kubernetes plugin')
  return { world, slowly, quickly, index: plugin.index }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const ask = (extra: Partial<Query> = {}, asked = name, type: number = rrType.A): Query =>
  queryOf(asked, type, { id: 7, ...extra })

describe('a cached answer from ready bytes', () => {
  const chain = [nameRecord(name, rrType.CNAME, 60, 'b.example.net.'), ...addresses(2, 'b.example.net.')]
  const rows: readonly (readonly [string, readonly DnsRecord[], Partial<Query>, string?, Partial<Reply>?])[] = [
    ['has the TTL of the moment', addresses(1), {}],
    ['keeps the letters of the question', addresses(1), { name: 'A.ExamplE.org.' }],
    ['has an OPT record for those who sent one', addresses(2), { edns }],
    ['goes over streams as well', addresses(2), { transport: 'tcp' }],
    ['has every TTL of a chain', chain, {}],
    ['keeps its TTL where the Corefile says so', addresses(1), {}, 'cache 30 {\nkeepttl\n}'],
    ['passes plugins that change nothing', addresses(1), {}, 'errors\nloop\ncache 30'],
    ['says AD to those who asked about it', addresses(1), { authenticData: true }, 'cache', { authenticData: true }],
    ['says no AD to others', addresses(1), {}, 'cache', { authenticData: true }],
    ['says AD with DO', addresses(1), { edns: { ...edns, dnssecOk: true } }, 'cache', { authenticData: true }],
    ['carries CD back', addresses(1), { checkingDisabled: true }],
    ['carries a missing RD back', addresses(1), { recursionDesired: false }],
  ]
  it.each(rows.map((row) => ({ says: row[0], row })))(
    '$says',
    async ({ row: [_says, answer, extra, lines, reply] }) => {
      const { world, slowly, quickly } = setUp(answer, lines, reply)
      const query = ask(extra)
      await slowly(query)
      expect(quickly(query)).toBeUndefined()
      await slowly(query)
      for (const seconds of [0, 1, 11, 12]) {
        world.nowMs = 1_000_000 + seconds * 1000
        expect(quickly(query)).toBe(await slowly(query))
      }
    },
  )

  it('is another one for every bit that replies may depend on', async () => {
    const { slowly, quickly } = setUp(addresses(1))
    const queries = [
      {},
      { checkingDisabled: true },
      { authenticData: true },
      { edns: { ...edns, dnssecOk: true } },
    ].map((extra) => ask(extra))
    for (const query of queries) {
      expect(quickly(query)).toBeUndefined()
      await slowly(query)
      await slowly(query)
      expect(quickly(query)).toBe(await slowly(query))
    }
  })

  it('counts as a hit of the cache each time', async () => {
    const { world, slowly, quickly } = setUp(addresses(1))
    await slowly(ask())
    await slowly(ask())
    world.hits = 0
    for (let i = 0; i < 3; i++) quickly(ask())
    expect(world.hits).toBe(3)
  })

  it('is left to the ordinary way where that would compress it', async () => {
    const { slowly, quickly } = setUp(addresses(20))
    for (const query of [ask(), ask(), ask({ edns }), ask({ edns })]) await slowly(query)
    expect([quickly(ask()), quickly(ask({ edns }))?.length]).toEqual([undefined, 2 * (12 + 19 + 20 * 29 + 11)])
  })

  it('ends with its item', async () => {
    const { world, slowly, quickly } = setUp(addresses(1))
    await slowly(ask())
    await slowly(ask())
    world.nowMs += 30_000
    expect(quickly(ask())).toBeUndefined()
    world.nowMs -= 1000
    expect(quickly(ask())).toBeUndefined()
  })

  it('is left to the cache near its end, so that popular names are refreshed', async () => {
    const { world, slowly, quickly } = setUp(addresses(1), 'cache 30 {\nprefetch 3 1m 20%\n}')
    await slowly(ask())
    await slowly(ask())
    world.nowMs += 20_000
    expect([quickly(ask()) !== undefined, world.refreshes]).toEqual([true, 0])
    world.nowMs += 4000
    expect(quickly(ask())).toBeUndefined()
    await slowly(ask())
    expect(world.refreshes).toBe(1)
  })

  it('goes the moment the object changes that it was made from', async () => {
    const { slowly, quickly, index } = setUp([])
    const tea = ask({}, 'tea.shop.svc.cluster.local.')
    await slowly(tea)
    await slowly(tea)
    expect(quickly(tea)).toBe(await slowly(tea))
    const moved = service('shop/tea', { clusterIPs: ['10.96.4.5'] })
    index.apply({ kind: 'Service', namespace: 'shop', name: 'tea', object: moved }, 5000)
    expect(quickly(tea)).toBeUndefined()
    expect(await slowly(tea)).toContain(Buffer.from([10, 96, 4, 5]).toString('hex'))
  })

  it('turns addresses around behind loadbalance, aliases first', async () => {
    const { slowly, quickly } = setUp(
      [nameRecord(name, rrType.CNAME, 60, 'b.example.net.'), ...addresses(3, 'b.example.net.')],
      'loadbalance\ncache',
    )
    await slowly(ask())
    await slowly(ask())
    const orders = [1, 2, 3].map(() => {
      const message = decodeMessage(Buffer.from(quickly(ask()) ?? '', 'hex'))
      return (message?.answer ?? []).map((record) => printRecord(record).split(' ').pop() ?? '')
    })
    expect(new Set(orders.map(([alias]) => alias))).toEqual(new Set(['b.example.net.']))
    expect(new Set(orders.map(([, first]) => first)).size).toBe(3)
    for (const [, ...rest] of orders) expect(rest.sort()).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3'])
  })

  it.each([
    ['loadbalance {\nprefer 192.0.2.0/31\n}\ncache', 'an order that is preferred'],
    ['rewrite continue ttl regex (.*) 7-40\ncache', 'a plugin that changes answers'],
    ['log\ncache', 'a plugin that wants to see each question'],
    ["view v {\nexpr type() == 'A'\n}\ncache", 'a block that is not for everybody'],
  ])('is not made behind this: %s (%s)', async (lines) => {
    const { slowly, quickly } = setUp(addresses(3), lines)
    await slowly(ask())
    await slowly(ask())
    expect(quickly(ask())).toBeUndefined()
  })
})
