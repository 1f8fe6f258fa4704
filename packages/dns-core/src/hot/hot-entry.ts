// One ready answer as bytes: the folded question, and everything behind it as it goes out, OPT left out. Writing it is a
// copy; what changes with time (a serial, TTLs) is patched into the kept bytes when it has changed.

import type { Repeat, ServerFacts } from '../plugin.ts'
import { rrType } from '../record-types.ts'
import { readUint16 } from '../wire/reader.ts'
import { writeUint16, writeUint32 } from '../wire/write-record.ts'
import { foldedByte, type HotQuestion } from './hot-question.ts'

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
export interface Rotation {
  readonly at: number
  readonly size: number
  readonly count: number
}

/** Flags, and counts of answers, authorities and additionals. */
const headBytes = 8

/** Lengths beyond this are copied by the engine. */
const maxLoopBytes = 256

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
