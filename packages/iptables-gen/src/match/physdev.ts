// `-m physdev`: bridge ports. Nothing about bridges is known to a simulation, so it never decides.

import { quoteWord } from '../text/words.ts'
import { defineMatch, type MatchDefinition, not } from './define.ts'

/** `-m physdev` with its options as they stood. */
export interface PhysdevMatch {
  readonly kind: 'physdev'
  readonly options: readonly { readonly name: string; readonly negated: boolean; readonly values: readonly string[] }[]
}

/** `-m physdev`. */
export const physdev: MatchDefinition<PhysdevMatch> = defineMatch<PhysdevMatch>({
  kind: 'physdev',
  place: 'module',
  modules: ['physdev'],
  options: {
    '--physdev-in': 1,
    '--physdev-out': 1,
    '--physdev-is-in': 0,
    '--physdev-is-out': 0,
    '--physdev-is-bridged': 0,
  },
  print: (match) =>
    match.options
      .map(({ name, negated, values }) => `${not(negated)}${[name, ...values].map(quoteWord).join(' ')}`)
      .join(' '),
  parse: (options) => ({ kind: 'physdev', options }),
  holds: () => 'unknown',
  describe: (match) => `bridge port (${match.options.map((option) => option.name).join(' ')})`,
})
