// Text of SVCB and HTTPS records, there and back (RFC 9460 §2, RFC 9461 for `dohpath`).

import { parseIp } from '@kubewire/kube-model'
import { parseGoIp } from '../kube/go-ip.ts'
import type { Name } from '../name.ts'
import { readIpv4, readIpv6, writeIpv4, writeIpv6 } from '../wire/address-bytes.ts'
import { writeName } from '../wire/compress.ts'
import { readName, readUint16 } from '../wire/reader.ts'
import { unescapeText } from './words.ts'

/** Keys of parameters; others are `keyNNNNN`. */
const keys = [
  'mandatory',
  'alpn',
  'no-default-alpn',
  'port',
  'ipv4hint',
  'ech',
  'ipv6hint',
  'dohpath',
  'ohttp',
] as const

/** Words behind the type → bytes; `undefined` when they are wrong. */
export function parseBindingText(
  words: readonly string[],
  absolute: (text: string) => Name | undefined,
): Uint8Array | undefined {
  const [priority = '', target = '', ...others] = words
  const name = absolute(target)
  if (!/^[0-9]{1,5}$/.test(priority) || Number(priority) > 65_535 || name === undefined) return undefined
  const parameters = new Map<number, Uint8Array>()
  for (const word of joinQuoted(others)) {
    const [, key = '', , value] = /^([^=]+)(=(.*))?$/s.exec(word) ?? []
    const number = keyNumber(key)
    const bytes = number === undefined ? undefined : encodeParameter(number, value)
    if (number === undefined || bytes === undefined || parameters.has(number)) return undefined
    parameters.set(number, bytes)
  }
  const head = new Uint8Array(258)
  head[0] = Number(priority) >> 8
  head[1] = Number(priority) & 255
  const end = writeName(head, 2, head.length, name, undefined, false)
  const rows = [...parameters].sort(([a], [b]) => a - b)
  return Uint8Array.from([
    ...head.subarray(0, end),
    ...rows.flatMap(([key, bytes]) => [...uint16(key), ...uint16(bytes.length), ...bytes]),
  ])
}

/** `alpn="h2,h3"` comes as two words, the second one quoted. */
function joinQuoted(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const key = joined.at(-1)?.endsWith('=') ? joined.pop() : ''
    joined.push(`${key}${word}`)
  }
  return joined
}

function keyNumber(key: string): number | undefined {
  const known = keys.indexOf(key as (typeof keys)[number])
  if (known >= 0) return known
  const number = /^key([0-9]{1,5})$/.exec(key)?.[1]
  return number === undefined || Number(number) > 65_534 ? undefined : Number(number)
}

function encodeParameter(key: number, value: string | undefined): Uint8Array | undefined {
  const items = (value ?? '').split(',')
  switch (keys[key]) {
    case 'mandatory': {
      const numbers = items.map(keyNumber)
      if (numbers.includes(undefined)) return undefined
      return Uint8Array.from(
        numbers
          .map((n) => n ?? 0)
          .sort((a, b) => a - b)
          .flatMap(uint16),
      )
    }
    case 'alpn': {
      // A comma inside an identifier is escaped.
      const ids = (value ?? '').split(/(?<!\\),/).map((id) => Buffer.from(unescapeText(id), 'latin1'))
      if (ids.some((id) => id.length === 0 || id.length > 255)) return undefined
      return Uint8Array.from(ids.flatMap((id) => [id.length, ...id]))
    }
    case 'no-default-alpn':
    case 'ohttp':
      return value === undefined || value === '' ? new Uint8Array() : undefined
    case 'port':
      return /^[0-9]{1,5}$/.test(value ?? '') && Number(value) < 65_536
        ? Uint8Array.from(uint16(Number(value)))
        : undefined
    case 'ipv4hint':
      return encodeAddresses(items, 4)
    case 'ipv6hint':
      return encodeAddresses(items, 16)
    case 'ech':
      return Uint8Array.from(Buffer.from(value ?? '', 'base64'))
    default:
      return Uint8Array.from(Buffer.from(unescapeText(value ?? ''), 'latin1'))
  }
}

function encodeAddresses(items: readonly string[], size: 4 | 16): Uint8Array | undefined {
  const out = new Uint8Array(items.length * size)
  for (const [i, item] of items.entries()) {
    const address = parseGoIp(item)
    if (address === undefined || address.includes(':') !== (size === 16)) return undefined
    if (size === 4) writeIpv4(out, i * size, address)
    else writeIpv6(out, i * size, address)
  }
  return out
}

/** Bytes → text; `undefined` when they are malformed. */
export function printBindingText(bytes: Uint8Array): string | undefined {
  const target = bytes.length < 3 ? undefined : readName(bytes, 2)
  if (target === undefined) return undefined
  const words = [String(readUint16(bytes, 0)), target.name]
  for (let at = target.end; at < bytes.length; ) {
    if (at + 4 > bytes.length) return undefined
    const end = at + 4 + readUint16(bytes, at + 2)
    if (end > bytes.length) return undefined
    words.push(printParameter(readUint16(bytes, at), bytes.subarray(at + 4, end)))
    at = end
  }
  return words.join(' ')
}

function printParameter(key: number, data: Uint8Array): string {
  const name = keys[key] ?? `key${key}`
  if (name === 'no-default-alpn' || name === 'ohttp') return name
  return `${name}="${parameterText(name, data)}"`
}

function parameterText(name: string, data: Uint8Array): string {
  const bytes = Buffer.from(data)
  switch (name) {
    case 'mandatory':
      return pieces(data, 2)
        .map((piece) => keyName(readUint16(piece, 0)))
        .join(',')
    case 'alpn':
      return identifiers(bytes).join(',')
    case 'port':
      return data.length === 2 ? String(readUint16(data, 0)) : ''
    case 'ipv4hint':
      return pieces(data, 4)
        .map((piece) => readIpv4(piece, 0))
        .join(',')
    case 'ipv6hint':
      return pieces(data, 16)
        .map((piece) => addressText(readIpv6(piece, 0)))
        .join(',')
    case 'ech':
      return bytes.toString('base64')
    default:
      return escaped(bytes.toString('latin1'))
  }
}

function keyName(key: number): string {
  return keys[key] ?? `key${key}`
}

function addressText(address: string): string {
  return parseIp(address) === undefined ? '' : address
}

function identifiers(bytes: Buffer): string[] {
  const ids: string[] = []
  for (let at = 0; at < bytes.length; at += 1 + (bytes[at] ?? 0)) {
    ids.push(escaped(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)).toString('latin1')).replaceAll(',', '\\,'))
  }
  return ids
}

function pieces(data: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.floor(data.length / size) }, (_, i) => data.subarray(i * size, (i + 1) * size))
}

function escaped(text: string): string {
  const quoted = text.replaceAll(/["\\]/g, (c) => `\\${c}`)
  return quoted.replaceAll(/[^ -~]/g, (c) => `\\${String(c.charCodeAt(0)).padStart(3, '0')}`)
}

function uint16(value: number): number[] {
  return [value >> 8, value & 255]
}
