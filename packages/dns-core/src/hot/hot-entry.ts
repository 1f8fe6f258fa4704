// One ready answer as bytes: the folded question, and everything behind it as it goes out, OPT left out. Writing it is a
// copy; what changes with time (a serial, TTLs) is patched into the kept bytes when it has changed.

import { foldName, isUnder, joinName } from '../name.ts'
import type { Repeat, ServerFacts } from '../plugin.ts'
import type { Query } from '../query.ts'
import type { DnsRecord } from '../record.ts'
import { rrType } from '../record-types.ts'
import type { Reply } from '../reply.ts'
import { readUint16 } from '../wire/reader.ts'
import { writeUint16, writeUint32 } from '../wire/write-record.ts'
import { encodeReply } from '../wire/writer.ts'
import { foldedByte, type HotQuestion, hashOfQuestion } from './hot-question.ts'

/** What all answers have in common that are counted alike. */
export interface HotGroup {
  readonly facts: ServerFacts
  readonly rcode: number
  readonly type: number
  readonly plugin: string
  /** Room for whoever counts. */
  counters: unknown
}

/** One ready answer. */
export interface HotEntry {
  readonly hash: number
  readonly group: HotGroup
  /** Another answer with the same hash. */
  next: HotEntry | undefined
  /** Bytes of many answers; this one's question begins at `at`, flags and counts come behind it, then the tail. */
  readonly memory: Uint8Array
  readonly at: number
  readonly questionLength: number
  readonly tailLength: number
  /** Letters of the question count, because names in the tail point to them or are spelled out. */
  readonly isExactCase: boolean
  /** Bits of the question that the answer depends on (`HotQuestion.variant`); -1 when it does not. */
  readonly variant: number
  /** The addresses that may be turned around. */
  readonly rotation: Rotation | undefined
  turn: number
  /** Who knows the serial of the cluster in the SOA at the end of the tail. */
  readonly serials: { readonly internal: number } | undefined
  /** Leave of the cache, and where in the tail it wants its TTL. */
  readonly repeat: Repeat | undefined
  readonly ttlOffsets: readonly number[]
  /** The number that stands there now: a serial or a TTL. */
  patched: number
}

/** A block of addresses of one length in a tail. */
interface Rotation {
  readonly at: number
  readonly size: number
  readonly count: number
}

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

/** Flags, and counts of answers, authorities and additionals. */
const headBytes = 8

const noOffsets: readonly number[] = []

/** Lengths beyond this are copied by the engine. */
const maxLoopBytes = 256

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

/** Whether two entries answer the same question. */
export function isTwin(a: HotEntry, b: HotEntry): boolean {
  if (a.questionLength !== b.questionLength || a.variant !== b.variant) return false
  for (let i = 0; i < a.questionLength; i++) if (a.memory[a.at + i] !== b.memory[b.at + i]) return false
  return true
}

/** Whether a message asks what an entry answers. */
export function isSameQuestion(entry: HotEntry, bytes: Uint8Array, asked: HotQuestion): boolean {
  const { memory, at, questionLength, isExactCase } = entry
  if (questionLength !== asked.end - 12 || (entry.variant >= 0 && entry.variant !== asked.variant)) return false
  const nameLength = questionLength - 4
  for (let i = 0; i < nameLength; i++) {
    const code = bytes[12 + i] as number
    if (memory[at + i] !== (isExactCase ? code : foldedByte[code])) return false
  }
  for (let i = nameLength; i < questionLength; i++) if (memory[at + i] !== bytes[12 + i]) return false
  return true
}

/**
 * Writes the answer to a message; its length. 0 when it takes more than `limit` or `out` have room for, -1 when the answer
 * may not be given any more.
 */
export function writeHotEntry(
  entry: HotEntry,
  bytes: Uint8Array,
  asked: HotQuestion,
  limit: number,
  out: Uint8Array,
): number {
  const { end, hasOpt } = asked
  const { memory } = entry
  const tailEnd = end + entry.tailLength
  const length = hasOpt ? tailEnd + 11 : tailEnd
  if (length > limit || length > out.length) return 0
  if (!renew(entry)) return -1
  for (let i = 0; i < end; i++) out[i] = bytes[i] as number
  const head = entry.at + entry.questionLength
  out[2] = (memory[head] as number) | ((bytes[2] as number) & 1)
  out[3] = (memory[head + 1] as number) | ((bytes[3] as number) & 0x10)
  for (let i = 2; i < headBytes; i++) out[4 + i] = memory[head + i] as number
  writeTail(entry, out, end)
  if (hasOpt) {
    writeUint16(out, 10, readUint16(out, 10) + 1)
    out[tailEnd] = 0
    writeUint16(out, tailEnd + 1, rrType.OPT)
    writeUint16(out, tailEnd + 3, asked.udpSize)
    writeUint16(out, tailEnd + 5, 0)
    writeUint16(out, tailEnd + 7, asked.dnssecOk ? 0x8000 : 0)
    writeUint16(out, tailEnd + 9, 0)
  }
  return length
}

/** Brings serial and TTLs up to date; false when the answer may not be given any more. */
function renew(entry: HotEntry): boolean {
  const { serials, repeat, memory, at, questionLength } = entry
  const tailAt = at + questionLength + headBytes
  if (serials !== undefined && serials.internal !== entry.patched) {
    entry.patched = serials.internal
    // The SOA is the last record and ends with five numbers.
    writeUint32(memory, tailAt + entry.tailLength - 20, entry.patched)
  }
  if (repeat === undefined) return true
  const ttlSeconds = repeat.take()
  if (ttlSeconds === undefined) return false
  if (ttlSeconds !== entry.patched) {
    entry.patched = ttlSeconds
    for (const offset of entry.ttlOffsets) writeUint32(memory, tailAt + offset, ttlSeconds)
  }
  return true
}

function writeTail(entry: HotEntry, out: Uint8Array, to: number): void {
  const { memory, tailLength, rotation } = entry
  const from = entry.at + entry.questionLength + headBytes
  if (rotation === undefined) {
    copy(memory, from, tailLength, out, to)
    return
  }
  // The addresses have one length: starting at another one is two copies.
  const turned = rotation.size * (entry.turn++ % rotation.count)
  const rest = rotation.size * rotation.count - turned
  copy(memory, from, rotation.at, out, to)
  copy(memory, from + rotation.at + turned, rest, out, to + rotation.at)
  copy(memory, from + rotation.at, turned, out, to + rotation.at + rest)
  const behind = rotation.at + rest + turned
  copy(memory, from + behind, tailLength - behind, out, to + behind)
}

function copy(memory: Uint8Array, from: number, length: number, out: Uint8Array, to: number): void {
  if (length > maxLoopBytes) out.set(memory.subarray(from, from + length), to)
  else for (let i = 0; i < length; i++) out[to + i] = memory[from + i] as number
}

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
