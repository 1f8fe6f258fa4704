// A match that we do not know: its words are kept, printed back, and named in traces.

import { quoteWord } from '../text/words.ts'
import { defineMatch, type MatchDefinition } from './define.ts'

/** Words of an unknown match, without `-m NAME`. An empty module stands for an unknown header option. */
export interface OpaqueMatch {
  readonly kind: 'opaque'
  readonly module: string
  readonly words: readonly string[]
}

/** Everything no other definition reads. */
export const opaque: MatchDefinition<OpaqueMatch> = defineMatch<OpaqueMatch>({
  kind: 'opaque',
  place: 'module',
  modules: [],
  options: {},
  print: (match) => match.words.map(quoteWord).join(' '),
  parse: () => undefined,
  holds: () => 'unknown',
  describe: (match) => `unknown match ${match.module === '' ? '' : `${match.module} `}${match.words.join(' ')}`.trim(),
})
