import { decode } from 'dns-packet'
import { describe, expect, it } from 'vitest'
import { queryOf } from '../query.ts'
import { addressRecord, type DnsRecord, nameRecord, srvRecord, textRecord } from '../record.ts'
import { rrType } from '../record-types.ts'
import { authoritativeReply, type Reply } from '../reply.ts'
import { decodeMessage } from './decode-message.ts'
import { encodeReply, truncateReply } from './writer.ts'

const name = 'db.shop.svc.cluster.local.'
const addresses = (count: number): DnsRecord[] =>
  Array.from({ length: count }, (_, i) => addressRecord(name, 5, `10.20.${i >> 8}.${i & 255}`))

describe('how large replies are', () => {
  it.each([
    [1, 84, 1, false, 'one address is sent without compression'],
    [11, 494, 11, false, 'what fits without compression stays so'],
    [12, 235, 12, false, 'what does not fit is compressed first'],
    [29, 507, 29, false, 'the last count that fits 512 bytes'],
    [30, 507, 29, true, 'one more is left out and TC set'],
  ])('%i addresses: %i bytes, %i records, TC %s (%s)', (count, bytes, records, truncated) => {
    const encoded = encodeReply(queryOf(name, rrType.A), authoritativeReply(addresses(count)))
    const message = decodeMessage(encoded)
    expect([encoded.length, message?.answer.length, ((message?.flags ?? 0) & 0x200) !== 0]).toEqual([
      bytes,
      records,
      truncated,
    ])
  })

  it('reserves room for the OPT record and puts it last', () => {
    const edns = { udpSize: 512, version: 0, dnssecOk: true, options: [] }
    const encoded = encodeReply(queryOf(name, rrType.A, { edns }), authoritativeReply(addresses(30)))
    const message = decodeMessage(encoded)
    expect(message?.answer.length).toBe(28)
    expect(message?.edns).toMatchObject({ udpSize: 512, dnssecOk: true, version: 0 })
  })

  it('compresses UDP replies that would fragment', () => {
    const edns = { udpSize: 4096, version: 0, dnssecOk: false, options: [] }
    const reply = authoritativeReply(addresses(35))
    const [over4, over6] = ['192.0.2.1', '2001:db8::1'].map(
      (address) => encodeReply(queryOf(name, rrType.A, { edns, client: { address, port: 1 } }), reply).length,
    )
    expect([over4, over6]).toEqual([614, 614])
    expect(encodeReply(queryOf(name, rrType.A, { edns, transport: 'tcp' }), reply).length).toBe(1489)
  })

  it('cuts replies of inner lookups the same way', () => {
    const cut = truncateReply(queryOf(name, rrType.A), authoritativeReply(addresses(40)))
    expect([cut.answer.length, cut.truncated]).toEqual([29, true])
  })
})

describe('what another decoder reads', () => {
  it('gives back every record, compressed and not', () => {
    const answer = [
      nameRecord(name, rrType.CNAME, 5, 'x.shop.svc.cluster.local.'),
      addressRecord('x.shop.svc.cluster.local.', 5, '2001:db8::1:0:2'),
      srvRecord(name, 5, 50, 8080, 'db-0.db.shop.svc.cluster.local.'),
      textRecord(name, 5, ['a "b"', 'c']),
    ]
    const reply: Reply = authoritativeReply([...answer, ...addresses(20)])
    const packet = decode(Buffer.from(encodeReply(queryOf(name, rrType.ANY, { transport: 'tcp' }), reply)))
    const small = decode(
      Buffer.from(
        encodeReply(
          queryOf(name, rrType.ANY, { edns: { udpSize: 700, version: 0, dnssecOk: false, options: [] } }),
          reply,
        ),
      ),
    )
    const read = ({ answers }: typeof packet): unknown[] =>
      (answers ?? []).map((one) => ('data' in one ? [one.name, one.type, one.data] : one))
    expect(read(packet).slice(0, 3)).toEqual([
      ['db.shop.svc.cluster.local', 'CNAME', 'x.shop.svc.cluster.local'],
      ['x.shop.svc.cluster.local', 'AAAA', '2001:db8::1:0:2'],
      [
        'db.shop.svc.cluster.local',
        'SRV',
        { priority: 0, weight: 50, port: 8080, target: 'db-0.db.shop.svc.cluster.local' },
      ],
    ])
    expect(read(small)).toEqual(read(packet))
  })
})
