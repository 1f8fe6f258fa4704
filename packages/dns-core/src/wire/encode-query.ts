// A question → bytes, for upstreams, tests and probes.

import type { Query } from '../query.ts'
import { writeName } from './compress.ts'
import { writeOpt } from './edns.ts'
import { writeUint16, writeUint32 } from './write-record.ts'

/** Encodes a question; with `edns` an OPT record follows, with `ixfrSerial` a minimal SOA in the authority section. */
export function encodeQuery(query: Omit<Query, 'client' | 'local' | 'sizeBytes' | 'transport'>): Uint8Array {
  const bytes = new Uint8Array(1024)
  writeUint16(bytes, 0, query.id)
  bytes[2] = (query.opcode << 3) | (query.recursionDesired ? 1 : 0)
  bytes[3] = (query.authenticData ? 0x20 : 0) | (query.checkingDisabled ? 0x10 : 0)
  writeUint16(bytes, 4, 1)
  let at = writeName(bytes, 12, bytes.length, query.name, undefined, false)
  if (at < 0) throw new Error(`expected a name that fits on the wire, got ${query.name}`)
  writeUint16(bytes, at, query.type)
  writeUint16(bytes, at + 2, query.class)
  at += 4
  if (query.ixfrSerial !== undefined) at = writeIxfrSoa(bytes, at, query.ixfrSerial)
  if (query.edns !== undefined) {
    const { udpSize, version, dnssecOk, options } = query.edns
    const start = at
    at = writeOpt(bytes, at, { udpSize, extendedRcode: 0, dnssecOk, options })
    bytes[start + 6] = version
    writeUint16(bytes, 10, 1)
  }
  return bytes.slice(0, at)
}

function writeIxfrSoa(bytes: Uint8Array, start: number, serial: number): number {
  writeUint16(bytes, 8, 1)
  writeUint16(bytes, start, 0xc00c)
  writeUint16(bytes, start + 2, 6)
  writeUint16(bytes, start + 4, 1)
  writeUint32(bytes, start + 6, 0)
  writeUint16(bytes, start + 10, 22)
  bytes[start + 12] = 0
  bytes[start + 13] = 0
  writeUint32(bytes, start + 14, serial)
  return start + 34
}
