// The OPT record of a reply (RFC 6891). In a reply it mirrors the query's size and DO bit; options of the query do
// not come back (CoreDNS 1.15), only those that a plugin put into the reply.

import type { Query } from '../query.ts'
import { rcode, rrType } from '../record-types.ts'
import type { Reply } from '../reply.ts'
import { writeUint16 } from './write-record.ts'

/** The OPT record that goes out with a reply. */
export interface ReplyOpt {
  readonly udpSize: number
  readonly extendedRcode: number
  readonly dnssecOk: boolean
  readonly options: NonNullable<Reply['ednsOptions']>
}

/** The size a reply advertises to askers without EDNS when a plugin put options into it (CoreDNS SetEdns0). */
const defaultUdpSize = 4096

/** Decides on the OPT record of a reply: there is one when the query had one or a plugin made one. */
export function negotiateOpt(query: Query, reply: Reply): ReplyOpt | undefined {
  const { edns } = query
  const options = reply.ednsOptions ?? reply.repeatedOptions
  if (edns === undefined && options === undefined) return undefined
  return {
    udpSize: reply.udpSize ?? edns?.udpSize ?? reply.ednsSize ?? defaultUdpSize,
    extendedRcode: reply.rcode >> 4,
    // COMPAT: the refusal of a version is a record of its own, without the asker's bit.
    dnssecOk: reply.rcode !== rcode.BADVERS && (edns?.dnssecOk === true || reply.saysDnssecOk === true),
    options: options ?? [],
  }
}

/** Bytes that the OPT record takes: 11 plus its options. */
export function optLength(opt: ReplyOpt | undefined): number {
  return opt === undefined ? 0 : opt.options.reduce((sum, option) => sum + 4 + option.data.length, 11)
}

/** Writes the OPT record; the caller has reserved `optLength`. Returns the offset behind it. */
export function writeOpt(bytes: Uint8Array, start: number, opt: ReplyOpt): number {
  bytes[start] = 0
  writeUint16(bytes, start + 1, rrType.OPT)
  writeUint16(bytes, start + 3, opt.udpSize)
  bytes[start + 5] = opt.extendedRcode
  bytes[start + 6] = 0
  writeUint16(bytes, start + 7, opt.dnssecOk ? 0x8000 : 0)
  writeUint16(bytes, start + 9, optLength(opt) - 11)
  let at = start + 11
  for (const { code, data } of opt.options) {
    writeUint16(bytes, at, code)
    writeUint16(bytes, at + 2, data.length)
    bytes.set(data, at + 4)
    at += 4 + data.length
  }
  return at
}
