// What one answer costs, in CPU time of this process: ready bytes, the ordinary way, and dns-packet's decode and encode
// of the same, in alternation. `tsx --conditions=@kubewire/source bench/dns-answer.bench.ts [services] [rounds]`. Read
// the ratios; absolute numbers mean nothing on another machine.

import {
  createDnsServer,
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
import { decode, encode } from 'dns-packet'

const [services = 10_000, rounds = 5] = process.argv.slice(2).map(Number)
const perRound = 100_000
const arrival = {
  transport: 'udp',
  client: { address: '192.0.2.1', port: 53000 },
  local: { address: '192.0.2.53', port: 53 },
} as const

const addressOf = (i: number, block: number): string => `10.${block}.${(i >> 8) & 255}.${i & 255}`
const objects = Array.from({ length: services }, (_, i) => [
  service(`shop/s${i}`, { clusterIPs: [addressOf(i, 96)] }),
  endpointSlice(
    `shop/s${i}`,
    [20, 21, 22, 23, 24].map((block) => addressOf(i, block)),
  ),
]).flat()
const { value: plans } = serverPlans('.:53 {\n errors\n kubernetes cluster.local\n}', {
  fileName: 'Corefile',
  root: '.',
  defaultPort: 53,
  surroundings: noSurroundings,
})
const snapshot = snapshotOf([namespace('shop'), ...objects])
const listener = createDnsServer(plans, plainPorts({ snapshot })).listeners[0]
if (listener === undefined) throw new Error('a block listens')
const questions = Array.from({ length: services }, (_, i) =>
  Buffer.from(encodeQuery(queryOf(`s${i}.shop.svc.cluster.local.`, rrType.A, { id: i & 65_535 }))),
)
const mixed = questions.map((bytes) =>
  Buffer.from(bytes.map((c, i) => (i > 12 && i % 2 && c > 96 && c < 123 ? c - 32 : c))),
)
const hot = new HotAnswers()
const out = new Uint8Array(4096)

const ways: { readonly [name: string]: (bytes: Buffer) => void } = {
  'ready bytes': (bytes) => repeat(bytes),
  'ready bytes, mixed letters': (bytes) => repeat(mixed[(bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)] ?? bytes),
  'ordinary way': (bytes) => void answer(bytes),
  'dns-packet decode and encode': (bytes) => {
    const { id, questions: asked = [] } = decode(bytes)
    const [question] = asked
    if (question === undefined) throw new Error('one question')
    const answers = [{ type: 'A', class: 'IN', name: question.name, ttl: 5, data: '10.96.0.1' } as const]
    encode({ type: 'response', ...(id === undefined ? {} : { id }), questions: asked, answers })
  },
}

for (const bytes of questions) answer(bytes)
const costs = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]))
for (let round = 0; round < rounds; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const start = process.cpuUsage()
    for (let i = 0; i < perRound; i++) {
      const bytes = questions[i % questions.length]
      if (bytes !== undefined) way(bytes)
    }
    const { user, system } = process.cpuUsage(start)
    costs.get(name)?.push(((user + system) * 1000) / perRound)
  }
}
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const base = median(costs.get('ready bytes') ?? [])
for (const [name, values] of costs) {
  console.log(
    `${name.padEnd(30)} ${median(values).toFixed(0).padStart(7)} ns  ${(median(values) / base).toFixed(1)} times ready bytes`,
  )
}

function repeat(bytes: Buffer): void {
  const match = hot.find(bytes, bytes.length)
  if (match === undefined || hot.write(bytes, match, 512, out) === 0) throw new Error('every question was asked before')
}

function answer(bytes: Buffer): Uint8Array {
  const decoded = decodeQuery(bytes, arrival)
  if (decoded.kind !== 'query') throw new Error('a plain question')
  const reply = listener?.answer(decoded.query)
  if (reply === undefined || reply instanceof Promise || reply.kind !== 'reply') throw new Error('a reply at once')
  if (hot.find(bytes, bytes.length) === undefined) hot.learn(decoded.query, reply.reply, reply.facts)
  return encodeReply(decoded.query, reply.reply)
}
