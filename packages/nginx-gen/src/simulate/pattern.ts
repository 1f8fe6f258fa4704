// PCRE patterns of a configuration as JavaScript expressions. What JavaScript cannot say is reported, not guessed.

const cache = new Map<string, RegExp | undefined>()

/**
 * Compiles a pattern; `undefined` where JavaScript has no equal.
 *
 * @param ignoresCase - for `~*`
 */
export function compilePattern(pattern: string, ignoresCase: boolean): RegExp | undefined {
  const key = `${ignoresCase ? 'i' : ''}/${pattern}`
  if (cache.has(key)) return cache.get(key)
  const compiled = compile(pattern, ignoresCase)
  if (cache.size > 10_000) cache.clear()
  cache.set(key, compiled)
  return compiled
}

/** Groups of a match as nginx variables: `1`, `2`, … and names. */
export function capturesOf(match: RegExpExecArray): ReadonlyMap<string, string> {
  const captures = new Map<string, string>()
  match.slice(1).forEach((text, index) => {
    captures.set(String(index + 1), text ?? '')
  })
  for (const [name, text] of Object.entries(match.groups ?? {})) captures.set(name, text ?? '')
  return captures
}

function compile(pattern: string, ignoresCase: boolean): RegExp | undefined {
  let text = pattern
  let flags = ignoresCase ? 'i' : ''
  const inline = /^\(\?([a-z]+)\)/.exec(text)
  if (inline !== null) {
    text = text.slice(inline[0].length)
    for (const flag of inline[1] ?? '') if ('ims'.includes(flag) && !flags.includes(flag)) flags += flag
  }
  // PCRE spells named groups in three ways; \A, \z and \Z are anchors.
  text = text.replaceAll(/\(\?P?<(?![=!])|\(\?'(\w+)'/g, (_, quoted?: string) => (quoted ? `(?<${quoted}>` : '(?<'))
  text = text
    .replaceAll(/\\A/g, '^')
    .replaceAll(/\\[zZ]/g, '$')
    .replaceAll(/([*+?}])\+/g, '$1')
  try {
    return new RegExp(text, flags)
  } catch {
    return undefined
  }
}
