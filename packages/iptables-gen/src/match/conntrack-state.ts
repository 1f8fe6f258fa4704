import { defineMatch, type MatchDefinition, not } from './define.ts'

/** `-m conntrack [!] --ctstate A,B`; states NEW, ESTABLISHED, RELATED, INVALID, UNTRACKED, SNAT, DNAT. */
export interface ConntrackStateMatch {
  readonly kind: 'conntrack-state'
  readonly negated?: boolean
  readonly states: readonly string[]
}

const known = new Set(['NEW', 'ESTABLISHED', 'RELATED', 'INVALID', 'UNTRACKED', 'SNAT', 'DNAT'])

/** `-m conntrack --ctstate`. */
export const conntrackState: MatchDefinition<ConntrackStateMatch> = defineMatch<ConntrackStateMatch>({
  kind: 'conntrack-state',
  place: 'module',
  modules: ['conntrack'],
  options: { '--ctstate': 1 },
  print: (match) => `${not(match.negated)}--ctstate ${match.states.join(',')}`,
  parse: ([option, ...rest]) => {
    const states = option?.values[0]?.split(',') ?? []
    if (option === undefined || rest.length > 0 || !states.every((state) => known.has(state))) return undefined
    return option.negated ? { kind: 'conntrack-state', negated: true, states } : { kind: 'conntrack-state', states }
  },
  holds: (match, packet) => {
    const holds = match.states.some(
      (state) =>
        state === packet.connection || (state === 'DNAT' && packet.isDnat) || (state === 'SNAT' && packet.isSnat),
    )
    return holds !== (match.negated === true)
  },
  describe: (match) => `connection is ${match.negated ? 'not ' : ''}${match.states.join(' or ')}`,
})
