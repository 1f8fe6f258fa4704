// Canonical addresses and prefixes over ip-address. The wrapper is the one place that decides which spellings
// count: those that the API server accepts for new objects (no leading zeros, no zone, no IPv4-mapped IPv6).

import { Address4, Address6 } from 'ip-address'

/** An address family, as the number in its name. */
export type IpFamily = 4 | 6

/** One address; `text` is its canonical spelling (dotted quad, RFC 5952), `value` its bits. */
export interface Ip {
  readonly family: IpFamily
  readonly text: string
  readonly value: bigint
}

/** One prefix. `text` has the host bits cleared; `address` keeps them as given. */
export interface Cidr {
  readonly family: IpFamily
  readonly text: string
  readonly bits: number
  readonly address: Ip
  readonly first: bigint
  readonly last: bigint
}

/** Number of address bits in a family. */
export function familyBits(family: IpFamily): 32 | 128 {
  return family === 4 ? 32 : 128
}

/** The address, or `undefined` for anything the API server would refuse (KEP-4858 strict rules). */
export function parseIp(text: string): Ip | undefined {
  if (text.includes('/') || text.includes('%')) return undefined
  return text.includes(':') ? parseIp6(text) : parseIp4(text)
}

/** Go's lenient `ParseIPSloppy`: leading zeros are dropped, an IPv4-mapped address is its IPv4 address. */
export function parseIpSloppy(text: string): Ip | undefined {
  // Most are as they should be, and asking three times what stands in a text takes longer than reading it.
  const plain = parseIp4(text)
  if (plain !== undefined || text.includes('/') || text.includes('%')) return plain
  if (!text.includes(':')) return parseIp4(text.replaceAll(/(^|\.)0+(?=[0-9])/g, '$1'))
  const strict = parseIp6(text)
  if (strict) return strict
  return Address6.isValid(text) ? mappedIp4(new Address6(text)) : undefined
}

/** The prefix, or `undefined` when it is none. Host bits may be set; `text` has them cleared. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/')
  const length = text.slice(slash + 1)
  if (slash < 0 || !/^(?:0|[1-9][0-9]{0,2})$/.test(length)) return undefined
  const address = parseIp(text.slice(0, slash))
  const bits = Number(length)
  if (!address || bits > familyBits(address.family)) return undefined
  return cidrOf(address, bits)
}

/** Go's lenient `ParseCIDRSloppy`: leading zeros are dropped in IPv4 addresses and in the length. */
export function parseCidrSloppy(text: string): Cidr | undefined {
  const slash = text.indexOf('/')
  if (slash < 0 || text.includes(':')) return parseCidr(text)
  const address = parseIpSloppy(text.slice(0, slash))
  return address && parseCidr(`${address.text}/${text.slice(slash + 1).replace(/^0+(?=[0-9])/, '')}`)
}

/** The prefix of `bits` bits that holds `address`. */
export function cidrOf(address: Ip, bits: number): Cidr {
  const host = BigInt(familyBits(address.family) - bits)
  const first = (address.value >> host) << host
  const last = first | ((1n << host) - 1n)
  return { family: address.family, text: `${ipOf(address.family, first).text}/${bits}`, bits, address, first, last }
}

/** The address with these bits. */
export function ipOf(family: IpFamily, value: bigint): Ip {
  const text = family === 4 ? Address4.fromBigInt(value).correctForm() : Address6.fromBigInt(value).correctForm()
  return { family, text, value }
}

/** Whether the prefix holds the address; never across families. */
export function contains(cidr: Cidr, ip: Ip): boolean {
  return cidr.family === ip.family && ip.value >= cidr.first && ip.value <= cidr.last
}

/** Order of addresses: IPv4 first, then by bits. */
export function compareIp(a: Ip, b: Ip): number {
  if (a.family !== b.family) return a.family - b.family
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0
}

/** The family that a spelling belongs to, without checking the rest of it. */
export function familyOf(text: string): IpFamily {
  return text.includes(':') ? 6 : 4
}

/** `address:port`, with brackets around IPv6 (Go `net.JoinHostPort`). */
export function joinHostPort(address: string, port: number | string): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

// Walks over the characters once: a proxy reads a hundred thousand of these at its start.
function parseIp4(text: string): Ip | undefined {
  let value = 0
  let part = 0
  let digits = 0
  let dots = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 46) {
      if (digits === 0 || part > 255 || ++dots > 3) return undefined
      value = value * 256 + part
      part = 0
      digits = 0
      continue
    }
    // A digit after a leading zero would be octal to some readers.
    if (code < 48 || code > 57 || digits === 3 || (digits > 0 && part === 0)) return undefined
    part = part * 10 + code - 48
    digits += 1
  }
  if (dots !== 3 || digits === 0 || part > 255) return undefined
  return { family: 4, text, value: BigInt(value * 256 + part) }
}

function parseIp6(text: string): Ip | undefined {
  if (!Address6.isValid(text)) return undefined
  const address = new Address6(text)
  const value = address.bigInt()
  // ::ffff:0:0/96 is refused by the API server since 1.36 for new objects and confuses every reader.
  if (value >> 32n === 0xffffn) return undefined
  return { family: 6, text: address.correctForm(), value }
}

function mappedIp4(address: Address6): Ip | undefined {
  const value = address.bigInt()
  return value >> 32n === 0xffffn ? ipOf(4, value & 0xffffffffn) : undefined
}
