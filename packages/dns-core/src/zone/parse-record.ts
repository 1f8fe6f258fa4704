// Words of one record → record. Types without a codec of ours go through `rare-text.ts`, every type may have the generic
// form of RFC 3597.

import { parseGoIp } from '../kube/go-ip.ts'
import { absoluteName, isValidName, type Name } from '../name.ts'
import type { DnsRecord, RecordData } from '../record.ts'
import { classNumber, rrClass, rrType, typeNumber } from '../record-types.ts'
import { parseBindingText } from './binding-text.ts'
import { parseFieldText } from './field-text.ts'
import { parseLocationText } from './location-text.ts'
import { parseRareText } from './rare-text.ts'
import { splitZoneText, unescapeText, type ZoneWord } from './words.ts'

/** What a record line inherits from the lines before it. */
export interface RecordDefaults {
  readonly origin: Name
  readonly owner: Name
  /** Absent where no line before had one. */
  readonly ttlSeconds: number | undefined
}

/** A record, or what is wrong with its line, with the place where it is. */
export type ParsedRecord = { readonly record: DnsRecord } | { readonly error: string; readonly place: string }

/** Reads one record from text, names relative to the root, TTL 3600 where none is given (miekg/dns NewRR). */
export function parseRecord(text: string): ParsedRecord {
  const [line] = splitZoneText(text)
  if (line === undefined) return { error: 'no record', place: '1:0' }
  return parseRecordLine(line.words, line.isIndented, { origin: '.', owner: '.', ttlSeconds: 3600 })
}

/** Reads a record line: `[OWNER] [TTL] [CLASS] TYPE DATA...`, TTL and class in either order. */
export function parseRecordLine(
  words: readonly ZoneWord[],
  isIndented: boolean,
  defaults: RecordDefaults,
): ParsedRecord {
  let at = 0
  const owner = isIndented ? defaults.owner : absolute(words[at++]?.text ?? '', defaults.origin)
  let ttlSeconds = defaults.ttlSeconds
  let recordClass: number | undefined
  let hasTtl = false
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? ''
    const ttl: number | undefined = hasTtl ? undefined : parseTtl(text)
    const found = recordClass === undefined ? classNumber(text) : undefined
    if (ttl !== undefined) [ttlSeconds, hasTtl] = [ttl, true]
    else if (found !== undefined && found !== rrClass.ANY) recordClass = found
    else break
  }
  const typeText = words[at]?.text ?? ''
  const type = typeNumber(typeText)
  const fail = (what: string, word = words[words.length - 1]): ParsedRecord => {
    return { error: `${what}: ${JSON.stringify(word?.text ?? '')}`, place: word?.place ?? '1:0' }
  }
  if (owner === undefined) return fail('bad owner name', words[0])
  if (type === undefined) return fail(typeProblem(hasTtl, recordClass !== undefined), words[at])
  if (ttlSeconds === undefined) return fail('missing TTL with no previous value', words[at])
  const dataWords = words.slice(at + 1)
  const open = dataWords.find(({ isOpen }) => isOpen)
  if (open !== undefined) return fail(`bad ${typeText} ${dataNames.get(type) ?? 'data'}`, open)
  const extra = dataWords[0]?.text === '\\#' ? undefined : dataWords[wordCounts.get(type) ?? dataWords.length]
  if (extra !== undefined) return fail('garbage after rdata', extra)
  const data = parseData(type, dataWords, defaults.origin)
  if (data === undefined) return fail(`bad ${typeText} ${dataNames.get(type) ?? 'data'}`, words[at + 1])
  return { record: { name: owner, type, class: recordClass ?? rrClass.IN, ttlSeconds, data } }
}

/** What the original expects where a type should stand. */
function typeProblem(hasTtl: boolean, hasClass: boolean): string {
  if (hasTtl) return hasClass ? 'unknown RR type' : 'expecting RR type or class, not this...'
  return 'not a TTL'
}

/** Words of data that a type has, no more; types without a row take what there is. */
const wordCounts: ReadonlyMap<number, number> = new Map([
  [rrType.A, 1],
  [rrType.AAAA, 1],
  [rrType.NS, 1],
  [rrType.CNAME, 1],
  [rrType.DNAME, 1],
  [rrType.PTR, 1],
  [rrType.MX, 2],
  [rrType.SRV, 4],
  [rrType.NAPTR, 6],
  [rrType.SOA, 7],
])

/** What the original calls the data of a type in its messages. */
const dataNames: ReadonlyMap<number, string> = new Map([
  [rrType.A, 'A'],
  [rrType.AAAA, 'AAAA'],
  [rrType.NS, 'Ns'],
  [rrType.CNAME, 'Target'],
  [rrType.DNAME, 'Target'],
  [rrType.PTR, 'Ptr'],
])

/** Seconds of a TTL such as `3600` or `1h30m`; `undefined` when it is none, or more than 32 bits hold. */
export function parseTtl(text: string): number | undefined {
  const seconds = /^[0-9]+$/.test(text) ? Number(text) : secondsOfUnits(text)
  return seconds === undefined || seconds > 0xffff_ffff ? undefined : seconds
}

function secondsOfUnits(text: string): number | undefined {
  if (!/^(?:[0-9]+[smhdwSMHDW])+$/.test(text)) return undefined
  const units: { readonly [unit: string]: number } = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 }
  let seconds = 0
  for (const [, digits, unit] of text.matchAll(/([0-9]+)([a-z])/gi)) {
    seconds += Number(digits) * (units[(unit ?? '').toLowerCase()] ?? 0)
  }
  return seconds
}

/** A name of a zone file made absolute; `undefined` when it is none. */
export function absolute(text: string, origin: Name): Name | undefined {
  if (text === '') return undefined
  if (text === '@') return origin
  if (text === '.') return '.'
  // An escape of nothing would take the dot behind it.
  if (/(?<!\\)(?:\\\\)*\\$/.test(text)) return undefined
  // What only quotes let through is no part of a name as it is written.
  if (/(?<!\\)(?:\\\\)*[\s"();]/.test(text)) return undefined
  const name = absoluteName(text) === text ? text : origin === '.' ? `${text}.` : `${text}.${origin}`
  return isValidName(name) ? name : undefined
}

function parseData(type: number, words: readonly ZoneWord[], origin: Name): RecordData | undefined {
  const texts = words.map((word) => word.text)
  const nameAt = (index: number): Name | undefined => absolute(texts[index] ?? '', origin)
  const numbers = (count: number): number[] | undefined => {
    const values = texts.slice(0, count).map(Number)
    return values.length === count && values.every((n) => Number.isInteger(n) && n >= 0) ? values : undefined
  }
  if (texts[0] === '\\#') return genericData(type, texts)
  switch (type) {
    case rrType.A:
    case rrType.AAAA: {
      const [text = '', ...rest] = texts
      const address = parseGoIp(text)
      if (address === undefined || rest.length > 0 || text.includes(':') !== (type === rrType.AAAA)) return undefined
      // An IPv4-mapped address is one of IPv6 here, and only here.
      return { kind: 'address', address: text.includes(':') && !address.includes(':') ? `::ffff:${address}` : address }
    }
    case rrType.NS:
    case rrType.CNAME:
    case rrType.PTR:
    case rrType.DNAME: {
      const target = nameAt(0)
      return target === undefined ? undefined : { kind: 'name', target }
    }
    case rrType.SRV: {
      const [priority = 0, weight = 0, port = 0] = numbers(3) ?? []
      const target = nameAt(3)
      return target === undefined || !numbers(3) ? undefined : { kind: 'srv', priority, weight, port, target }
    }
    case rrType.MX: {
      const [preference = 0] = numbers(1) ?? []
      const target = nameAt(1)
      return target === undefined || !numbers(1) ? undefined : { kind: 'mx', preference, target }
    }
    case rrType.TXT:
    case rrType.SPF:
    case rrType.HINFO:
      return words.length === 0 ? undefined : { kind: 'text', strings: texts.flatMap(splitLongText) }
    case rrType.SOA:
      return soaData(texts, nameAt)
    case rrType.NAPTR: {
      const [order = 0, preference = 0] = numbers(2) ?? []
      const [flags = '', service = '', regexp = ''] = texts.slice(2, 5).map(unescapeText)
      const target = nameAt(5)
      return target === undefined ? undefined : { kind: 'naptr', order, preference, flags, service, regexp, target }
    }
    default: {
      const bytes = otherBytes(type, texts, (text) => absolute(text, origin))
      return bytes === undefined ? undefined : { kind: 'opaque', bytes }
    }
  }
}

function otherBytes(
  type: number,
  texts: readonly string[],
  toAbsolute: (text: string) => Name | undefined,
): Uint8Array | undefined {
  switch (type) {
    case rrType.SVCB:
    case rrType.HTTPS:
      return parseBindingText(texts, toAbsolute)
    case rrType.LOC:
      return parseLocationText(texts)
    default:
      return parseFieldText(type, texts, toAbsolute) ?? parseRareText(type, texts, toAbsolute)
  }
}

function soaData(texts: readonly string[], nameAt: (index: number) => Name | undefined): RecordData | undefined {
  const [mname, rname] = [nameAt(0), nameAt(1)]
  const times = texts.slice(2).map(parseTtl)
  // COMPAT: times that are not there are 0 (miekg/dns scan_rr.go, SOA).
  if (mname === undefined || rname === undefined || times.length === 0 || times.includes(undefined)) return undefined
  const [serial = 0, refreshSeconds = 0, retrySeconds = 0, expireSeconds = 0, minimumSeconds = 0] = times
  return { kind: 'soa', mname, rname, serial, refreshSeconds, retrySeconds, expireSeconds, minimumSeconds }
}

function splitLongText(text: string): string[] {
  const bytes = unescapeText(text)
  if (bytes.length <= 255) return [bytes]
  return bytes.match(/.{1,255}/gs) ?? []
}

/** RFC 3597 §5: `\# LENGTH HEX...` */
function genericData(type: number, texts: readonly string[]): RecordData | undefined {
  const hex = texts.slice(2).join('')
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(hex) || Number(texts[1]) * 2 !== hex.length) return undefined
  const bytes = new Uint8Array(hexBytes(hex))
  return fits(type, bytes) ? { kind: 'opaque', bytes } : undefined
}

/** Whether bytes are as many as a type has; asked of types whose length is theirs. */
function fits(type: number, bytes: Uint8Array): boolean {
  if (type === rrType.A) return bytes.length === 4
  if (type === rrType.AAAA) return bytes.length === 16
  if (type !== rrType.TXT && type !== rrType.SPF) return true
  let at = 0
  while (at < bytes.length) at += 1 + (bytes[at] ?? 0)
  return at === bytes.length
}

function hexBytes(hex: string): number[] {
  return (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
}
