// States of a connection, as `-m conntrack` asks for them and as its predecessor `-m state` did.

import { defineMatch, type MatchDefinition, not } from './define.ts'

/** `-m conntrack [!] --ctstate A,B`; states NEW, ESTABLISHED, RELATED, INVALID, UNTRACKED, SNAT, DNAT. */
export interface ConntrackStateMatch {
  readonly kind: 'conntrack-state'
  readonly negated?: boolean
  readonly states: readonly string[]
}

/** `-m state [!] --state A,B`; all of these states but the last two. */
export interface StateMatch extends Omit<ConntrackStateMatch, 'kind'> {
  readonly kind: 'state'
}

const plainStates = ['NEW', 'ESTABLISHED', 'RELATED', 'INVALID', 'UNTRACKED']

/** `-m conntrack --ctstate`. */
export const conntrackState: MatchDefinition<ConntrackStateMatch> = defineStates('conntrack-state', 'conntrack', [
  '--ctstate',
  ...plainStates,
  'SNAT',
  'DNAT',
])

/** `-m state --state`. */
export const state: MatchDefinition<StateMatch> = defineStates('state', 'state', ['--state', ...plainStates])

function defineStates<K extends string>(
  kind: K,
  module: string,
  [name, ...known]: readonly [string, ...string[]],
): MatchDefinition<Omit<ConntrackStateMatch, 'kind'> & { readonly kind: K }> {
  return defineMatch({
    kind,
    place: 'module',
    modules: [module],
    options: { [name]: 1 },
    print: (match) => `${not(match.negated)}${name} ${match.states.join(',')}`,
    parse: ([option, ...rest]) => {
      const states = option?.values[0]?.split(',') ?? []
      if (option === undefined || rest.length > 0 || !states.every((one) => known.includes(one))) return undefined
      return option.negated ? { kind, negated: true, states } : { kind, states }
    },
    holds: (match, packet) => {
      const holds = match.states.some(
        (one) => one === packet.connection || (one === 'DNAT' && packet.isDnat) || (one === 'SNAT' && packet.isSnat),
      )
      return holds !== (match.negated === true)
    },
    describe: (match) => `connection is ${match.negated ? 'not ' : ''}${match.states.join(' or ')}`,
  })
}
