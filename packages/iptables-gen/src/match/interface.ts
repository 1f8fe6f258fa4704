// `-i` and `-o`: names of interfaces, a trailing `+` stands for any rest.

import { defineMatch, type MatchDefinition, type MatchResult, not, type RuleOption } from './define.ts'

/** `[!] -i NAME`. */
export interface InInterfaceMatch {
  readonly kind: 'in-interface'
  readonly negated?: boolean
  readonly name: string
}

/** `[!] -o NAME`. */
export interface OutInterfaceMatch {
  readonly kind: 'out-interface'
  readonly negated?: boolean
  readonly name: string
}

/** `-i`. At hooks without an input interface the name compared is empty (netfilter `ip_packet_match`). */
export const inInterface: MatchDefinition<InInterfaceMatch> = defineMatch<InInterfaceMatch>({
  kind: 'in-interface',
  place: 'header',
  modules: [],
  options: { '-i': 1 },
  print: (match) => `${not(match.negated)}-i ${match.name}`,
  parse: ([option]) => parseInterfaceOption('in-interface', option),
  holds: (match, packet) => {
    const hasInput = packet.hook === 'PREROUTING' || packet.hook === 'INPUT' || packet.hook === 'FORWARD'
    return interfaceHolds(match, hasInput ? packet.inInterface : '')
  },
  describe: (match) => `${match.negated ? 'not ' : ''}from interface ${match.name}`,
})

/** `-o`. */
export const outInterface: MatchDefinition<OutInterfaceMatch> = defineMatch<OutInterfaceMatch>({
  kind: 'out-interface',
  place: 'header',
  modules: [],
  options: { '-o': 1 },
  print: (match) => `${not(match.negated)}-o ${match.name}`,
  parse: ([option]) => parseInterfaceOption('out-interface', option),
  holds: (match, packet) => {
    const hasOutput = packet.hook === 'OUTPUT' || packet.hook === 'POSTROUTING' || packet.hook === 'FORWARD'
    return interfaceHolds(match, hasOutput ? packet.outInterface : '')
  },
  describe: (match) => `${match.negated ? 'not ' : ''}to interface ${match.name}`,
})

function interfaceHolds(match: InInterfaceMatch | OutInterfaceMatch, name: string | undefined): MatchResult {
  if (name === undefined) return 'unknown'
  const isPrefix = match.name.endsWith('+')
  const matches = isPrefix ? name.startsWith(match.name.slice(0, -1)) : name === match.name
  return matches !== (match.negated === true)
}

function parseInterfaceOption<K extends 'in-interface' | 'out-interface'>(
  kind: K,
  option: RuleOption | undefined,
): { readonly kind: K; readonly negated?: boolean; readonly name: string } | undefined {
  const name = option?.values[0] ?? ''
  if (name === '') return undefined
  return option?.negated ? { kind, negated: true, name } : { kind, name }
}
