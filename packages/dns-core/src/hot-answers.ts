// Ready-made answers by the bytes of their question: what the kubernetes plugin said once is copied until an object
// changes that it was made from. Flags, letters of the question, EDNS and the SOA serial are patched into the copy, so a
// hot question costs a walk over its name, a lookup and a copy. Only blocks whose plugins all leave such answers alone
// take part (`ServerFacts.hot`).

import { reverseNameOf } from './corefile/zones.ts'
import { parseRequestName } from './kube/request-name.ts'
import type { ChangedNames, ZoneIndex } from './kube/zone-index.ts'
import { isMulticlusterZone, isReverseName, type ZoneOptions } from './kube/zone-options.ts'
import { foldName, isUnder, joinName, longestZone, type Name } from './name.ts'
import type { ServerFacts } from './plugin.ts'
import type { Query } from './query.ts'
import type { DnsRecord } from './record.ts'
import { rcode, rrClass, rrType } from './record-types.ts'
import type { Reply } from './reply.ts'
import { readUint16 } from './wire/reader.ts'
import { writeUint16, writeUint32 } from './wire/write-record.ts'
import { encodeReply } from './wire/writer.ts'

/** One ready answer and the facts that metrics want. */
export interface HotAnswer {
  readonly facts: ServerFacts
  readonly rcode: number
  readonly type: number
  /** Room for whoever counts: looked up once, kept with the answer. */
  counters: unknown
  readonly entry: HotEntry
}

/** What `find` learned about a question; valid until the next call. */
export interface HotMatch {
  answer: HotAnswer
  questionEnd: number
  udpSize: number
  dnssecOk: boolean
}

interface HotEntry {
  /** Folded question: name, type and class. */
  readonly question: Uint8Array
  /** Flags, counts and everything behind the question, OPT left out. */
  readonly flags: number
  readonly counts: readonly [answers: number, authorities: number, additionals: number]
  readonly tail: Uint8Array
  /** Offset of the serial in the tail, -1 without. */
  readonly serialAt: number
  readonly source: HotSource
  /** Names in the tail are spelled out, so other letters need another answer. */
  readonly isExactCase: boolean
  /** Length of each address record, when the answer may be turned around; 0 otherwise. */
  readonly rotation: number
  turn: number
}

/** The index and options of a block's kubernetes plugin, and whether its replies are shuffled. */
export interface HotSource {
  readonly index: ZoneIndex
  readonly options: ZoneOptions
  readonly isShuffled: boolean
  /** Zones in which answers may be repeated. */
  readonly zones: readonly Name[]
}

/** Answers kept at one time; beyond it all are forgotten, so that floods of random names cost no memory. */
const maxAnswers = 65_536

/** The ready answers of one listener. */
export class HotAnswers {
  private readonly table = new Map<number, HotAnswer[]>()
  private readonly subjects = new Map<string, HotAnswer[]>()
  private readonly followed = new Set<ZoneIndex>()
  private readonly match: HotMatch = {
    answer: undefined as unknown as HotAnswer,
    questionEnd: 0,
    udpSize: 0,
    dnssecOk: false,
  }
  private count = 0

  /** The ready answer to a message, if it is a plain question that was asked before. */
  find(bytes: Uint8Array, length: number): HotMatch | undefined {
    // QR, opcode, TC of the header must be clear; one question, nothing but an OPT record behind it.
    if (length < 17 || ((bytes[2] ?? 0) & 0xfa) !== 0 || readUint16(bytes, 4) !== 1) return undefined
    if (readUint16(bytes, 6) !== 0 || readUint16(bytes, 8) !== 0 || readUint16(bytes, 10) > 1) return undefined
    let at = 12
    let hash = 0x811c9dc5
    for (;;) {
      const size = bytes[at] ?? 255
      if (size > 63 || at + size + 5 > length) return undefined
      hash = Math.imul(hash ^ size, 0x01000193)
      at++
      if (size === 0) break
      for (const end = at + size; at < end; at++) hash = Math.imul(hash ^ fold[bytes[at] ?? 0]!, 0x01000193)
    }
    hash = Math.imul(hash ^ readUint16(bytes, at), 0x01000193) | 0
    const questionEnd = at + 4
    const { match } = this
    match.udpSize = 0
    match.dnssecOk = false
    if (bytes[11] === 1 && !readOpt(bytes, questionEnd, length, match)) return undefined
    for (const answer of this.table.get(hash) ?? none) {
      if (!isSameQuestion(answer.entry, bytes, questionEnd)) continue
      match.answer = answer
      match.questionEnd = questionEnd
      return match
    }
    return undefined
  }

  /** Writes a found answer; its length, or 0 when it is too large for `limit` or for `out` and must be cut elsewhere. */
  write(
    bytes: Uint8Array,
    { answer, questionEnd, udpSize, dnssecOk }: HotMatch,
    limit: number,
    out: Uint8Array,
  ): number {
    const { entry } = answer
    const hasOpt = bytes[11] === 1
    const length = questionEnd + entry.tail.length + (hasOpt ? 11 : 0)
    if (length > limit || length > out.length) return 0
    for (let i = 0; i < questionEnd; i++) out[i] = bytes[i] ?? 0
    out[2] = 0x84 | ((bytes[2] ?? 0) & 1)
    out[3] = ((bytes[3] ?? 0) & 0x10) | entry.flags
    writeUint16(out, 6, entry.counts[0])
    writeUint16(out, 8, entry.counts[1])
    writeUint16(out, 10, entry.counts[2] + (hasOpt ? 1 : 0))
    writeTail(entry, out, questionEnd)
    if (hasOpt) {
      const at = length - 11
      out[at] = 0
      writeUint16(out, at + 1, rrType.OPT)
      writeUint16(out, at + 3, udpSize)
      writeUint16(out, at + 5, 0)
      writeUint16(out, at + 7, dnssecOk ? 0x8000 : 0)
      writeUint16(out, at + 9, 0)
    }
    return length
  }

  /** Keeps a reply of the kubernetes plugin when it may be repeated. */
  learn(query: Query, reply: Reply, facts: ServerFacts): void {
    const source = facts.hot
    if (source === undefined || !isRepeatable(query, reply) || !source.index.hasSynced()) return
    const name = foldName(query.name)
    // Names in data of other types are spelled as asked: they are learned from questions in lower case.
    const isPlain = reply.answer.every((record) => record.data.kind === 'address')
    if (!isPlain && name !== query.name) return
    const subject = subjectOf(name, source)
    if (subject === undefined) return
    this.follow(source.index)
    if (this.count >= maxAnswers) this.clear()
    const entry = createEntry({ ...query, name }, reply, source)
    const answer: HotAnswer = { facts, rcode: reply.rcode, type: query.type, counters: undefined, entry }
    const hash = hashOf(entry.question)
    append(this.table, hash, answer)
    append(this.subjects, subject, answer)
    this.count++
  }

  /** Forgets everything, as at a reload. */
  clear(): void {
    this.table.clear()
    this.subjects.clear()
    this.count = 0
  }

  private follow(index: ZoneIndex): void {
    if (this.followed.has(index)) return
    this.followed.add(index)
    index.onChange((changed) => this.drop(changed))
  }

  private drop({ service, addresses, isEverything }: ChangedNames): void {
    if (isEverything) this.clear()
    if (isEverything) return
    for (const subject of [...(service === undefined ? [] : [service]), ...addresses.map(reverseNameOf)]) {
      if (subject === undefined) continue
      for (const answer of this.subjects.get(subject) ?? none) {
        const hash = hashOf(answer.entry.question)
        const left = (this.table.get(hash) ?? none).filter((other) => other !== answer)
        if (left.length === 0) this.table.delete(hash)
        else this.table.set(hash, left)
        this.count--
      }
      this.subjects.delete(subject)
    }
  }
}

const none: HotAnswer[] = []

/** ASCII letters folded, every other byte itself. */
const fold = Uint8Array.from({ length: 256 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code))

function readOpt(bytes: Uint8Array, at: number, length: number, match: HotMatch): boolean {
  // A root name, type OPT, version 0, no extended code; options may follow, none of them changes such an answer.
  if (at + 11 > length || bytes[at] !== 0 || readUint16(bytes, at + 1) !== rrType.OPT) return false
  if (readUint16(bytes, at + 5) !== 0 || at + 11 + readUint16(bytes, at + 9) > length) return false
  match.udpSize = readUint16(bytes, at + 3)
  match.dnssecOk = ((bytes[at + 7] ?? 0) & 0x80) !== 0
  return true
}

function isSameQuestion(entry: HotEntry, bytes: Uint8Array, questionEnd: number): boolean {
  const { question, isExactCase } = entry
  if (question.length !== questionEnd - 12) return false
  for (let i = 0; i < question.length; i++) {
    const code = bytes[12 + i] ?? 0
    if (question[i] !== (i < question.length - 4 && !isExactCase ? fold[code] : code)) return false
  }
  return true
}

function writeTail(entry: HotEntry, out: Uint8Array, at: number): void {
  const { tail, rotation } = entry
  if (rotation > 0) {
    // Records have one length: starting at another one is two copies.
    const start = rotation * (entry.turn++ % entry.counts[0])
    out.set(tail.subarray(start), at)
    out.set(tail.subarray(0, start), at + tail.length - start)
    return
  }
  out.set(tail, at)
  if (entry.serialAt < 0) return
  const { serials } = entry.source.index
  writeUint32(out, at + entry.serialAt, serials.internal)
}

function isRepeatable(query: Query, reply: Reply): boolean {
  if (query.class !== rrClass.IN || query.opcode !== 0 || reply.truncated || !reply.authoritative) return false
  if (reply.ednsOptions !== undefined || reply.udpSize !== undefined) return false
  if (reply.rcode !== rcode.NOERROR && reply.rcode !== rcode.NXDOMAIN) return false
  // Aliases and name servers depend on more than one object.
  const types: readonly number[] = [rrType.A, rrType.AAAA, rrType.SRV, rrType.PTR]
  if (reply.answer.length > 0) return reply.answer.every((r) => types.includes(r.type) && r.name === query.name)
  return query.type !== rrType.NS && reply.authority.length === 1 && reply.authority[0]?.type === rrType.SOA
}

/** The object whose changes make the answer stale: a service, an address; undefined when it is none of both. */
function subjectOf(name: Name, { options, zones }: HotSource): string | undefined {
  const zone = longestZone(options.zones, name)
  if (zone === undefined || !zones.includes(zone) || isMulticlusterZone(options, zone)) return undefined
  if (isReverseName(name)) return name
  const request = parseRequestName(name, zone, { isMulticluster: false, hasZonalNames: options.hasZonalNames })
  switch (request.kind) {
    case 'service':
      return `${request.namespace}/${request.service}`
    case 'pod':
      // Verified pods come and go without a name that could be told.
      return options.podMode === 'verified' ? undefined : name
    case 'invalid':
      return name.startsWith('ns.dns.') ? undefined : name
    default:
      return name
  }
}

function createEntry(query: Query, reply: Reply, source: HotSource): HotEntry {
  // Encoded as over TCP to a client that takes 16 KiB; the compressed form is what the 512 bytes of UDP are filled with.
  const { edns: _edns, ...plain } = query
  const small: Reply = { ...reply, answer: reply.answer.map(foldRecord), authority: reply.authority.map(foldRecord) }
  const bytes = encodeReply({ ...plain, transport: 'tcp' }, small, 'compressed')
  const questionEnd = 12 + questionLength(bytes)
  const tail = bytes.slice(questionEnd)
  const isAddresses = reply.additional.length === 0 && reply.answer.every((r) => r.data.kind === 'address')
  const isDenial = reply.answer.length === 0
  return {
    question: bytes.slice(12, questionEnd),
    flags: reply.rcode & 15,
    counts: [readUint16(bytes, 6), readUint16(bytes, 8), readUint16(bytes, 10)],
    tail,
    // The SOA is the last record and ends with five numbers.
    serialAt: isDenial ? tail.length - 20 : -1,
    source,
    isExactCase: isDenial ? holdsSoaNames(query.name, reply) : !isAddresses,
    rotation: source.isShuffled && isAddresses && reply.answer.length > 1 ? tail.length / reply.answer.length : 0,
    turn: 0,
  }
}

/** Whether more than the zone of the SOA's names would point into the question, and so take its letters. */
function holdsSoaNames(name: Name, reply: Reply): boolean {
  const zone = foldName(reply.authority[0]?.name ?? '.')
  return ['dns', 'hostmaster'].some((label) => isUnder(joinName(label, zone), name))
}

/** The record as a question in lower case would have got it: its owner and the names of a SOA are the zone's letters. */
function foldRecord(record: DnsRecord): DnsRecord {
  const { name, data } = record
  if (data.kind !== 'soa') return { ...record, name: foldName(name) }
  return {
    ...record,
    name: foldName(name),
    data: { ...data, mname: foldName(data.mname), rname: foldName(data.rname) },
  }
}

function questionLength(bytes: Uint8Array): number {
  let at = 12
  while ((bytes[at] ?? 0) !== 0) at += (bytes[at] ?? 0) + 1
  return at + 5 - 12
}

function hashOf(question: Uint8Array): number {
  let hash = 0x811c9dc5
  const nameEnd = question.length - 4
  for (let i = 0; i < nameEnd; i++) hash = Math.imul(hash ^ fold[question[i] ?? 0]!, 0x01000193)
  return Math.imul(hash ^ readUint16(question, nameEnd), 0x01000193) | 0
}

function append<K>(map: Map<K, HotAnswer[]>, key: K, answer: HotAnswer): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [answer])
  else list.push(answer)
}
