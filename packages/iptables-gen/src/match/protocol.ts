import { defineMatch, type MatchDefinition, not } from './define.ts'

/** `[!] -p PROTOCOL`, lower case. */
export interface ProtocolMatch {
  readonly kind: 'protocol'
  readonly negated?: boolean
  readonly protocol: string
}

/** `-p`. */
export const protocol: MatchDefinition<ProtocolMatch> = defineMatch<ProtocolMatch>({
  kind: 'protocol',
  place: 'header',
  modules: [],
  options: { '-p': 1 },
  print: (match) => `${not(match.negated)}-p ${match.protocol}`,
  parse: ([option]) => {
    const name = option?.values[0]?.toLowerCase()
    if (name === undefined) return undefined
    return option?.negated ? { kind: 'protocol', negated: true, protocol: name } : { kind: 'protocol', protocol: name }
  },
  holds: (match, packet) =>
    (match.protocol === 'all' || match.protocol === packet.protocol) !== (match.negated === true),
  describe: (match) => `${match.negated ? 'not ' : ''}${match.protocol}`,
})
