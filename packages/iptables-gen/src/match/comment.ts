import { defineMatch, type MatchDefinition } from './define.ts'

/** `-m comment --comment TEXT`: always holds. */
export interface CommentMatch {
  readonly kind: 'comment'
  readonly text: string
}

/** `-m comment`. */
export const comment: MatchDefinition<CommentMatch> = defineMatch<CommentMatch>({
  kind: 'comment',
  place: 'module',
  modules: ['comment'],
  options: { '--comment': 1 },
  print: (match) => ['--comment', match.text],
  parse: ([option]) => (option?.negated === false ? { kind: 'comment', text: option.values[0] ?? '' } : undefined),
  holds: () => true,
  describe: (match) => `"${match.text}"`,
})
