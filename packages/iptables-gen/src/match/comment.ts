import { forceQuotes } from '../text/words.ts'
import { defineMatch, type MatchDefinition } from './define.ts'

/** `-m comment --comment TEXT`: always holds. */
export interface CommentMatch {
  readonly kind: 'comment'
  readonly text: string
}

const bareText = /^[\w.:/-]+$/

/** `-m comment`. */
export const comment: MatchDefinition<CommentMatch> = defineMatch<CommentMatch>({
  kind: 'comment',
  place: 'module',
  modules: ['comment'],
  options: { '--comment': 1 },
  // iptables-save quotes every comment, kube-proxy those that hold more than a name.
  print: ({ text }, { form }) => `--comment ${form === 'save' || !bareText.test(text) ? forceQuotes(text) : text}`,
  parse: ([option]) => (option?.negated === false ? { kind: 'comment', text: option.values[0] ?? '' } : undefined),
  holds: () => true,
  describe: (match) => `"${match.text}"`,
})
