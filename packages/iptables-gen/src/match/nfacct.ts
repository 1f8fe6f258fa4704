import { quoteWord } from '../text/words.ts'
import { defineMatch, type MatchDefinition } from './define.ts'

/** `-m nfacct --nfacct-name NAME`: counts, always holds. */
export interface NfacctMatch {
  readonly kind: 'nfacct'
  readonly name: string
}

/** `-m nfacct`. */
export const nfacct: MatchDefinition<NfacctMatch> = defineMatch<NfacctMatch>({
  kind: 'nfacct',
  place: 'module',
  modules: ['nfacct'],
  options: { '--nfacct-name': 1 },
  // iptables-save 1.8.9 prints two blanks before the name.
  print: (match, { form }) => `--nfacct-name ${form === 'save' ? ' ' : ''}${quoteWord(match.name)}`,
  parse: ([option]) => (option?.values[0] ? { kind: 'nfacct', name: option.values[0] } : undefined),
  holds: () => true,
  describe: (match) => `counted in ${match.name}`,
})
