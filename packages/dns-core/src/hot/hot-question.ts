// What the short way reads of a message: a plain question, and nothing behind it but an OPT record. No values are made;
// everything else takes the ordinary way.

import { rrType } from '../record-types.ts'
import { readUint16 } from '../wire/reader.ts'

/** A question as `readHotQuestion` found it; one is used again and again. */
export interface HotQuestion {
  /** Over folded name and type. */
  hash: number
  /** Offset behind the question. */
  end: number
  hasOpt: boolean
  /** 0 without an OPT record. */
  udpSize: number
  dnssecOk: boolean
  /** DO, CD and AD as bits: what cached answers differ by. */
  variant: number
}

/** ASCII letters folded, every other byte itself. */
export const foldedByte: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= 65 && code <= 90 ? code + 32 : code,
)

/** Reads the first `length` bytes into `into`; false when it is not such a message. */
export function readHotQuestion(bytes: Uint8Array, length: number, into: HotQuestion): boolean {
  // QR, opcode and TC of the header must be clear; one question, and at most one more record.
  if (length < 17 || ((bytes[2] as number) & 0xfa) !== 0 || readUint16(bytes, 4) !== 1) return false
  if (readUint16(bytes, 6) !== 0 || readUint16(bytes, 8) !== 0 || readUint16(bytes, 10) > 1) return false
  let at = 12
  let hash = hashStart
  for (;;) {
    const size = bytes[at] as number
    if (size > 63 || at + size + 5 > length) return false
    hash = Math.imul(hash ^ size, hashFactor)
    at++
    if (size === 0) break
    for (const end = at + size; at < end; at++) {
      hash = Math.imul(hash ^ (foldedByte[bytes[at] as number] as number), hashFactor)
    }
  }
  into.hash = Math.imul(hash ^ readUint16(bytes, at), hashFactor)
  into.end = at + 4
  into.hasOpt = bytes[11] === 1
  into.udpSize = 0
  into.dnssecOk = false
  if (into.hasOpt && !readOpt(bytes, at + 4, length, into)) return false
  into.variant = (into.dnssecOk ? 4 : 0) | (((bytes[3] as number) & 0x30) >> 4)
  return true
}

/** The hash of a folded question as a message has it: name, type, class. */
export function hashOfQuestion(question: Uint8Array): number {
  const nameEnd = question.length - 4
  let hash = hashStart
  for (let i = 0; i < nameEnd; i++) hash = Math.imul(hash ^ (question[i] as number), hashFactor)
  return Math.imul(hash ^ readUint16(question, nameEnd), hashFactor)
}

// FNV-1a, 32 bits.
const hashStart = 0x811c9dc5 | 0
const hashFactor = 0x01000193

function readOpt(bytes: Uint8Array, at: number, length: number, into: HotQuestion): boolean {
  // A root name, type OPT, version 0, no extended code; options may follow, none of them changes such an answer.
  if (at + 11 > length || bytes[at] !== 0 || readUint16(bytes, at + 1) !== rrType.OPT) return false
  if (readUint16(bytes, at + 5) !== 0 || at + 11 + readUint16(bytes, at + 9) > length) return false
  into.udpSize = readUint16(bytes, at + 3)
  into.dnssecOk = ((bytes[at + 7] as number) & 0x80) !== 0
  return true
}
