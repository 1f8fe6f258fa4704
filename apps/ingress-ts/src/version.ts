// What we are, and whom we stand in for.

/** Version of this program. */
export const version = '0.1.0'

/** Release whose flags, annotations and metrics we follow. */
export const originalVersion = 'v1.15.1'
