// Ready answers against the ordinary way: the same reply for the same question, and gone when an object changes.

import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { isKubernetes } from '../plugins/kubernetes.ts'
import { type Query, queryOf } from '../query.ts'
import { rcodeName, typeNumber } from '../record-types.ts'
import { testServer } from '../testing/ask-corefile.ts'
import { decodeMessage } from '../wire/decode-message.ts'
import { encodeQuery } from '../wire/encode-query.ts'
import { printRecord } from '../zone/print-record.ts'
import { HotAnswers } from './hot-answers.ts'

const objects = [
  namespace('shop'),
  service('shop/tea', { clusterIPs: ['10.96.4.4'] }),
  service('shop/db', { clusterIPs: ['None'] }),
  endpointSlice('shop/db', ['10.20.3.4', '10.20.3.5', '10.20.3.6']),
]
const edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [] }

function setUp(lines = '') {
  const server = testServer(`.:53 {\n${lines}\nkubernetes cluster.local in-addr.arpa\n}`, { objects })
  const listener = server.listeners[0]
  const plugin = server.blocks.flatMap((block) => block.plugins).find((named) => isKubernetes(named.plugin))?.plugin
  if (listener === undefined || plugin === undefined || !isKubernetes(plugin)) throw new Error('no kubernetes block')
  const hot = new HotAnswers()
  const learn = (query: Query): void => {
    const answer = listener.answer(query)
    if (answer instanceof Promise || answer.kind !== 'reply') throw new Error('expected a reply at once')
    hot.learn(query, answer)
  }
  const repeat = (query: Query, limit = 1232): string | undefined => {
    const bytes = encodeQuery(query)
    const out = new Uint8Array(limit)
    const length = hot.answer(bytes, bytes.length, { isDatagram: true, family: 4 }, out)
    const message = length === 0 ? undefined : decodeMessage(out.subarray(0, length))
    if (message === undefined) return undefined
    const records = [...message.answer, ...message.authority, ...message.additional].map((record) =>
      printRecord(record),
    )
    return [`${message.id} ${message.questions[0]?.name} ${rcodeName(message.flags & 15)}`, ...records].join(' | ')
  }
  return { learn, repeat, index: plugin.index }
}

const ask = (text: string, extra: Partial<Query> = {}): Query => {
  const [name = '', type = ''] = text.split(' ')
  return queryOf(name, typeNumber(type) ?? 0, { id: 7, ...extra })
}

describe('ready answers', () => {
  it.each([
    [
      'tea.shop.svc.cluster.local. A',
      {},
      '7 tea.shop.svc.cluster.local. NOERROR | tea.shop.svc.cluster.local. 5 IN A 10.96.4.4',
      'a service',
    ],
    [
      'tea.shop.svc.cluster.local. A',
      { edns, id: 9 },
      '9 tea.shop.svc.cluster.local. NOERROR | tea.shop.svc.cluster.local. 5 IN A 10.96.4.4',
      'a service asked with EDNS',
    ],
    [
      'Tea.Shop.svc.CLUSTER.local. A',
      {},
      '7 Tea.Shop.svc.CLUSTER.local. NOERROR | Tea.Shop.svc.CLUSTER.local. 5 IN A 10.96.4.4',
      'letters as asked',
    ],
    [
      'no.Shop.svc.CLUSTER.local. A',
      {},
      '7 no.Shop.svc.CLUSTER.local. NXDOMAIN | CLUSTER.local. 5 IN SOA ns.dns.CLUSTER.local. hostmaster.CLUSTER.local. 0 7200 1800 86400 5',
      'a denial with the zone as asked',
    ],
    [
      '4.4.96.10.in-addr.arpa. PTR',
      {},
      '7 4.4.96.10.in-addr.arpa. NOERROR | 4.4.96.10.in-addr.arpa. 5 IN PTR tea.shop.svc.cluster.local.',
      'a reverse name',
    ],
  ])('%s: %o', (question, extra, expected, says) => {
    const { learn, repeat } = setUp()
    learn(ask(question.toLowerCase().replace(/ .*/, (type) => type.toUpperCase())))
    expect([says, repeat(ask(question, extra))]).toEqual([says, expected])
  })

  it('wait for another answer when names in data would be spelled otherwise', () => {
    const { learn, repeat } = setUp()
    learn(ask('_http._tcp.tea.shop.svc.cluster.local. SRV'))
    expect(repeat(ask('_http._tcp.tea.shop.svc.cluster.local. SRV'))).toContain(
      'SRV 0 100 80 tea.shop.svc.cluster.local.',
    )
    expect(repeat(ask('_http._tcp.tea.shop.svc.CLUSTER.local. SRV'))).toBeUndefined()
  })

  it('are learned from questions in any letters', () => {
    const { learn, repeat } = setUp()
    learn(ask('No.shop.svc.CLUSTER.local. A'))
    learn(ask('_http._tcp.tea.shop.svc.CLUSTER.local. SRV'))
    const soa = 'cluster.local. 5 IN SOA ns.dns.cluster.local. hostmaster.cluster.local. 0 7200 1800 86400 5'
    expect(repeat(ask('no.shop.svc.cluster.local. A'))).toBe(`7 no.shop.svc.cluster.local. NXDOMAIN | ${soa}`)
    expect(repeat(ask('_http._tcp.tea.shop.svc.CLUSTER.local. SRV'))).toBeUndefined()
  })

  it('leave what is too large to the ordinary way', () => {
    const { learn, repeat } = setUp()
    learn(ask('db.shop.svc.cluster.local. A'))
    expect(repeat(ask('db.shop.svc.cluster.local. A'), 512)).toBeDefined()
    expect(repeat(ask('db.shop.svc.cluster.local. A'), 60)).toBeUndefined()
  })

  it('turn addresses around behind loadbalance and nowhere else', () => {
    const firsts = (lines: string): Set<string | undefined> => {
      const { learn, repeat } = setUp(lines)
      learn(ask('db.shop.svc.cluster.local. A'))
      return new Set([1, 2, 3].map(() => repeat(ask('db.shop.svc.cluster.local. A'))?.split(' | ')[1]))
    }
    expect([firsts('loadbalance').size, firsts('').size]).toEqual([3, 1])
  })

  it('go when an object changes that they were made from, and only then', () => {
    const { learn, repeat, index } = setUp()
    const [tea, db, absent] = ['tea', 'db', 'new'].map((name) => ask(`${name}.shop.svc.cluster.local. A`))
    if (tea === undefined || db === undefined || absent === undefined) throw new Error('three questions')
    for (const query of [tea, db, absent]) learn(query)
    index.apply(
      { kind: 'Service', namespace: 'shop', name: 'new', object: service('shop/new', { clusterIPs: ['10.96.9.9'] }) },
      5000,
    )
    expect([tea, db, absent].map((query) => repeat(query) === undefined)).toEqual([false, false, true])
    index.apply(
      { kind: 'EndpointSlice', namespace: 'shop', name: 'db-a', object: endpointSlice('shop/db', ['10.20.3.9']) },
      6000,
    )
    expect([tea, db].map((query) => repeat(query) === undefined)).toEqual([false, true])
    index.apply({ kind: 'Namespace', namespace: '', name: 'shop' }, 7000)
    expect(repeat(tea)).toBeUndefined()
  })

  it('carry the serial of today in denials', () => {
    const { learn, repeat, index } = setUp()
    learn(ask('no.shop.svc.cluster.local. A'))
    index.apply({ kind: 'Service', namespace: 'shop', name: 'other', object: service('shop/other') }, 9_000_000)
    expect(repeat(ask('no.shop.svc.cluster.local. A'))).toContain(' 9000 7200 ')
  })

  it('are not made where a plugin changes answers', () => {
    const { learn, repeat } = setUp('rewrite continue ttl regex (.*) 7-40')
    learn(ask('tea.shop.svc.cluster.local. A'))
    expect(repeat(ask('tea.shop.svc.cluster.local. A'))).toBeUndefined()
  })
})
