// Codes of the problems of this package; a retired code is never used again.

/** What each code means, one line each; `docs/errors.md` is generated from it. */
export const nginxProblemCodes = {
  NGX_CONFIG_SYNTAX: 'A configuration text that nginx cannot read at this place.',
  NGX_CONFIG_DIRECTIVE: 'A directive in a wrong place, with a wrong number of arguments, or with a value nginx refuses.',
} as const

/** A code of this package. */
export type NginxProblemCode = keyof typeof nginxProblemCodes
