// Regular expressions in Go's RE2 syntax as JavaScript expressions, with Go's messages for what does not compile.

/** Why an expression does not compile. */
export interface RegexpError {
  /** `error parsing regexp: missing closing ): ...`, as Go prints it. */
  readonly error: string
}

/**
 * The JavaScript form of a Go expression, or what is wrong with it. Named groups, `\A`, `\z`, `\Q...\E`, POSIX and
 * Unicode classes are translated; what RE2 lacks (look-around, back references) is refused. A flag such as `(?i)` counts
 * for the whole expression wherever it stands.
 */
export function compileGoRegexp(text: string): RegExp | RegexpError {
  const state: State = { text, at: 0, depth: 0, out: '', flags: new Set(), isRepeatable: false, isRepeated: false }
  while (state.at < text.length) {
    const wrong = translateOne(state)
    if (wrong !== undefined) return { error: `error parsing regexp: ${wrong}` }
  }
  if (state.depth > 0) return { error: `error parsing regexp: missing closing ): ${tick(text)}` }
  try {
    return new RegExp(state.out, [...state.flags].join(''))
  } catch {
    return { error: `error parsing regexp: invalid or unsupported Perl syntax: ${tick(text)}` }
  }
}

/** How many groups an expression captures. */
export function countGroups(pattern: RegExp): number {
  return (new RegExp(`${pattern.source}|`, pattern.flags).exec('')?.length ?? 1) - 1
}

interface State {
  readonly text: string
  at: number
  depth: number
  out: string
  readonly flags: Set<string>
  /** Whether a repetition may follow, and whether one stands just before. */
  isRepeatable: boolean
  isRepeated: boolean
}

function tick(text: string): string {
  return `\`${text}\``
}

/** Translates what stands at `state.at`; the message when it is wrong. */
function translateOne(state: State): string | undefined {
  const { text, at } = state
  const rest = text.slice(at)
  const c = text[at] ?? ''
  if (/^[*+?]/.test(c) || /^\{[0-9]+(?:,[0-9]*)?\}/.test(rest)) return translateRepetition(state, rest)
  state.isRepeatable = true
  state.isRepeated = false
  switch (c) {
    case '(':
      state.isRepeatable = false
      return openGroup(state, rest)
    case ')':
      state.depth--
      if (state.depth < 0) return `unexpected ): ${tick(text)}`
      return take(state, ')', 1)
    case '|':
    case '^':
      state.isRepeatable = c === '^'
      return take(state, c, 1)
    case '[':
      return translateClass(state, rest)
    case '\\':
      return translateEscape(state, rest)
    case '{':
    case '}':
    case ']':
      return take(state, `\\${c}`, 1)
    default:
      return take(state, c, 1)
  }
}

function take(state: State, out: string, length: number): undefined {
  state.out += out
  state.at += length
}

function translateRepetition(state: State, rest: string): string | undefined {
  const [operator = '', ...counts] = /^(?:[*+?]|\{([0-9]+)(?:,([0-9]*))?\})\??/.exec(rest) ?? []
  if (!state.isRepeatable && !state.isRepeated) return `missing argument to repetition operator: ${tick(operator)}`
  if (state.isRepeated) return `invalid nested repetition operator: ${tick(`${lastRepetition(state.out)}${operator}`)}`
  const [low = 0, high = low] = counts.flatMap((count) => (count === undefined || count === '' ? [] : [Number(count)]))
  if (low > 1000 || high > 1000 || high < low) return `invalid repeat count: ${tick(operator.replace(/\?$/, ''))}`
  state.isRepeatable = false
  state.isRepeated = true
  return take(state, operator, operator.length)
}

function lastRepetition(out: string): string {
  return /(?:[*+?]|\{[0-9,]+\})\??$/.exec(out)?.[0] ?? ''
}

function openGroup(state: State, rest: string): string | undefined {
  state.depth++
  if (!rest.startsWith('(?')) return take(state, '(', 1)
  const named = /^\(\?P?<([^>]*)>/.exec(rest)
  if (named && !/^\(\?<[=!]/.test(rest)) {
    const [whole, name = ''] = named
    return /^[A-Za-z0-9_]+$/.test(name)
      ? take(state, `(?<${jsName(name)}>`, whole.length)
      : `invalid named capture: ${tick(whole)}`
  }
  const flags = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest)
  if (flags === null || flags[1]?.includes('U')) return `invalid or unsupported Perl syntax: ${tick(badSyntax(rest))}`
  const [whole, on = '', , end] = flags
  for (const flag of on) state.flags.add(flag)
  if (end === ':') return take(state, '(?:', whole.length)
  state.depth--
  return take(state, '', whole.length)
}

/** JavaScript wants names that begin with a letter; Go takes digits. */
function jsName(name: string): string {
  return /^[0-9]/.test(name) ? `_${name}` : name
}

function badSyntax(rest: string): string {
  return /^\(\?<?[^:)]?/.exec(rest)?.[0] ?? rest
}

function translateEscape(state: State, rest: string): string | undefined {
  const quoted = /^\\Q(.*?)(?:\\E|$)/s.exec(rest)
  if (quoted) return take(state, (quoted[1] ?? '').replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), quoted[0].length)
  const unicode = /^\\([pP])(?:\{(\^?)(\w+)\}|(\w))/.exec(rest)
  if (unicode) {
    state.flags.add('u')
    const [whole, letter = 'p', negation, long, short] = unicode
    const isNegated = (letter === 'P') !== (negation === '^')
    return take(state, `\\${isNegated ? 'P' : 'p'}{${long ?? short}}`, whole.length)
  }
  const hex = /^\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/.exec(rest)
  if (hex) {
    return take(state, `\\u${(hex[1] ?? hex[2] ?? '').padStart(4, '0')}`, hex[0].length)
  }
  const c = rest[1]
  if (c === undefined) return `trailing backslash at end of expression: ${tick('')}`
  if (c === 'A') return take(state, '^', 2)
  if (c === 'z') return take(state, '$', 2)
  if (c === 'a') return take(state, '\\u0007', 2)
  if (/[dDwWsSbBfnrtv]/.test(c) || /[^0-9A-Za-z]/.test(c)) return take(state, `\\${c}`, 2)
  return `invalid escape sequence: ${tick(`\\${c}`)}`
}

/** A bracketed class; POSIX names become ranges. */
function translateClass(state: State, rest: string): string | undefined {
  const match = /^\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]/.exec(rest)
  if (match === null) return `missing closing ]: ${tick(rest)}`
  const [whole] = match
  const isNegated = whole[1] === '^'
  let inner = whole.slice(isNegated ? 2 : 1, -1)
  for (const name of inner.matchAll(/\[:(\^?\w+):\]/g)) {
    const ranges = posix[name[1] ?? '']
    if (ranges === undefined) return `invalid character class range: ${tick(name[0])}`
    inner = inner.replace(name[0], ranges)
  }
  const bad = [...inner.matchAll(/([^\\])-([^\\\]])/g)].find(([, low = '', high = '']) => low > high)
  if (bad) return `invalid character class range: ${tick(bad[0])}`
  // A bracket that is first stands for itself in Go and would end the class in JavaScript.
  const body = inner.replace(/^\]/, '\\]').replaceAll(/\[/g, '\\[')
  return take(state, `[${isNegated ? '^' : ''}${body}]`, whole.length)
}

const posix: { readonly [name: string]: string } = {
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  upper: 'A-Z',
  space: '\\t\\n\\v\\f\\r ',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
  punct: '!-\\/:-@\\[-`{-~',
}
