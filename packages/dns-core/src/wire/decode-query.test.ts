import { describe, expect, it } from 'vitest'
import { queryOf } from '../query.ts'
import { decodeQuery } from './decode-query.ts'
import { encodeQuery } from './encode-query.ts'

const arrival = {
  transport: 'udp',
  client: { address: '192.0.2.1', port: 53000 },
  local: { address: '192.0.2.53', port: 53 },
} as const
const plain = encodeQuery(queryOf('Tea.example.org.', 1, { id: 0x1234 }))
const edit = (...changes: readonly (readonly [at: number, value: number])[]): Uint8Array => {
  const bytes = Uint8Array.from(plain)
  for (const [at, value] of changes) bytes[at] = value
  return bytes
}
const outcome = (bytes: Uint8Array): string => {
  const decoded = decodeQuery(bytes, arrival)
  return decoded.kind === 'refuse' ? `refuse ${Buffer.from(decoded.bytes).toString('hex')}` : decoded.kind
}

describe('what is done before any plugin', () => {
  it.each([
    ['a plain question', plain, 'query'],
    ['a response', edit([2, 0x81]), 'ignore'],
    ['fewer bytes than a header', plain.subarray(0, 11), 'ignore'],
    ['a header that promises a question', plain.subarray(0, 12), 'refuse 123481020000000000000000'],
    ['opcode STATUS', edit([2, 0x11]), 'refuse 123491040000000000000000'],
    ['opcode NOTIFY', edit([2, 0x21]), 'query'],
    ['no question', edit([5, 0]), 'refuse 123481010000000000000000'],
    ['two questions', edit([5, 2]), 'refuse 123481010000000000000000'],
    ['two answers', edit([7, 2]), 'refuse 123481010000000000000000'],
    ['a pointer to itself as question', edit([12, 0xc0], [13, 12]), 'refuse 123481010000000000000000'],
    ['a label over 63', edit([12, 64]), 'refuse 123481010000000000000000'],
    ['a question cut short', plain.subarray(0, plain.length - 1), 'refuse 123481010000000000000000'],
    ['bytes behind the last record', Uint8Array.from([...plain, 1, 2, 3]), 'query'],
  ])('%s', (_name, bytes, expected) => {
    expect(outcome(bytes)).toBe(expected)
  })

  it('keeps letters, flags and EDNS of the question', () => {
    const edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [] }
    const decoded = decodeQuery(encodeQuery(queryOf('Tea.Example.ORG.', 28, { id: 7, edns })), arrival)
    expect(decoded.kind === 'query' && decoded.query).toMatchObject({ id: 7, name: 'Tea.Example.ORG.', type: 28, edns })
  })

  it('reads names with dots and odd bytes in labels as escapes', () => {
    const decoded = decodeQuery(encodeQuery(queryOf('a\\.b\\007\\255.org.', 1)), arrival)
    expect(decoded.kind === 'query' && decoded.query.name).toBe('a\\.b\\007\\255.org.')
  })
})
