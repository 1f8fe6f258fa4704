// What one answer costs without a socket: ready bytes, the ordinary way, and dns-packet's decode and encode of the same, in
// alternation; and what one changed slice costs in clusters of several sizes. CPU of this process.

import {
  createDnsServer,
  createZoneIndex,
  decodeQuery,
  encodeQuery,
  encodeReply,
  HotAnswers,
  plainPorts,
  queryOf,
  rrType,
} from '@kubewire/dns-core'
import { noSurroundings, serverPlans } from '@kubewire/dns-core/corefile'
import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'
import { type Answer, decode, encode } from 'dns-packet'
import { median } from '../proxy/median.ts'
import { clusterOf, isHeadless, keyOfService, sliceAt } from './objects.ts'

/** One figure against another, and what it is to be. */
export interface Figure {
  readonly what: string
  readonly value: string
  readonly ratio: number
  readonly goal: number
}

const arrival = {
  transport: 'udp',
  client: { address: '192.0.2.1', port: 53000 },
  local: { address: '192.0.2.53', port: 53 },
} as const
const rounds = 5
const name = (i: number): string => `${keyOfService(i).split('/').reverse().join('.')}.svc.cluster.local.`

/** All figures for a cluster of that size. */
export function measureCodec(services: number): Figure[] {
  return [...measureAnswers(services), ...measureChanges(services)]
}

function measureAnswers(services: number): Figure[] {
  const wide = 'wide.shop.svc.cluster.local.'
  const ten = Array.from({ length: 10 }, (_, i) => ({
    addresses: [`10.30.0.${i + 1}`],
    conditions: { ready: true },
    hostname: `wide-${i}`,
  }))
  const extra = [namespace('shop'), service('shop/wide', { clusterIPs: ['None'] }), endpointSlice('shop/wide', ten)]
  const snapshot = snapshotOf([...clusterOf(services), ...extra])
  const { value: plans } = serverPlans('.:53 {\n errors\n kubernetes cluster.local\n}', {
    fileName: 'Corefile',
    root: '.',
    defaultPort: 53,
    surroundings: noSurroundings,
  })
  const [listener] = createDnsServer(plans, plainPorts({ snapshot })).listeners
  if (listener === undefined) throw new Error('a block listens')
  const hot = new HotAnswers()
  const out = new Uint8Array(4096)
  const ask = (bytes: Buffer): Uint8Array => {
    const decoded = decodeQuery(bytes, arrival)
    if (decoded.kind !== 'query') throw new Error('a plain question')
    const answer = listener.answer(decoded.query)
    if (answer instanceof Promise || answer.kind !== 'reply') throw new Error('a reply at once')
    hot.learn(decoded.query, answer)
    return encodeReply(decoded.query, answer.reply)
  }
  const repeat = (bytes: Buffer): void => {
    if (hot.answer(bytes, bytes.length, { isDatagram: false, family: 4 }, out) === 0) throw new Error('asked before')
  }
  const single = Array.from({ length: services }, (_, i) => i).filter((i) => !isHeadless(i))
  const questions = single.map((i) => Buffer.from(encodeQuery(queryOf(name(i), rrType.A, { id: i & 65_535 }))))
  const mixed = questions.map((bytes) =>
    Buffer.from(bytes.map((c, i) => (i > 12 && i < bytes.length - 5 && i % 2 && c > 96 && c < 123 ? c - 32 : c))),
  )
  const srv = [Buffer.from(encodeQuery(queryOf(`_http._tcp.${wide}`, rrType.SRV, { transport: 'tcp' })))]
  for (const bytes of [...questions, ...srv]) ask(bytes)
  const costs = alternate({
    ready: () => cost(questions, repeat, 200_000),
    mixed: () => cost(mixed, repeat, 200_000),
    ordinary: () => cost(questions, ask, 20_000),
    packet: () => cost(questions, (bytes) => answerByPacket(bytes, singleAnswer), 20_000),
    readySrv: () => cost(srv, repeat, 100_000),
    packetSrv: () => cost(srv, (bytes) => answerByPacket(bytes, srvAnswer(wide)), 4000),
  })
  const of = (key: string): number => costs.get(key) ?? Number.NaN
  const ns = (key: string): string => `${of(key).toFixed(0)} ns`
  return [
    { what: 'A, dns-packet / ready bytes', value: ns('ready'), ratio: of('packet') / of('ready'), goal: 8 },
    { what: 'A, dns-packet / ordinary way', value: ns('ordinary'), ratio: of('packet') / of('ordinary'), goal: 0 },
    {
      what: '10 SRV + 10 A, dns-packet / ready',
      value: ns('readySrv'),
      ratio: of('packetSrv') / of('readySrv'),
      goal: 30,
    },
    { what: 'lower case / mixed case (≥ 1/1.1)', value: ns('mixed'), ratio: of('ready') / of('mixed'), goal: 0.91 },
  ]
}

function measureChanges(services: number): Figure[] {
  const sizes = [1000, services, services * 5]
  const costs = sizes.map((size) => {
    const index = createZoneIndex()
    for (const object of clusterOf(size)) {
      const { namespace: own = '', name: objectName = '' } = object.metadata ?? {}
      index.apply({ kind: object.kind as 'Service', namespace: own, name: objectName, object }, 0)
    }
    index.markSynced()
    const many = 2000
    const changes = Array.from({ length: many }, (_, i) => sliceAt((i * 7919) % size, 1 + (i % 5)))
    return median(
      Array.from({ length: rounds }, (_, round) => {
        const start = process.cpuUsage()
        for (const object of changes) {
          const { namespace: own = '', name: objectName = '' } = object.metadata ?? {}
          index.apply({ kind: 'EndpointSlice', namespace: own, name: objectName, object }, round)
        }
        const { user, system } = process.cpuUsage(start)
        return (user + system) / many
      }),
    )
  })
  return sizes.map((size, i) => ({
    what: `one slice of ${size} Services, below 1 ms`,
    value: `${(costs[i] ?? 0).toFixed(1)} µs`,
    ratio: 1000 / (costs[i] ?? Number.NaN),
    goal: 1,
  }))
}

function alternate(ways: { readonly [key: string]: () => number }): Map<string, number> {
  const costs = new Map<string, number[]>(Object.keys(ways).map((key) => [key, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [key, way] of Object.entries(ways)) costs.get(key)?.push(way())
  }
  return new Map([...costs].map(([key, values]) => [key, median(values)]))
}

function cost(questions: readonly Buffer[], way: (bytes: Buffer) => unknown, times: number): number {
  const start = process.cpuUsage()
  for (let i = 0; i < times; i++) way(questions[i % questions.length] as Buffer)
  const { user, system } = process.cpuUsage(start)
  return ((user + system) * 1000) / times
}

interface PacketAnswer {
  readonly answers: Answer[]
  readonly additionals: Answer[]
}

function answerByPacket(bytes: Buffer, answerOf: (question: string) => PacketAnswer): void {
  const { id, questions = [] } = decode(bytes)
  const [question] = questions
  if (question === undefined) throw new Error('one question')
  encode({ type: 'response', ...(id === undefined ? {} : { id }), questions, ...answerOf(question.name) })
}

function singleAnswer(question: string): PacketAnswer {
  return { answers: [{ type: 'A', class: 'IN', name: question, ttl: 5, data: '10.96.0.1' }], additionals: [] }
}

function srvAnswer(host: string): (question: string) => PacketAnswer {
  const targets = Array.from({ length: 10 }, (_, i) => `wide-${i}.${host.slice(0, -1)}`)
  return (question) => ({
    answers: targets.map((target) => ({
      type: 'SRV',
      class: 'IN',
      name: question,
      ttl: 5,
      data: { priority: 0, weight: 10, port: 8080, target },
    })),
    additionals: targets.map((target, i) => ({
      type: 'A',
      class: 'IN',
      name: target,
      ttl: 5,
      data: `10.30.0.${i + 1}`,
    })),
  })
}
