// Expected reply against the one that came: sections as sets of records, names with their letter case, addresses as
// addresses, `*` for any SOA serial.

import type { Edns } from '../query.ts'
import type { DnsRecord } from '../record.ts'
import { rcodeName, rrType } from '../record-types.ts'
import { decodeMessage } from '../wire/decode-message.ts'
import { parseRecord } from '../zone/parse-record.ts'
import { printRecord } from '../zone/print-record.ts'
import type { ExpectedReply } from './dns-case.ts'

/** A reply with the parts that cases compare; all messages of a transfer joined. */
export interface SeenReply {
  readonly rcode: string
  readonly aa: boolean
  readonly tc: boolean
  readonly answer: readonly DnsRecord[]
  readonly authority: readonly DnsRecord[]
  readonly additional: readonly DnsRecord[]
  /** The flags RA, RD, AD and CD as they stand in the header. */
  readonly otherFlags: number
  /** The OPT record as text: size, DO bit, options; absent when there is none. */
  readonly opt?: string
}

/** Joins the messages of one reply. `undefined` when one of them cannot be decoded. */
export function readReply(messages: readonly Uint8Array[]): SeenReply | undefined {
  const decoded = messages.map(decodeMessage)
  const [first] = decoded
  if (first === undefined || decoded.includes(undefined)) return undefined
  const code = (first.flags & 15) | ((first.edns?.extendedRcode ?? 0) << 4)
  const all = decoded.flatMap((message) => (message === undefined ? [] : [message]))
  return {
    rcode: rcodeName(code),
    aa: (first.flags & 0x400) !== 0,
    tc: all.some((message) => (message.flags & 0x200) !== 0),
    answer: all.flatMap((message) => message.answer),
    authority: all.flatMap((message) => message.authority),
    additional: all.flatMap((message) => message.additional),
    otherFlags: first.flags & 0x1b0,
    ...(first.edns === undefined ? {} : { opt: optText(first.edns) }),
  }
}

function optText({ udpSize, dnssecOk, options }: Edns): string {
  const texts = options.map(({ code, data }) => `${code}:${Buffer.from(data).toString('hex')}`)
  return [udpSize, ...(dnssecOk ? ['do'] : []), ...texts].join(' ')
}

/** Differences, each as one sentence; none when the reply is as expected. */
export function compareReply(expected: ExpectedReply, seen: SeenReply | undefined): string[] {
  if (seen === undefined) return ['expected a reply, got none']
  const differences: string[] = []
  for (const key of ['rcode', 'aa', 'tc'] as const) {
    if (expected[key] !== undefined && expected[key] !== seen[key]) {
      differences.push(`${key}: expected ${expected[key]}, got ${seen[key]}`)
    }
  }
  if (expected.answerCount !== undefined && expected.answerCount !== seen.answer.length) {
    differences.push(`answerCount: expected ${expected.answerCount}, got ${seen.answer.length}`)
  }
  for (const section of ['answer', 'authority', 'additional'] as const) {
    const wanted = expected[section]
    if (wanted !== undefined) {
      const isOrdered = expected.ordered === true && section === 'answer'
      differences.push(...compareSection(section, wanted, seen[section], isOrdered))
    }
  }
  return differences
}

/** Serial of the SOA in answer or authority. */
export function serialOf(seen: SeenReply | undefined): number | undefined {
  const soa = [...(seen?.answer ?? []), ...(seen?.authority ?? [])].find((record) => record.type === rrType.SOA)
  return soa?.data.kind === 'soa' ? soa.data.serial : undefined
}

function compareSection(
  section: string,
  wanted: readonly string[],
  seen: readonly DnsRecord[],
  isOrdered: boolean,
): string[] {
  const expected = wanted.map(canonicalText)
  const anySerial = expected.some((text) => text.includes(' SOA ') && text.includes(' * '))
  const got = seen.map((record) => printRecord(anySerial ? withoutSerial(record) : record))
  const printed = got.map((text) => (anySerial ? text.replace(/( SOA \S+ \S+) 0 /, '$1 * ') : text))
  if (isOrdered) {
    return JSON.stringify(expected) === JSON.stringify(printed)
      ? []
      : [`${section}: expected in order ${list(expected)}, got ${list(printed)}`]
  }
  const absent = expected.filter((text) => !printed.includes(text))
  const extra = [...new Set(printed)].filter((text) => !expected.includes(text))
  return [
    ...(absent.length === 0 ? [] : [`${section}: expected ${list(absent)}`]),
    ...(extra.length === 0 ? [] : [`${section}: got also ${list(extra)}`]),
  ]
}

/** The text of a record as `printRecord` spells it, so that spellings of addresses and texts do not matter. */
function canonicalText(text: string): string {
  const hasAnySerial = / SOA \S+ \S+ \* /.test(text)
  const parsed = parseRecord(hasAnySerial ? text.replace(/( SOA \S+ \S+) \* /, '$1 0 ') : text)
  if ('error' in parsed) throw new Error(`expected a record, got ${JSON.stringify(text)}: ${parsed.error}`)
  const printed = printRecord(parsed.record)
  return hasAnySerial ? printed.replace(/( SOA \S+ \S+) 0 /, '$1 * ') : printed
}

function withoutSerial(record: DnsRecord): DnsRecord {
  return record.data.kind === 'soa' ? { ...record, data: { ...record.data, serial: 0 } } : record
}

function list(texts: readonly string[]): string {
  const shown = texts.slice(0, 6).join(' | ')
  return texts.length > 6 ? `${shown} | … (${texts.length})` : `[${shown}]`
}
