// Text of record types whose data is a row of plain fields, there and back: numbers, names, bytes, texts. One line of the
// table for each type (RFC 1183, 2163, 2230, 4398, 4701, 5155, 6742, 7043, 7553, 7929).

import type { Name } from '../name.ts'
import { rrType, typeNumber } from '../record-types.ts'
import { writeName } from '../wire/compress.ts'
import { readName } from '../wire/reader.ts'
import { unescapeText } from './words.ts'

/** A field: unsigned numbers by bits, a name, the rest as base64 digits, the rest as text, a salt. */
type Field = 'u8' | 'u16' | 'name' | 'base64' | 'text' | 'salt'

const layouts: { readonly [type: string]: readonly Field[] } = {
  AFSDB: ['u16', 'name'],
  CERT: ['u16', 'u16', 'u8', 'base64'],
  DHCID: ['base64'],
  KX: ['u16', 'name'],
  MB: ['name'],
  MD: ['name'],
  MF: ['name'],
  MG: ['name'],
  MINFO: ['name', 'name'],
  MR: ['name'],
  NSEC3PARAM: ['u8', 'u8', 'u16', 'salt'],
  OPENPGPKEY: ['base64'],
  PX: ['u16', 'name', 'name'],
  RT: ['u16', 'name'],
  URI: ['u16', 'u16', 'text'],
}

const byNumber: ReadonlyMap<number, readonly Field[]> = new Map(
  Object.entries(layouts).map(([name, fields]) => [typeNumber(name) ?? rrType.OPT, fields]),
)

/** Words behind the type → bytes of the data; `undefined` when they are wrong or the type is not in the table. */
export function parseFieldText(
  type: number,
  words: readonly string[],
  absolute: (text: string) => Name | undefined,
): Uint8Array | undefined {
  const fields = byNumber.get(type)
  if (fields === undefined) return undefined
  const out: number[] = []
  for (const [i, field] of fields.entries()) {
    const takesRest = field === 'base64'
    const bytes = encodeField(field, takesRest ? words.slice(i).join('') : words[i], absolute)
    if (bytes === undefined) return undefined
    out.push(...bytes)
    if (takesRest) return Uint8Array.from(out)
  }
  return words.length === fields.length ? Uint8Array.from(out) : undefined
}

function encodeField(
  field: Field,
  word: string | undefined,
  absolute: (text: string) => Name | undefined,
): Iterable<number> | undefined {
  if (word === undefined) return undefined
  switch (field) {
    case 'u8':
    case 'u16': {
      const value = /^[0-9]{1,5}$/.test(word) ? Number(word) : Number.NaN
      if (!(value < (field === 'u8' ? 256 : 65_536))) return undefined
      return field === 'u8' ? [value] : [value >> 8, value & 255]
    }
    case 'name': {
      const name = absolute(word)
      if (name === undefined) return undefined
      const bytes = new Uint8Array(256)
      return bytes.subarray(0, writeName(bytes, 0, bytes.length, name, undefined, false))
    }
    case 'base64':
      return word.length % 4 === 0 && /^[0-9A-Za-z+/]+={0,2}$/.test(word) ? Buffer.from(word, 'base64') : undefined
    case 'text':
      return Buffer.from(unescapeText(word), 'latin1')
    case 'salt': {
      const bytes = word === '-' ? Buffer.alloc(0) : Buffer.from(word, 'hex')
      return bytes.length * 2 === word.length || word === '-' ? [bytes.length, ...bytes] : undefined
    }
  }
}

/** Bytes → text; `undefined` when the type is not in the table or the bytes do not fit it. */
export function printFieldText(type: number, bytes: Uint8Array): string | undefined {
  const fields = byNumber.get(type)
  if (fields === undefined) return undefined
  const words: string[] = []
  let at = 0
  for (const field of fields) {
    const read = decodeField(field, bytes, at)
    if (read === undefined) return undefined
    words.push(read.text)
    at = read.end
  }
  return at === bytes.length ? words.join(' ') : undefined
}

function decodeField(field: Field, bytes: Uint8Array, at: number): { text: string; end: number } | undefined {
  const rest = Buffer.from(bytes.subarray(at))
  switch (field) {
    case 'u8':
      return rest.length < 1 ? undefined : { text: String(rest.readUInt8(0)), end: at + 1 }
    case 'u16':
      return rest.length < 2 ? undefined : { text: String(rest.readUInt16BE(0)), end: at + 2 }
    case 'name': {
      const read = readName(bytes, at)
      return read && { text: read.name, end: read.end }
    }
    case 'base64':
      return { text: rest.toString('base64'), end: bytes.length }
    case 'text':
      return { text: quoted(rest.toString('latin1')), end: bytes.length }
    case 'salt': {
      const length = rest[0] ?? 0
      const salt = rest.subarray(1, 1 + length)
      if (rest.length < 1 + length) return undefined
      return { text: length === 0 ? '-' : salt.toString('hex').toUpperCase(), end: at + 1 + length }
    }
  }
}

function quoted(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, (c) => `\\${c}`)
  return `"${escaped.replaceAll(/[^ -~]/g, (c) => `\\${String(c.charCodeAt(0)).padStart(3, '0')}`)}"`
}
