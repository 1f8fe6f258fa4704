// `-m set`: membership in an ipset. Its content is not part of a ruleset, so a simulation follows both ways.

import { quoteWord } from '../text/words.ts'
import { defineMatch, type MatchDefinition, not } from './define.ts'

/** `-m set [!] --match-set NAME DIRECTIONS`. */
export interface SetMatch {
  readonly kind: 'set'
  readonly negated?: boolean
  readonly name: string
  readonly directions: string
}

/** `-m set`. */
export const set: MatchDefinition<SetMatch> = defineMatch<SetMatch>({
  kind: 'set',
  place: 'module',
  modules: ['set'],
  options: { '--match-set': 2 },
  print: (match) => `${not(match.negated)}--match-set ${quoteWord(match.name)} ${quoteWord(match.directions)}`,
  parse: ([option, ...rest]) => {
    const [name, directions] = option?.values ?? []
    if (option === undefined || name === undefined || directions === undefined || rest.length > 0) return undefined
    return option.negated ? { kind: 'set', negated: true, name, directions } : { kind: 'set', name, directions }
  },
  holds: () => 'unknown',
  describe: (match) => `${match.negated ? 'not ' : ''}in set ${match.name}`,
})
