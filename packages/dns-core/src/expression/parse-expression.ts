// Text of an expression → its tree: the language of `view` and `template` (expr-lang).

/** One node. */
export type Expression =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: Expression, value: Expression])[] }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'choice'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: 'member'; readonly object: Expression; readonly key: Expression; readonly isOptional: boolean }
  | { readonly kind: 'slice'; readonly object: Expression; readonly from?: Expression; readonly to?: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  /** The element that a closure looks at. */
  | { readonly kind: 'element' }

/** A tree, or what is wrong with the text. */
export type ParsedExpression = { readonly expression: Expression } | { readonly error: string }

/** Parses a whole text. Messages are the original's without its picture of the place. */
export function parseExpression(text: string): ParsedExpression {
  try {
    const reader = new TokenReader(lex(text))
    const expression = readPipe(reader)
    const rest = reader.peek()
    if (rest.kind !== 'end') throw unexpected(rest)
    return { expression }
  } catch (cause) {
    if (cause instanceof ExpressionError) return { error: cause.message }
    throw cause
  }
}

/** Thrown inside this file only. */
class ExpressionError extends Error {}

interface Token {
  readonly kind: 'string' | 'number' | 'word' | 'sign' | 'end'
  readonly text: string
  readonly at: number
}

const pattern =
  /\s+|\/\/.*|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)|(?<number>0x[0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?<word>[A-Za-z_$][A-Za-z0-9_]*)|(?<sign>\?\?|\?\.|==|!=|<=|>=|&&|\|\||\*\*|\.\.|[-+*/%^!<>?:.,|#(){}[\]])/y

function lex(text: string): Token[] {
  const tokens: Token[] = []
  pattern.lastIndex = 0
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex
    const groups = pattern.exec(text)?.groups
    if (groups === undefined)
      throw new ExpressionError(`unrecognized character: ${JSON.stringify(text[at])} (1:${at + 1})`)
    for (const kind of ['string', 'number', 'word', 'sign'] as const) {
      const found = groups[kind]
      if (found !== undefined) tokens.push({ kind, text: found, at })
    }
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }]
}

class TokenReader {
  private at = 0
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  peek(): Token {
    return this.tokens[Math.min(this.at, this.tokens.length - 1)] ?? { kind: 'end', text: '', at: 0 }
  }

  take(): Token {
    const token = this.peek()
    this.at++
    return token
  }

  /** Takes the next token when it is one of these words or signs. */
  takeIf(...texts: readonly string[]): string | undefined {
    const token = this.peek()
    const isOne = (token.kind === 'word' || token.kind === 'sign') && texts.includes(token.text)
    if (!isOne) return undefined
    this.at++
    return token.text
  }

  expect(text: string): void {
    if (this.takeIf(text) === undefined) throw unexpected(this.peek())
  }
}

const kindNames = { string: 'String', number: 'Number', word: 'Identifier', sign: 'Operator', end: 'EOF' } as const

function unexpected({ kind, text, at }: Token): ExpressionError {
  if (kind === 'end') return new ExpressionError('unexpected token EOF')
  const name = /^[(){}[\]]$/.test(text) ? 'Bracket' : kindNames[kind]
  return new ExpressionError(`unexpected token ${name}(${JSON.stringify(text)}) (1:${at + 1})`)
}

/** `a | f(b)` is `f(a, b)`. */
function readPipe(reader: TokenReader): Expression {
  let left = readChoice(reader)
  while (reader.takeIf('|') !== undefined) {
    const token = reader.take()
    if (token.kind !== 'word') throw unexpected(token)
    const args = reader.takeIf('(') === undefined ? [] : readList(reader, ')')
    left = { kind: 'call', name: token.text, args: [left, ...args] }
  }
  return left
}

function readChoice(reader: TokenReader): Expression {
  const test = readBinary(reader, 0)
  if (reader.takeIf('?') === undefined) return test
  if (reader.takeIf(':') !== undefined) return { kind: 'choice', test, yes: test, no: readChoice(reader) }
  const yes = readChoice(reader)
  reader.expect(':')
  return { kind: 'choice', test, yes, no: readChoice(reader) }
}

/** Operators from the loosest to the tightest. */
const levels: readonly (readonly string[])[] = [
  ['or', '||'],
  ['and', '&&'],
  ['==', '!=', '<', '>', '<=', '>=', 'in', 'not', 'matches', 'contains', 'startsWith', 'endsWith'],
  ['..'],
  ['+', '-'],
  ['*', '/', '%'],
  ['**', '^'],
  ['??'],
]

function readBinary(reader: TokenReader, level: number): Expression {
  const operators = levels[level]
  if (operators === undefined) return readUnary(reader)
  let left = readBinary(reader, level + 1)
  for (;;) {
    const operator = reader.takeIf(...operators)
    if (operator === undefined) return left
    if (operator !== 'not') {
      left = { kind: 'binary', operator, left, right: readBinary(reader, level + 1) }
      continue
    }
    // `a not in b`
    const negated = reader.takeIf('in', 'matches', 'contains', 'startsWith', 'endsWith')
    if (negated === undefined) throw unexpected(reader.peek())
    const inner: Expression = { kind: 'binary', operator: negated, left, right: readBinary(reader, level + 1) }
    left = { kind: 'unary', operator: 'not', operand: inner }
  }
}

function readUnary(reader: TokenReader): Expression {
  const operator = reader.takeIf('!', 'not', '-', '+')
  if (operator === undefined) return readPostfix(reader, readPrimary(reader))
  return { kind: 'unary', operator: operator === '!' ? 'not' : operator, operand: readUnary(reader) }
}

function readPostfix(reader: TokenReader, start: Expression): Expression {
  let object = start
  for (;;) {
    const dot = reader.takeIf('.', '?.')
    if (dot !== undefined) {
      const token = reader.take()
      if (token.kind !== 'word') throw unexpected(token)
      object = { kind: 'member', object, key: { kind: 'value', value: token.text }, isOptional: dot === '?.' }
    } else if (reader.takeIf('[') !== undefined) object = readIndex(reader, object)
    else return object
  }
}

function readIndex(reader: TokenReader, object: Expression): Expression {
  const from = reader.peek().text === ':' ? undefined : readPipe(reader)
  if (reader.takeIf(':') === undefined) {
    reader.expect(']')
    return { kind: 'member', object, key: from ?? { kind: 'value', value: null }, isOptional: false }
  }
  const to = reader.peek().text === ']' ? undefined : readPipe(reader)
  reader.expect(']')
  return { kind: 'slice', object, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

function readPrimary(reader: TokenReader): Expression {
  const token = reader.take()
  switch (token.kind) {
    case 'string':
      return { kind: 'value', value: unquote(token.text) }
    case 'number':
      return { kind: 'value', value: Number(token.text.replaceAll('_', '')) }
    case 'word':
      return readWord(reader, token)
    case 'end':
      throw unexpected(token)
    case 'sign':
      break
  }
  switch (token.text) {
    case '(': {
      const inner = readPipe(reader)
      reader.expect(')')
      return inner
    }
    case '[':
      return { kind: 'list', items: readList(reader, ']') }
    case '{':
      return readMap(reader)
    case '#':
      return { kind: 'element' }
    case '.': {
      // `.field` inside a closure is a field of the element.
      const field = reader.take()
      if (field.kind !== 'word') throw unexpected(field)
      const key: Expression = { kind: 'value', value: field.text }
      return { kind: 'member', object: { kind: 'element' }, key, isOptional: false }
    }
    default:
      throw unexpected(token)
  }
}

const constants: { readonly [word: string]: boolean | null } = { true: true, false: false, nil: null }

function readWord(reader: TokenReader, { text }: Token): Expression {
  if (Object.hasOwn(constants, text)) return { kind: 'value', value: constants[text] ?? null }
  if (reader.takeIf('(') === undefined) return { kind: 'name', name: text }
  return { kind: 'call', name: text, args: readList(reader, ')') }
}

/** Arguments or items; a closure in braces is read without them. */
function readList(reader: TokenReader, end: string): Expression[] {
  const items: Expression[] = []
  while (reader.takeIf(end) === undefined) {
    items.push(end === ')' && reader.peek().text === '{' ? readClosure(reader) : readPipe(reader))
    if (reader.peek().text !== end) reader.expect(',')
  }
  return items
}

function readClosure(reader: TokenReader): Expression {
  reader.expect('{')
  const body = readPipe(reader)
  reader.expect('}')
  return body
}

function readMap(reader: TokenReader): Expression {
  const entries: [Expression, Expression][] = []
  while (reader.takeIf('}') === undefined) {
    const token = reader.take()
    if (token.kind !== 'string' && token.kind !== 'number' && token.kind !== 'word') {
      throw new ExpressionError(
        `a map key must be a quoted string, a number, a identifier, or an expression enclosed in parentheses (${unexpected(token).message})`,
      )
    }
    const key = token.kind === 'string' ? unquote(token.text) : token.text
    reader.expect(':')
    entries.push([{ kind: 'value', value: key }, readPipe(reader)])
    if (reader.peek().text !== '}') reader.expect(',')
  }
  return { kind: 'map', entries }
}

const escapes: { readonly [letter: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

function unquote(text: string): string {
  const inner = text.slice(1, -1)
  if (text.startsWith('`')) return inner
  return inner.replaceAll(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/gs, (_, hex, unicode, letter: string) =>
    letter === undefined ? String.fromCharCode(Number.parseInt(hex ?? unicode, 16)) : (escapes[letter] ?? letter),
  )
}
