// Options that rewrite rules put into questions, as the next plugin sees them.

import { describe, expect, it } from 'vitest'
import { type Query, queryOf } from '../query.ts'
import { rrType } from '../record-types.ts'
import { emptyReply } from '../reply.ts'
import { askServer, problemsOf, testServer } from '../testing/ask-corefile.ts'
import { encodeReply } from '../wire/writer.ts'

const client4 = { address: '192.0.2.77', port: 4660 }
const client6 = { address: '2001:db8:1234:5678::9', port: 5353 }

async function optionsSeen(rule: string, extra: Partial<Query>): Promise<string> {
  let seen: Query | undefined
  const server = testServer(`.:53 {\nmetadata\nrewrite edns0 ${rule}\nforward . 192.0.2.53\n}`, {
    ports: {
      exchange: (_upstream, query) => {
        seen = query
        return Promise.resolve({ kind: 'reply', reply: emptyReply, question: query })
      },
    },
  })
  await askServer(server, 'a.example. A', extra)
  const options = seen?.edns?.options ?? []
  return options.map(({ code, data }) => `${code}:${Buffer.from(data).toString('hex')}`).join(' ')
}

const withOption = (code: number, hex: string): Partial<Query> => ({
  edns: { udpSize: 1232, version: 0, dnssecOk: false, options: [{ code, data: Buffer.from(hex, 'hex') }] },
})

describe('an option of the question', () => {
  it.each([
    ['holds the subnet of an IPv4 client', 'subnet set 20 56', { client: client4 }, '8:00011400c00000'],
    ['holds the subnet of an IPv6 client', 'subnet set 24 52', { client: client6 }, '8:0002340020010db8123450'],
    ['holds no address with a length of zero', 'subnet set 0 0', { client: client4 }, '8:00010000'],
    [
      'replaces the subnet of the client',
      'subnet replace 24 56',
      { client: client4, ...withOption(8, '00011800c63364') },
      '8:00011800c00002',
    ],
    ['is not added by replace', 'subnet replace 24 56', { client: client4 }, ''],
    [
      'is left alone by append where it is there',
      'subnet append 24 56',
      { client: client4, ...withOption(8, '00010000') },
      '8:00010000',
    ],
    ['is taken out by unset', 'subnet unset', withOption(8, '00010000'), ''],
    ['asks for the name of the server', 'nsid set', {}, '3:'],
    ['holds bytes', 'local set 0xffee 0x616263', {}, '65518:616263'],
    ['holds text', 'local set 65001 abc', {}, '65001:616263'],
    ['holds the address of the client', 'local set 65001 {client_ip}', { client: client4 }, '65001:c000024d'],
    ['holds the port of the client', 'local set 65001 {client_port}', { client: client4 }, '65001:1234'],
    ['holds the type', 'local set 65001 {qtype}', {}, '65001:0001'],
    ['is left out where a label has no value', 'local set 65001 {kubernetes/none}', {}, ''],
  ] as const)('%s', async (_name, rule, extra, expected) => {
    expect(await optionsSeen(rule, extra)).toBe(expected)
  })

  it.each([
    ['subnet set 33 56', 'invalid IPv4 bit mask length 33'],
    ['subnet set 24', 'EDNS0 subnet rules require three or four args'],
    ['local set 65001 {nonsense}', 'unsupported variable name "{nonsense}"'],
    ['local set 65001 0xabc', 'encoding/hex: odd length hex string'],
    ['local set abc abc', 'strconv.ParseUint: parsing "abc": invalid syntax'],
    ['cookie set 1', 'invalid rule type "cookie"'],
    ['nsid drop', 'invalid action: "drop"'],
  ])('is refused: %s', (rule, message) => {
    expect(problemsOf(`.:53 {\nrewrite edns0 ${rule}\n}`).join()).toContain(message)
  })
})

describe('an asker without EDNS', () => {
  const addresses = Array.from({ length: 40 }, (_, i) => `192.0.2.${i + 1} many.example`).join('\n')
  const query = queryOf('many.example.', rrType.A, { transport: 'udp' })

  it.each([
    ['gets at most 512 bytes', 'errors', [449, 512]],
    ['gets what the OPT record that a rule made would take', 'rewrite continue edns0 subnet set 24 56', [640, 4096]],
  ] as const)('%s', async (_name, rule, [least, most]) => {
    const answer = await testServer(`.:53 {\n${rule}\nhosts /none {\n${addresses}\n}\n}`).listeners[0]?.answer(query)
    if (answer?.kind !== 'reply') throw new Error('expected a reply')
    const { length } = encodeReply(query, answer.reply)
    expect(length).toBeGreaterThanOrEqual(least)
    expect(length).toBeLessThanOrEqual(most)
  })
})
