// What the fields of a log line say about questions that a later plugin changed, and about those of the server itself.

import { describe, expect, it } from 'vitest'
import { queryOf } from '../query.ts'
import { rrType } from '../record-types.ts'
import { testServer } from '../testing/ask-corefile.ts'
import { decodeQuery } from '../wire/decode-query.ts'
import { encodeQuery } from '../wire/encode-query.ts'

const corefile = `.:53 {
    log . "{type} {class} {name} {size} {>do} {>bufsize} {rsize} {rcode}"
    rewrite type MX TXT
    rewrite class CH IN
    rewrite name exact renamed.example a.example
    rewrite continue edns0 local set 0xffee 0x01020304
    hosts /dev/null {
        192.0.2.1 a.example
    }
    chaos
}`

const cookie = { code: 10, data: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) }
const opt = { udpSize: 1232, version: 0, dnssecOk: true, options: [cookie] }
const address = { address: '192.0.2.1', port: 53 }

describe('a log line', () => {
  it.each([
    [
      'has the type that a rule made of it',
      { name: 'a.example.', type: rrType.MX },
      ['TXT IN a.example. 27 false 512 27 NOERROR'],
    ],
    [
      'has the class that a rule made of it',
      { name: 'a.example.', type: rrType.A, class: 3 },
      ['A IN a.example. 27 false 512 52 NOERROR'],
    ],
    [
      'has its own name, and the length of the other',
      { name: 'renamed.example.', type: rrType.A },
      ['A IN renamed.example. 27 false 512 64 NOERROR'],
    ],
    [
      'has the OPT record that a rule added',
      { name: 'a.example.', type: rrType.A },
      ['A IN a.example. 46 false 4096 52 NOERROR'],
    ],
    [
      'loses the options that do not come back',
      { name: 'a.example.', type: rrType.MX, edns: opt },
      ['TXT IN a.example. 38 true 1232 27 NOERROR'],
    ],
    [
      'has the OPT record of a failure that became a reply',
      { name: 'b.example.', type: rrType.MX, edns: opt },
      ['TXT IN b.example. 38 true 1232 38 SERVFAIL'],
    ],
    [
      'keeps all options where no plugin made a reply',
      { name: 'b.example.', type: rrType.A, edns: opt },
      ['A IN b.example. 58 true 1232 27 SERVFAIL'],
    ],
    ['has a word for type 0', { name: 'a.example.', type: 0 }, ['None IN a.example. 46 false 4096 27 NOERROR']],
    [
      'counts the SOA of an incremental transfer in full',
      { name: 'a.example.', type: rrType.IXFR, ixfrSerial: 1 },
      ['IXFR IN a.example. 89 false 4096 27 NOERROR'],
    ],
  ] as const)('%s', async (_name, { name, type, ...extra }, expected) => {
    const lines: string[] = []
    const server = testServer(corefile, {
      ports: { log: (level, line) => void (level === 'info' && lines.push(line)) },
    })
    const bytes = encodeQuery(queryOf(name, type, extra))
    const decoded = decodeQuery(bytes, { transport: 'udp', client: address, local: address })
    if (decoded.kind !== 'query') throw new Error('expected a question')
    await server.listeners[0]?.answer(decoded.query)
    expect(lines).toEqual(expected)
  })
})

it('has the length of the question that an alias led to', async () => {
  const lines: string[] = []
  const server = testServer(
    '.:53 {\nlog . "{name} {size}"\ntemplate IN A alias.example {\n answer "{{ .Name }} 60 IN CNAME a.example."\n}\nhosts /dev/null {\n 192.0.2.1 a.example\n}\n}',
    { ports: { log: (level, line) => void (level === 'info' && lines.push(line)) } },
  )
  await server.listeners[0]?.answer(queryOf('alias.example.', rrType.A, { sizeBytes: 31 }))
  expect(lines).toEqual(['a.example. 27', 'alias.example. 31'])
})
