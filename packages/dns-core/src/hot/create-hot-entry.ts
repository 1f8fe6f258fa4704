// A reply → the ready answer that is kept of it.

import { foldName, isUnder, joinName } from '../name.ts'
import type { Repeat } from '../plugin.ts'
import type { Query } from '../query.ts'
import type { DnsRecord } from '../record.ts'
import { rrType } from '../record-types.ts'
import type { Reply } from '../reply.ts'
import { readUint16 } from '../wire/reader.ts'
import { encodeReply } from '../wire/writer.ts'
import type { HotEntry, HotGroup, Rotation } from './hot-entry.ts'
import { foldedByte, hashOfQuestion } from './hot-question.ts'

/** How an entry is to be made. */
export interface HotForm {
  readonly group: HotGroup
  readonly isShuffled: boolean
  readonly memory: HotMemory
  /** An answer of the kubernetes plugin: whose serials a SOA carries. */
  readonly serials?: { readonly internal: number }
  /** An answer of the cache. */
  readonly repeat?: Repeat
}

/**
 * Makes an entry. An answer of the kubernetes plugin is compressed and takes the letters of whoever asks; one of the cache
 * stays as it would be sent.
 */
export function createHotEntry(query: Query, reply: Reply, form: HotForm): HotEntry {
  const { group, isShuffled, serials, repeat } = form
  const isCached = repeat !== undefined
  const { edns: _edns, ...plain } = query
  // As over a stream: whole, without an OPT record.
  const asked: Query = { ...plain, transport: 'tcp', name: isCached ? query.name : foldName(query.name) }
  const bytes = isCached ? encodeReply(asked, reply) : encodeReply(asked, foldReply(reply), 'compressed')
  const questionEnd = skipName(bytes, 12) + 4
  const question = bytes
    .slice(12, questionEnd)
    .map((code, i) => (i < questionEnd - 16 ? (foldedByte[code] ?? 0) : code))
  const tail = bytes.subarray(questionEnd)
  const records = readRecords(bytes, questionEnd, reply)
  return {
    hash: hashOfQuestion(question),
    group,
    next: undefined,
    ...form.memory.keep([question, headOf(bytes), tail]),
    questionLength: question.length,
    tailLength: tail.length,
    isExactCase: !isCached && dependsOnLetters(query, reply),
    variant: isCached ? variantOf(query) : -1,
    rotation: isShuffled ? rotationOf(reply, records, questionEnd) : undefined,
    turn: 0,
    serials: reply.answer.length === 0 ? serials : undefined,
    repeat,
    ttlOffsets: isCached ? records.map(({ data }) => data - questionEnd - 6) : noOffsets,
    patched: -1,
  }
}

/**
 * Whether a reply behind `loadbalance` can be told from one with its addresses turned around. The order of glue is nothing
 * that clients choose by.
 */
export function isTurnable({ answer }: Reply): boolean {
  const shuffled = answer.filter(({ type }) => type === rrType.A || type === rrType.AAAA || type === rrType.MX)
  const [first, ...others] = shuffled
  if (first === undefined || others.length === 0) return true
  // One block of records of one length, which is how they are arranged.
  const isAlike = others.every(({ type, name }) => type === first.type && name === first.name)
  const at = answer.indexOf(first)
  return first.type !== rrType.MX && isAlike && answer[at + others.length] === others[others.length - 1]
}

/** Blocks of bytes for many answers, so that none of them is an allocation of its own. */
export class HotMemory {
  private block = new Uint8Array(0)
  private used = 0

  /** Copies bytes in; where they stand. */
  keep(parts: readonly Uint8Array[]): { readonly memory: Uint8Array; readonly at: number } {
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    if (this.used + length > this.block.length) {
      this.block = new Uint8Array(Math.max(blockBytes, length))
      this.used = 0
    }
    const at = this.used
    for (const part of parts) {
      this.block.set(part, this.used)
      this.used += part.length
    }
    return { memory: this.block, at }
  }
}

const blockBytes = 32_768

const noOffsets: readonly number[] = []

/** Flags and counts of a reply as they go out: what comes from the question is left clear. */
function headOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.of(((bytes[2] ?? 0) & 0x84) | 0x80, (bytes[3] ?? 0) & 0xaf, ...bytes.subarray(6, 12))
}

function variantOf({ edns, checkingDisabled, authenticData }: Query): number {
  return (edns?.dnssecOk === true ? 4 : 0) | (authenticData ? 2 : 0) | (checkingDisabled ? 1 : 0)
}

function dependsOnLetters({ name }: Query, reply: Reply): boolean {
  if (reply.answer.length > 0) return !reply.answer.every(({ data }) => data.kind === 'address')
  // More than the zone of the SOA's names would point into the question, and so take its letters.
  const zone = foldName(reply.authority[0]?.name ?? '.')
  return ['dns', 'hostmaster'].some((label) => isUnder(joinName(label, zone), foldName(name)))
}

/** The reply as a question in lower case would have got it: owners and the names of a SOA have the question's letters. */
function foldReply(reply: Reply): Reply {
  return { ...reply, answer: reply.answer.map(foldRecord), authority: reply.authority.map(foldRecord) }
}

function foldRecord(record: DnsRecord): DnsRecord {
  const { name, data } = record
  if (data.kind !== 'soa') return { ...record, name: foldName(name) }
  return {
    ...record,
    name: foldName(name),
    data: { ...data, mname: foldName(data.mname), rname: foldName(data.rname) },
  }
}

interface RecordOffsets {
  readonly start: number
  readonly data: number
  readonly end: number
}

/** Where the records of an encoded reply stand; `data` is the offset behind the length of the data. */
function readRecords(bytes: Uint8Array, questionEnd: number, reply: Reply): readonly RecordOffsets[] {
  const records: RecordOffsets[] = []
  let start = questionEnd
  for (const _ of [...reply.answer, ...reply.authority, ...reply.additional]) {
    const data = skipName(bytes, start) + 10
    const end = data + readUint16(bytes, data - 2)
    records.push({ start, data, end })
    start = end
  }
  return records
}

function rotationOf({ answer }: Reply, records: readonly RecordOffsets[], questionEnd: number): Rotation | undefined {
  const isAddress = ({ type }: DnsRecord): boolean => type === rrType.A || type === rrType.AAAA
  const first = records[answer.findIndex(isAddress)]
  const count = answer.filter(isAddress).length
  if (first === undefined || count < 2) return undefined
  return { at: first.start - questionEnd, size: first.end - first.start, count }
}

function skipName(bytes: Uint8Array, start: number): number {
  let at = start
  for (;;) {
    const size = bytes[at] ?? 0
    if (size === 0) return at + 1
    if (size > 63) return at + 2
    at += size + 1
  }
}
