// The one place that meets dns-packet at run time: data of record types that we have no codec of our own for. Its encoder
// checks nothing and its decoder reads names as UTF-8, so what does not come back the same is refused.

import { type Answer, decode, encode } from 'dns-packet'
import { typeName } from '../record-types.ts'

/** Types of one layout go by the name dns-packet knows: CDS is a DS, SMIMEA a TLSA (RFC 7344, RFC 8162, RFC 4431). */
const layouts: { readonly [type: string]: RareKind } = {
  CAA: 'CAA',
  CDNSKEY: 'DNSKEY',
  CDS: 'DS',
  DLV: 'DS',
  DNSKEY: 'DNSKEY',
  DS: 'DS',
  NSEC: 'NSEC',
  NSEC3: 'NSEC3',
  RP: 'RP',
  RRSIG: 'RRSIG',
  SMIMEA: 'TLSA',
  SSHFP: 'SSHFP',
  TA: 'DS',
  TLSA: 'TLSA',
}

/** Layouts of rare records. */
export type RareKind = 'CAA' | 'DNSKEY' | 'DS' | 'NSEC' | 'NSEC3' | 'RP' | 'RRSIG' | 'SSHFP' | 'TLSA'

/** Data of a rare record the way dns-packet has it. Names come without their last dot, types as `UNKNOWN_65`. */
export type RareData = { readonly [K in RareKind]: { readonly kind: K; readonly data: DataOf<K> } }[RareKind]

type DataOf<K extends RareKind> = Extract<Answer, { readonly type: K }>['data']

/** Bytes in front of the data in a message of one record whose owner is the root. */
const dataOffset = 12 + 1 + 10

const maxDataBytes = 65_535

/** The layout of a type; `undefined` when we and dns-packet know none. */
export function rareKind(type: number): RareKind | undefined {
  const name = typeName(type)
  return Object.hasOwn(layouts, name) ? layouts[name] : undefined
}

/** Data → bytes; `undefined` when the bytes would not say the same. The caller has checked names and numbers. */
export function encodeRareData({ kind, data }: RareData): Uint8Array | undefined {
  const bytes = encodeOnce(kind, data)
  if (bytes === undefined) return undefined
  const again = decodeOnce(kind, bytes)
  const second = again === undefined ? undefined : encodeOnce(kind, again)
  return second !== undefined && isSame(bytes, second) ? bytes : undefined
}

/**
 * Bytes → data; `undefined` when they are malformed or dns-packet cannot carry them: names with bytes beyond ASCII or
 * with a dot inside a label, fingerprints of an unknown length.
 */
export function decodeRareData(kind: RareKind, bytes: Uint8Array): RareData | undefined {
  const data = decodeOnce(kind, bytes)
  if (data === undefined) return undefined
  const again = encodeOnce(kind, data)
  return again !== undefined && isSame(bytes, again) ? ({ kind, data } as RareData) : undefined
}

function encodeOnce(kind: RareKind, data: unknown): Uint8Array | undefined {
  try {
    const message = encode({ type: 'response', answers: [{ type: kind, name: '.', data } as Answer] })
    const bytes = Uint8Array.from(message.subarray(dataOffset))
    return bytes.length <= maxDataBytes ? bytes : undefined
  } catch {
    // It throws plain errors for whatever it will not write.
    return undefined
  }
}

const kindNumbers: { readonly [K in RareKind]: number } = {
  CAA: 257,
  DNSKEY: 48,
  DS: 43,
  NSEC: 47,
  NSEC3: 50,
  RP: 17,
  RRSIG: 46,
  SSHFP: 44,
  TLSA: 52,
}

function decodeOnce(kind: RareKind, data: Uint8Array): unknown {
  const message = Buffer.alloc(dataOffset + data.length)
  message.writeUInt16BE(0x8000, 2)
  message.writeUInt16BE(1, 6)
  message.writeUInt16BE(kindNumbers[kind], 13)
  message.writeUInt16BE(1, 15)
  message.writeUInt16BE(data.length, 21)
  message.set(data, dataOffset)
  try {
    const [answer] = decode(message).answers ?? []
    return answer !== undefined && 'data' in answer ? answer.data : undefined
  } catch {
    // It throws plain errors and range errors for malformed data.
    return undefined
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
