// Presentation text of record types without a codec of our own (RFC 4034, 4255, 5155, 6698, 8659, 1183), by way of
// `wire/rare-record.ts`. What that cannot carry is printed in the generic form of RFC 3597 by the caller.

import type { Name } from '../name.ts'
import { typeName, typeNumber } from '../record-types.ts'
import { decodeRareData, encodeRareData, type RareData, type RareKind, rareKind } from '../wire/rare-record.ts'
import { unescapeText } from './words.ts'

/** Words of a record line behind its type → bytes of its data; `undefined` when they are wrong or the type is unknown. */
export function parseRareText(
  type: number,
  words: readonly string[],
  absolute: (text: string) => Name | undefined,
): Uint8Array | undefined {
  const kind = rareKind(type)
  const data = kind === undefined ? undefined : parsers[kind]({ words, absolute })
  return data === undefined ? undefined : encodeRareData(data)
}

/** Bytes of a record's data → its text; `undefined` when the type or these bytes have none. */
export function printRareText(type: number, bytes: Uint8Array): string | undefined {
  const kind = rareKind(type)
  const data = kind === undefined ? undefined : decodeRareData(kind, bytes)
  return data === undefined ? undefined : printRare(data)
}

/** What a parser reads. */
interface RareWords {
  readonly words: readonly string[]
  absolute(text: string): Name | undefined
}

const parsers: { readonly [K in RareKind]: (input: RareWords) => RareData | undefined } = {
  CAA({ words }) {
    const [flags] = numbersOf(words, [8]) ?? []
    const [, tag = '', value] = words
    if (flags === undefined || value === undefined || words.length !== 3 || !/^[0-9A-Za-z]{1,255}$/.test(tag)) return
    const text = Buffer.from(unescapeText(value), 'latin1').toString('utf8')
    // The registry of tags is open, the type of dns-packet is not.
    return { kind: 'CAA', data: { flags, tag: tag as 'issue', value: text } }
  },
  DS({ words }) {
    const [keyTag, algorithm, digestType] = numbersOf(words, [16, 8, 8]) ?? []
    const digest = hexOf(words.slice(3))
    if (keyTag === undefined || algorithm === undefined || digestType === undefined || digest === undefined) return
    return { kind: 'DS', data: { keyTag, algorithm, digestType, digest } }
  },
  DNSKEY({ words }) {
    const [flags, protocol, algorithm] = numbersOf(words, [16, 8, 8]) ?? []
    const key = base64Of(words.slice(3))
    // RFC 4034 §2.1.2: any other protocol makes the key invalid.
    if (flags === undefined || protocol !== 3 || algorithm === undefined || key === undefined) return
    return { kind: 'DNSKEY', data: { flags, algorithm, key } }
  },
  NSEC({ words, absolute }) {
    const nextDomain = plainName(absolute(words[0] ?? ''))
    const rrtypes = typesOf(words.slice(1))
    return nextDomain === undefined || rrtypes === undefined
      ? undefined
      : { kind: 'NSEC', data: { nextDomain, rrtypes } }
  },
  NSEC3({ words }) {
    const [algorithm, flags, iterations] = numbersOf(words, [8, 8, 16]) ?? []
    const salt = words[3] === '-' ? Buffer.alloc(0) : hexOf(words.slice(3, 4))
    const nextDomain = base32Of(words[4] ?? '')
    const rrtypes = typesOf(words.slice(5))
    if (algorithm === undefined || flags === undefined || iterations === undefined) return
    if (salt === undefined || salt.length > 255 || nextDomain === undefined || rrtypes === undefined) return
    return { kind: 'NSEC3', data: { algorithm, flags, iterations, salt, nextDomain, rrtypes } }
  },
  RP({ words, absolute }) {
    const [mbox, txt] = [absolute(words[0] ?? ''), plainName(absolute(words[1] ?? ''))]
    // dns-packet takes an escaped dot in the mailbox, and nothing else that is escaped.
    if (mbox === undefined || /\\[^.]/.test(mbox) || txt === undefined || words.length !== 2) return
    return { kind: 'RP', data: { mbox, txt } }
  },
  RRSIG({ words, absolute }) {
    const covered = typeNumber(words[0] ?? '')
    const [algorithm, labels, originalTTL] = numbersOf(words.slice(1), [8, 8, 32]) ?? []
    const [expiration, inception] = [timeOf(words[4] ?? ''), timeOf(words[5] ?? '')]
    const [keyTag] = numbersOf(words.slice(6), [16]) ?? []
    const signersName = plainName(absolute(words[7] ?? ''))
    const signature = base64Of(words.slice(8))
    if (covered === undefined || algorithm === undefined || labels === undefined || originalTTL === undefined) return
    if (expiration === undefined || inception === undefined || keyTag === undefined) return
    if (signersName === undefined || signature === undefined) return
    const numbers = { algorithm, labels, originalTTL, expiration, inception, keyTag }
    return { kind: 'RRSIG', data: { typeCovered: `UNKNOWN_${covered}`, ...numbers, signersName, signature } }
  },
  SSHFP({ words }) {
    const [algorithm, hash] = numbersOf(words, [8, 8]) ?? []
    const fingerprint = hexOf(words.slice(2))
    if (algorithm === undefined || hash === undefined || fingerprint === undefined) return
    return { kind: 'SSHFP', data: { algorithm, hash, fingerprint: fingerprint.toString('hex') } }
  },
  TLSA({ words }) {
    const [usage, selector, matchingType] = numbersOf(words, [8, 8, 8]) ?? []
    const certificate = hexOf(words.slice(3))
    if (usage === undefined || selector === undefined || matchingType === undefined || certificate === undefined) return
    return { kind: 'TLSA', data: { usage, selector, matchingType, certificate } }
  },
}

function printRare({ kind, data }: RareData): string {
  switch (kind) {
    case 'CAA':
      return `${data.flags ?? 0} ${data.tag} ${quoted(data.value)}`
    case 'DS':
      return `${data.keyTag} ${data.algorithm} ${data.digestType} ${hexText(data.digest)}`
    case 'DNSKEY':
      return `${data.flags} 3 ${data.algorithm} ${data.key.toString('base64')}`
    case 'NSEC':
      return [absoluteText(data.nextDomain), ...data.rrtypes.map(typeText)].join(' ')
    case 'NSEC3': {
      const salt = data.salt.length === 0 ? '-' : hexText(data.salt)
      const numbers = [data.algorithm, data.flags, data.iterations]
      return [...numbers, salt, base32Text(data.nextDomain), ...data.rrtypes.map(typeText)].join(' ')
    }
    case 'RP':
      return `${absoluteText(data.mbox)} ${absoluteText(data.txt)}`
    case 'RRSIG': {
      const numbers = [
        data.algorithm,
        data.labels,
        data.originalTTL,
        timeText(data.expiration),
        timeText(data.inception),
      ]
      const signer = absoluteText(data.signersName)
      return [typeText(data.typeCovered), ...numbers, data.keyTag, signer, data.signature.toString('base64')].join(' ')
    }
    case 'SSHFP':
      return `${data.algorithm} ${data.hash} ${data.fingerprint.toUpperCase()}`
    case 'TLSA':
      return `${data.usage} ${data.selector} ${data.matchingType} ${hexText(data.certificate)}`
  }
}

/** The first words as unsigned numbers of these many bits. */
function numbersOf(words: readonly string[], bits: readonly number[]): number[] | undefined {
  const values = bits.map((_, i) => (/^[0-9]{1,10}$/.test(words[i] ?? '') ? Number(words[i]) : Number.NaN))
  return values.every((value, i) => value < 2 ** (bits[i] ?? 0)) ? values : undefined
}

function hexOf(words: readonly string[]): Buffer | undefined {
  const text = words.join('')
  return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined
}

function hexText(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase()
}

function base64Of(words: readonly string[]): Buffer | undefined {
  const text = words.join('')
  return text.length % 4 === 0 && /^[0-9A-Za-z+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** RFC 4648 §7, without padding. */
const base32Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUV'

function base32Of(text: string): Buffer | undefined {
  if (!/^[0-9A-Va-v]{2,400}$/.test(text)) return undefined
  let [bits, value] = [0, 0]
  const bytes: number[] = []
  for (const digit of text.toUpperCase()) {
    value = ((value << 5) | base32Digits.indexOf(digit)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 255)
  }
  return Buffer.from(bytes)
}

function base32Text(bytes: Buffer): string {
  let [bits, value, text] = [0, 0, '']
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff
    bits += 8
    for (; bits >= 5; bits -= 5) text += base32Digits[(value >> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + (base32Digits[(value << (5 - bits)) & 31] ?? '')
}

function typesOf(words: readonly string[]): string[] | undefined {
  const numbers = words.map(typeNumber)
  return numbers.includes(undefined) ? undefined : numbers.map((number) => `UNKNOWN_${number}`)
}

function typeText(name: string): string {
  return name.startsWith('UNKNOWN_') ? typeName(Number(name.slice('UNKNOWN_'.length))) : name
}

/** A name that dns-packet writes as it stands. */
function plainName(name: Name | undefined): Name | undefined {
  return name?.includes('\\') ? undefined : name
}

function absoluteText(name: string): Name {
  return name === '.' ? name : `${name}.`
}

/** `YYYYMMDDHHMMSS` or seconds since the epoch (RFC 4034 §3.2). */
function timeOf(text: string): number | undefined {
  if (/^[0-9]{1,10}$/.test(text)) return Number(text) < 2 ** 32 ? Number(text) : undefined
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z')
  const seconds = Date.parse(iso) / 1000
  // Later times wrap around (RFC 1982).
  return iso === text || !Number.isInteger(seconds) ? undefined : seconds >>> 0
}

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/[-:T]|\.\d+Z$/g, '')
}

function quoted(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  const escaped = bytes.replaceAll(/["\\]/g, (c) => `\\${c}`)
  return `"${escaped.replaceAll(/[^ -~]/g, (c) => `\\${String(c.charCodeAt(0)).padStart(3, '0')}`)}"`
}
