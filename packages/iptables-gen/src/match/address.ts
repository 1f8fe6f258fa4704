// `-s` and `-d`: source and destination prefixes.

import { type Cidr, cidrOf, contains, familyBits, parseCidr, parseIp } from '@kubewire/kube-model'
import { defineMatch, type MatchDefinition, not, type PrintStyle, type RuleOption } from './define.ts'

/** `[!] -s PREFIX`. */
export interface SourceMatch {
  readonly kind: 'source'
  readonly negated?: boolean
  readonly cidr: Cidr
  /** A whole-length prefix is written as a prefix (`192.0.2.1/32`) in restore form too: it was given as a range. */
  readonly asPrefix?: boolean
}

/** `[!] -d PREFIX`. */
export interface DestinationMatch {
  readonly kind: 'destination'
  readonly negated?: boolean
  readonly cidr: Cidr
  /** A whole-length prefix is written as a prefix (`192.0.2.1/32`) in restore form too: it was given as a range. */
  readonly asPrefix?: boolean
}

/** `-s`. */
export const source: MatchDefinition<SourceMatch> = defineMatch<SourceMatch>({
  kind: 'source',
  place: 'header',
  modules: [],
  options: { '-s': 1 },
  print: (match, style) => `${not(match.negated)}-s ${printPrefix(match, style)}`,
  parse: ([option]) => parseAddressOption('source', option),
  holds: (match, packet) => contains(match.cidr, packet.source) !== (match.negated === true),
  describe: (match) => `source ${match.negated ? 'not ' : ''}${describePrefix(match)}`,
})

/** `-d`. */
export const destination: MatchDefinition<DestinationMatch> = defineMatch<DestinationMatch>({
  kind: 'destination',
  place: 'header',
  modules: [],
  options: { '-d': 1 },
  print: (match, style) => `${not(match.negated)}-d ${printPrefix(match, style)}`,
  parse: ([option]) => parseAddressOption('destination', option),
  holds: (match, packet) => contains(match.cidr, packet.destination) !== (match.negated === true),
  describe: (match) => `destination ${match.negated ? 'not ' : ''}${describePrefix(match)}`,
})

// A single address is written without its length by kube-proxy and with it by iptables-save.
function printPrefix(match: SourceMatch | DestinationMatch, style: PrintStyle): string {
  return style.form === 'restore' ? describePrefix(match) : match.cidr.text
}

function describePrefix({ cidr, asPrefix }: SourceMatch | DestinationMatch): string {
  return cidr.bits === familyBits(cidr.family) && asPrefix !== true ? cidr.address.text : cidr.text
}

function parseAddressOption<K extends 'source' | 'destination'>(
  kind: K,
  option: RuleOption | undefined,
): { readonly kind: K; readonly negated?: boolean; readonly cidr: Cidr } | undefined {
  const text = option?.values[0] ?? ''
  const address = parseIp(text)
  const cidr = address === undefined ? parseCidr(text) : cidrOf(address, familyBits(address.family))
  if (cidr === undefined) return undefined
  return option?.negated ? { kind, negated: true, cidr } : { kind, cidr }
}
