// Reply → bytes. The rules of size are the original's (CoreDNS request.Scrub, miekg/dns Truncate): uncompressed when
// that fits, else compressed and whole records in the order of the sections until the next one would not fit.

import { type Query, replyLimit } from '../query.ts'
import type { Reply } from '../reply.ts'
import type { NameOffsets } from './compress.ts'
import { writeName } from './compress.ts'
import { negotiateOpt, optLength, writeOpt } from './edns.ts'
import { writeRecord, writeUint16 } from './write-record.ts'

/** Sizes over which UDP replies are compressed though they fit, against fragmentation (CoreDNS request.Scrub). */
export const fragmentBytes = { 4: 1480, 6: 1220 } as const

const scratch = new Uint8Array(65535 + 512)

/** How many records of each section went into a message. */
export interface Written {
  readonly length: number
  readonly answers: number
  readonly authorities: number
  readonly additionals: number
  readonly truncated: boolean
}

/**
 * Encodes a reply for the asker: question echoed, OPT negotiated, cut to the size the asker takes. `compressed` shortens
 * names also where the original would not need to.
 */
export function encodeReply(query: Query, reply: Reply, form: 'original' | 'compressed' = 'original'): Uint8Array {
  const { length } =
    form === 'compressed' ? writeSections(query, reply, replyLimit(query), new Map()) : writeReply(query, reply)
  return scratch.slice(0, length)
}

/**
 * Cuts a reply to the size its asker takes, as `encodeReply` would, and returns what is left of it. Internal lookups
 * see such replies (CoreDNS applies its size rules to them, too).
 */
export function truncateReply(query: Query, reply: Reply): Reply {
  const written = writeReply(query, reply)
  if (!written.truncated) return reply
  return {
    ...reply,
    truncated: true,
    answer: reply.answer.slice(0, written.answers),
    authority: reply.authority.slice(0, written.authorities),
    additional: reply.additional.slice(0, written.additionals),
  }
}

function writeReply(query: Query, reply: Reply): Written {
  const limit =
    reply.udpSize !== undefined && query.transport === 'udp' ? Math.max(512, reply.udpSize) : replyLimit(query)
  const plain = writeSections(query, reply, scratch.length, undefined)
  const family = query.client.address.includes(':') ? 6 : 4
  const fits = !plain.truncated && plain.length <= limit
  if (fits && !(query.transport === 'udp' && plain.length > fragmentBytes[family])) return plain
  return writeSections(query, reply, limit, new Map())
}

function writeSections(query: Query, reply: Reply, limit: number, offsets: NameOffsets | undefined): Written {
  const opt = negotiateOpt(query, reply)
  const budget = limit - optLength(opt)
  let at = 12
  if (reply.hasQuestion !== false) {
    at = writeName(scratch, 12, scratch.length, query.name, offsets, true)
    if (at < 0) throw new Error(`a question that came from the wire must fit: ${query.name}`)
    writeUint16(scratch, at, query.type)
    writeUint16(scratch, at + 2, query.class)
    at += 4
  }
  const target = { bytes: scratch, limit: budget, offsets }
  const counts = [0, 0, 0]
  let isFull = at >= budget
  for (const [section, records] of [reply.answer, reply.authority, reply.additional].entries()) {
    for (const record of records) {
      if (isFull) break
      const end = writeRecord(target, at, record)
      if (end < 0) isFull = true
      else {
        at = end
        counts[section] = (counts[section] ?? 0) + 1
      }
    }
  }
  const [answers = 0, authorities = 0, additionals = 0] = counts
  const wanted = reply.answer.length + reply.authority.length + reply.additional.length
  const leftOut = answers + authorities + additionals < wanted
  if (opt !== undefined) at = writeOpt(scratch, at, opt)
  const additionalCount = additionals + (opt === undefined ? 0 : 1)
  writeHeader(query, { ...reply, truncated: reply.truncated || leftOut }, [answers, authorities, additionalCount])
  return { length: at, answers, authorities, additionals, truncated: leftOut }
}

function writeHeader(query: Query, reply: Reply, counts: readonly [number, number, number]): void {
  writeUint16(scratch, 0, query.id)
  const recursionDesired = reply.recursionDesired ?? query.recursionDesired
  scratch[2] =
    0x80 | (query.opcode << 3) | (reply.authoritative ? 4 : 0) | (reply.truncated ? 2 : 0) | (recursionDesired ? 1 : 0)
  scratch[3] =
    (reply.recursionAvailable ? 0x80 : 0) |
    (reply.authenticData ? 0x20 : 0) |
    (query.checkingDisabled ? 0x10 : 0) |
    (reply.rcode & 15)
  writeUint16(scratch, 4, reply.hasQuestion === false ? 0 : 1)
  writeUint16(scratch, 6, counts[0])
  writeUint16(scratch, 8, counts[1])
  writeUint16(scratch, 10, counts[2])
}

/** The twelve bytes of a refusal without a question: ID, opcode, RD and the code (CoreDNS 1.15, miekg/dns). */
export function encodeHeaderOnly(bytes: Uint8Array, responseCode: number): Uint8Array {
  const header = new Uint8Array(12)
  header[0] = bytes[0] ?? 0
  header[1] = bytes[1] ?? 0
  header[2] = 0x80 | ((bytes[2] ?? 0) & 0x79)
  header[3] = responseCode & 15
  return header
}
