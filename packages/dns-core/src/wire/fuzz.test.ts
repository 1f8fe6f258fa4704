// Mutated packets: nothing throws, nothing answers an answer, no reply is larger than its asker takes. Longer runs:
// FUZZ_PACKETS=10000000 FUZZ_SEED=7 npx vitest run --project unit packages/dns-core/src/wire/fuzz

import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { queryOf } from '../query.ts'
import { testServer } from '../testing/ask-corefile.ts'
import { decodeMessage } from './decode-message.ts'
import { decodeQuery } from './decode-query.ts'
import { encodeQuery } from './encode-query.ts'
import { encodeReply } from './writer.ts'

const packets = Number(process.env['FUZZ_PACKETS'] ?? 200_000)
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_129)

/** Far above what a packet costs, so that only a hang ends a long run. */
const limitMs = 60_000 + packets / 2
const arrival = {
  transport: 'udp',
  client: { address: '192.0.2.1', port: 53000 },
  local: { address: '192.0.2.53', port: 53 },
} as const

describe(`${packets} mutated packets`, () => {
  it(
    'never throw, never answer a response, never outgrow the advertised size',
    () => {
      const many = Array.from({ length: 60 }, (_, i) => `10.20.3.${i + 1}`)
      const server = testServer('.:53 {\nany\nkubernetes cluster.local in-addr.arpa\n}', {
        objects: [namespace('shop'), service('shop/db', { clusterIPs: ['None'] }), endpointSlice('shop/db', many)],
      })
      const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [{ code: 10, data: new Uint8Array(8) }] }
      const seeds = [
        encodeQuery(queryOf('db.shop.svc.cluster.local.', 1)),
        encodeQuery(queryOf('_http._tcp.db.shop.svc.cluster.local.', 33, { edns })),
        encodeQuery(queryOf('4.3.20.10.in-addr.arpa.', 12, { edns })),
        encodeQuery(queryOf('cluster.local.', 251, { ixfrSerial: 1 })),
      ]
      const random = createRandom(seed)
      let answered = 0
      for (let i = 0; i < packets; i++) {
        const bytes = mutate(seeds[i % seeds.length] ?? new Uint8Array(), random)
        const decoded = decodeQuery(bytes, arrival)
        const isResponse = ((bytes[2] ?? 0) & 0x80) !== 0
        if (isResponse || bytes.length < 12) {
          if (decoded.kind !== 'ignore') expect.fail(`packet ${i} is no query`)
        }
        if (decoded.kind === 'refuse' && decoded.bytes.length > bytes.length) expect.fail(`refusal of packet ${i}`)
        if (decoded.kind !== 'query') continue
        const answer = server.listeners[0]?.answer(decoded.query)
        if (answer === undefined || answer instanceof Promise || answer.kind !== 'reply') continue
        const reply = encodeReply(decoded.query, answer.reply)
        const limit = Math.max(512, decoded.query.edns?.udpSize ?? 512)
        if (reply.length > limit || decodeMessage(reply) === undefined) {
          expect.fail(`reply to packet ${i} (${Buffer.from(bytes).toString('hex')}): ${reply.length} of ${limit} bytes`)
        }
        answered++
      }
      expect(answered).toBeGreaterThan(packets / 20)
    },
    limitMs,
  )
})

function mutate(original: Uint8Array, random: () => number): Uint8Array {
  const bytes = Uint8Array.from(original)
  for (let i = Math.floor(random() * 4); i >= 0; i--)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
  const kind = random()
  if (kind < 0.1) return bytes.subarray(0, Math.floor(random() * bytes.length))
  if (kind < 0.2) return Uint8Array.from([...bytes, ...bytes.subarray(0, Math.floor(random() * 40))])
  return bytes
}

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}
