// How a scenario spells what it wants: a text as it stands, or an expression between slashes.

/**
 * Whether a found text is the wanted one. Between slashes stands an expression (a closing `i` ignores letter case),
 * unless all that stands there could be a path: `/img/` is a path, `/^(404|503)$/` an expression.
 */
export function fits(wanted: unknown, found: string | undefined): boolean {
  if (found === undefined) return false
  if (String(wanted) === found) return true
  const pattern = typeof wanted === 'string' ? /^\/(.*)\/(i?)$/s.exec(wanted) : null
  const inside = pattern?.[1] ?? ''
  if (pattern === null || /^[\w./%~-]*$/.test(inside)) return false
  return new RegExp(inside, pattern[2]).test(found)
}

/** Whether a text contains the wanted one; between slashes always stands an expression. */
export function holds(wanted: string, found: string | undefined): boolean {
  if (found === undefined) return false
  const pattern = /^\/(.*)\/(i?)$/s.exec(wanted)
  return pattern === null ? found.includes(wanted) : new RegExp(pattern[1] ?? '', pattern[2]).test(found)
}
