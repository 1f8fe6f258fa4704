// The version of this program, the same as in its package.json (a test compares them).

/** Semantic version. */
export const version = '0.1.0'
