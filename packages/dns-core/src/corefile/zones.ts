// Zone texts of a Corefile: keys of blocks and zone arguments of plugins. Prefixes stand for their reverse zones.

import { type Cidr, contains, ipOf, parseCidr } from '@kubewire/kube-model'
import { absoluteName, foldName, isValidName, type Name } from '../name.ts'
import type { BlockKey, Scheme } from './directive.ts'

/** Default ports by scheme (CoreDNS plugin/pkg/transport). */
const schemePorts: { readonly [scheme in Scheme]: number } = {
  dns: 53,
  tls: 853,
  https: 443,
  https3: 443,
  quic: 853,
  grpc: 443,
}

/** The zones of one zone text, folded and absolute; `undefined` when it is none. */
export function parseZones(text: string): readonly Name[] | undefined {
  const host = stripScheme(text)
  const parsed = splitPort(host.rest)
  return zonesOfHost(parsed.host)
}

/** The keys of one key text, or what is wrong with it. */
export function parseBlockKey(text: string, defaultPort: number): readonly BlockKey[] | { readonly error: string } {
  const { scheme, rest } = stripScheme(text)
  const { host, port } = splitPort(rest)
  if (port !== undefined && (port < 1 || port > 65535)) return { error: `invalid port '${port}' in '${text}'` }
  const zones = zonesOfHost(host)
  if (zones === undefined) return { error: `unable to normalize '${text}': not a valid domain name: ${text}` }
  const chosen = port ?? (scheme === 'dns' ? defaultPort : schemePorts[scheme])
  return zones.map((zone) => ({ scheme, zone, port: chosen }))
}

/** `10.96.in-addr.arpa.`-style name of an address. */
export function reverseNameOf(address: string): Name | undefined {
  const cidr = parseCidr(`${address}/${address.includes(':') ? 128 : 32}`)
  return cidr && reverseZone(cidr, cidr.bits)
}

function stripScheme(text: string): { readonly scheme: Scheme; readonly rest: string } {
  const match = /^([a-z0-9]+):\/\/(.*)$/s.exec(text)
  if (match && Object.hasOwn(schemePorts, match[1] ?? '')) return { scheme: match[1] as Scheme, rest: match[2] ?? '' }
  return { scheme: 'dns', rest: text }
}

function splitPort(text: string): { readonly host: string; readonly port?: number } {
  // The last colon followed by digits only is the port; an IPv6 prefix ends in `/bits` and so has none.
  const match = /^(.*):([0-9]+)$/s.exec(text)
  if (!match) return { host: text }
  return { host: match[1] ?? '', port: Number(match[2]) }
}

function zonesOfHost(host: string): readonly Name[] | undefined {
  if (host.includes('/')) {
    if (host.startsWith(':') || (host.startsWith('0') && host.includes(':'))) return undefined
    const cidr = parseCidr(host)
    if (cidr !== undefined) return reverseZones(cidr)
  }
  if (host.length > 255 || host === '') return host === '' ? ['.'] : undefined
  return isValidName(host) || host === '.' ? [foldName(absoluteName(host))] : undefined
}

function reverseZones(cidr: Cidr): readonly Name[] {
  const step = cidr.family === 4 ? 8 : 4
  const bits = Math.ceil(cidr.bits / step) * step
  const size = 1n << BigInt((cidr.family === 4 ? 32 : 128) - bits)
  const zones: Name[] = []
  for (let value = cidr.first; value <= cidr.last && contains(cidr, ipOf(cidr.family, value)); value += size) {
    zones.push(reverseZone({ ...cidr, first: value }, bits))
  }
  return zones
}

function reverseZone(cidr: Pick<Cidr, 'family' | 'first'>, bits: number): Name {
  if (cidr.family === 4) {
    const octets = [24n, 16n, 8n, 0n].map((shift) => String((cidr.first >> shift) & 255n)).slice(0, bits / 8)
    return `${[...octets.reverse(), 'in-addr', 'arpa'].join('.')}.`
  }
  const digits = [...cidr.first.toString(16).padStart(32, '0')].slice(0, bits / 4)
  return `${[...digits.reverse(), 'ip6', 'arpa'].join('.')}.`
}
