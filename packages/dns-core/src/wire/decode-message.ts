// Bytes → a whole message: replies of upstreams, and queries that are not one plain question.

import type { Edns } from '../query.ts'
import type { DnsRecord, RecordData } from '../record.ts'
import { rrType } from '../record-types.ts'
import { readIpv4, readIpv6 } from './address-bytes.ts'
import { copyData } from './embedded-names.ts'
import { readName, readUint16, readUint32 } from './reader.ts'

/** A decoded message. `flags` is the second word of the header as it came. */
export interface Message {
  readonly id: number
  readonly flags: number
  readonly questions: readonly { readonly name: string; readonly type: number; readonly class: number }[]
  readonly answer: readonly DnsRecord[]
  readonly authority: readonly DnsRecord[]
  /** Without the OPT record. */
  readonly additional: readonly DnsRecord[]
  readonly edns?: Edns & { readonly extendedRcode: number }
}

/** Decodes a message, or `undefined` when it is malformed. Bytes behind the last record are ignored. */
export function decodeMessage(bytes: Uint8Array): Message | undefined {
  if (bytes.length < 12) return undefined
  let at = 12
  const questions: { name: string; type: number; class: number }[] = []
  for (let i = readUint16(bytes, 4); i > 0; i--) {
    const read = readName(bytes, at)
    if (!read || read.end + 4 > bytes.length) return undefined
    questions.push({ name: read.name, type: readUint16(bytes, read.end), class: readUint16(bytes, read.end + 2) })
    at = read.end + 4
  }
  const sections: DnsRecord[][] = [[], [], []]
  let edns: Message['edns']
  for (const [index, section] of sections.entries()) {
    // Records that the header promises and that are not there at all are no mistake (miekg/dns unpackRRslice).
    for (let i = readUint16(bytes, 6 + 2 * index); i > 0 && at < bytes.length; i--) {
      const read = readRecord(bytes, at)
      if (!read) return undefined
      at = read.end
      if (read.record.type === rrType.OPT && index === 2) edns = ednsOf(read.record)
      else section.push(read.record)
    }
  }
  const [answer = [], authority = [], additional = []] = sections
  const message = { id: readUint16(bytes, 0), flags: readUint16(bytes, 2), questions, answer, authority, additional }
  return edns === undefined ? message : { ...message, edns }
}

function readRecord(bytes: Uint8Array, start: number): { record: DnsRecord; end: number } | undefined {
  const owner = readName(bytes, start)
  if (!owner || owner.end + 10 > bytes.length) return undefined
  const type = readUint16(bytes, owner.end)
  const at = owner.end + 10
  const end = at + readUint16(bytes, owner.end + 8)
  if (end > bytes.length) return undefined
  const data = readData(bytes, at, end, type)
  if (!data) return undefined
  const ttlSeconds = readUint32(bytes, owner.end + 4)
  return { record: { name: owner.name, type, class: readUint16(bytes, owner.end + 2), ttlSeconds, data }, end }
}

function readData(bytes: Uint8Array, at: number, end: number, type: number): RecordData | undefined {
  // An empty RDATA is legal in updates only; it stays opaque whatever the type.
  if (at === end) return { kind: 'opaque', bytes: bytes.slice(at, end) }
  switch (type) {
    case rrType.A:
      return end - at === 4 ? { kind: 'address', address: readIpv4(bytes, at) } : undefined
    case rrType.AAAA:
      return end - at === 16 ? { kind: 'address', address: readIpv6(bytes, at) } : undefined
    case rrType.NS:
    case rrType.CNAME:
    case rrType.PTR:
    case rrType.DNAME: {
      const read = readName(bytes, at)
      return read && read.end === end ? { kind: 'name', target: read.name } : undefined
    }
    case rrType.SRV: {
      const read = readName(bytes, at + 6)
      if (!read || read.end !== end) return undefined
      const [priority, weight, port] = [readUint16(bytes, at), readUint16(bytes, at + 2), readUint16(bytes, at + 4)]
      return { kind: 'srv', priority, weight, port, target: read.name }
    }
    case rrType.MX: {
      const read = readName(bytes, at + 2)
      return read && read.end === end ? { kind: 'mx', preference: readUint16(bytes, at), target: read.name } : undefined
    }
    case rrType.TXT:
    case rrType.SPF:
    case rrType.HINFO: {
      const strings = readStrings(bytes, at, end)
      return strings && { kind: 'text', strings }
    }
    case rrType.SOA:
      return readSoa(bytes, at, end)
    case rrType.NAPTR:
      return readNaptr(bytes, at, end)
    default: {
      const data = copyData(bytes, at, end, type)
      return data && { kind: 'opaque', bytes: data }
    }
  }
}

function readSoa(bytes: Uint8Array, start: number, end: number): RecordData | undefined {
  const mname = readName(bytes, start)
  const rname = mname && readName(bytes, mname.end)
  if (!mname || !rname || rname.end + 20 !== end) return undefined
  const [serial = 0, refreshSeconds = 0, retrySeconds = 0, expireSeconds = 0, minimumSeconds = 0] = [
    0, 4, 8, 12, 16,
  ].map((offset) => readUint32(bytes, rname.end + offset))
  const times = { serial, refreshSeconds, retrySeconds, expireSeconds, minimumSeconds }
  return { kind: 'soa', mname: mname.name, rname: rname.name, ...times }
}

function readNaptr(bytes: Uint8Array, start: number, end: number): RecordData | undefined {
  const texts: string[] = []
  let at = start + 4
  for (let i = 0; i < 3; i++) {
    const length = bytes[at]
    if (length === undefined || at + 1 + length > end) return undefined
    texts.push(String.fromCharCode(...bytes.subarray(at + 1, at + 1 + length)))
    at += 1 + length
  }
  const read = readName(bytes, at)
  if (!read || read.end !== end) return undefined
  const [flags = '', service = '', regexp = ''] = texts
  const [order, preference] = [readUint16(bytes, start), readUint16(bytes, start + 2)]
  return { kind: 'naptr', order, preference, flags, service, regexp, target: read.name }
}

function readStrings(bytes: Uint8Array, start: number, end: number): string[] | undefined {
  const strings: string[] = []
  for (let at = start; at < end; ) {
    const length = bytes[at] ?? 0
    if (at + 1 + length > end) return undefined
    strings.push(String.fromCharCode(...bytes.subarray(at + 1, at + 1 + length)))
    at += 1 + length
  }
  return strings
}

function ednsOf(record: DnsRecord): NonNullable<Message['edns']> {
  const ttl = record.ttlSeconds
  const options: { code: number; data: Uint8Array }[] = []
  const bytes = record.data.kind === 'opaque' ? record.data.bytes : new Uint8Array()
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = readUint16(bytes, at + 2)
    options.push({ code: readUint16(bytes, at), data: bytes.slice(at + 4, at + 4 + length) })
    at += 4 + length
  }
  const extendedRcode = (ttl >>> 24) & 0xff
  const version = (ttl >>> 16) & 0xff
  return { udpSize: record.class, version, dnssecOk: (ttl & 0x8000) !== 0, options, extendedRcode }
}
