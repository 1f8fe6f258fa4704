// The constant start of an expression, so that the router need not try those that cannot match.

/** Lower-case text that every match of `^pattern` starts with; empty where the pattern says nothing for sure. */
export function literalStart(pattern: string): string {
  if (hasTopLevelChoice(pattern) || pattern.includes('(?') || pattern.includes('\\Q')) return ''
  const [plain = ''] = /^[A-Za-z0-9/_~!@%&=:;,'"<>#-]*/.exec(pattern) ?? []
  const next = pattern[plain.length] ?? ''
  const isOptional = next !== '' && '?*{'.includes(next)
  return (isOptional ? plain.slice(0, -1) : plain).toLowerCase()
}

function hasTopLevelChoice(pattern: string): boolean {
  let depth = 0
  let isClass = false
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]
    if (char === '\\') at++
    else if (isClass) isClass = char !== ']'
    else if (char === '[') isClass = true
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === '|' && depth <= 0) return true
  }
  return false
}
