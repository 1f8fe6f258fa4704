// Go text templates, the part that DNS templates use: fields, literals, function calls, pipes, if/else, trim markers.
// Unknown functions and syntax are refused when the Corefile is read, never when a question is answered.

/** Values that templates work with. */
export type TemplateValue = string | number | boolean | bigint | undefined | readonly TemplateValue[] | TemplateObject

/** Named values. */
export interface TemplateObject {
  readonly [name: string]: TemplateValue | ((...args: readonly TemplateValue[]) => TemplateValue)
}

/** A compiled template: data in, text out. Throws what a Go template would report as an error. */
export type Template = (data: TemplateObject) => string

type Expression = (data: TemplateObject, piped?: TemplateValue) => TemplateValue
type Part = (data: TemplateObject) => string

/** Compiles a template, or says what is wrong with it. */
export function compileTemplate(text: string): Template | { readonly error: string } {
  try {
    const pieces = splitActions(text)
    const { parts, at } = compileParts(pieces, 0, false)
    if (at < pieces.length) return { error: 'unexpected {{end}}' }
    return (data) => parts.map((part) => part(data)).join('')
  } catch (cause) {
    return { error: cause instanceof Error ? cause.message : String(cause) }
  }
}

interface Piece {
  readonly isAction: boolean
  readonly text: string
}

function splitActions(text: string): Piece[] {
  const pieces: Piece[] = []
  let rest = text
  let trimsNext = false
  for (;;) {
    const open = rest.indexOf('{{')
    const literal = open < 0 ? rest : rest.slice(0, open)
    const action = open < 0 ? '' : rest.slice(open + 2)
    const trimsBefore = /^-\s/.test(action)
    const left = trimsNext ? literal.trimStart() : literal
    pieces.push({ isAction: false, text: trimsBefore ? left.trimEnd() : left })
    if (open < 0) return pieces
    const close = /(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^"`])*?\}\}/s.exec(action)?.[0]
    if (close === undefined) throw new Error('unclosed action')
    trimsNext = /\s-\}\}$/.test(close)
    const body = close.slice(trimsBefore ? 1 : 0, trimsNext ? -3 : -2).trim()
    if (!body.startsWith('/*')) pieces.push({ isAction: true, text: body })
    rest = action.slice(close.length)
  }
}

function compileParts(pieces: readonly Piece[], start: number, isInside: boolean): { parts: Part[]; at: number } {
  const parts: Part[] = []
  let at = start
  for (; at < pieces.length; at++) {
    const piece = pieces[at]
    if (piece === undefined) break
    if (!piece.isAction) parts.push(() => piece.text)
    else if (/^(?:end|else\b.*)$/.test(piece.text)) {
      if (!isInside) throw new Error(`unexpected {{${piece.text}}}`)
      return { parts, at }
    } else if (piece.text.startsWith('if ')) {
      const compiled = compileIf(pieces, at)
      parts.push(compiled.part)
      at = compiled.at
    } else {
      const expression = compilePipeline(piece.text)
      parts.push((data) => printValue(expression(data)))
    }
  }
  if (isInside) throw new Error('unexpected EOF')
  return { parts, at }
}

function compileIf(pieces: readonly Piece[], start: number): { part: Part; at: number } {
  const condition = compilePipeline((pieces[start]?.text ?? '').replace(/^(?:else\s+)?if\s+/, ''))
  const yes = compileParts(pieces, start + 1, true)
  const word = pieces[yes.at]?.text ?? ''
  let no: Part = () => ''
  let at = yes.at
  if (word.startsWith('else if')) {
    const inner = compileIf(pieces, at)
    no = inner.part
    at = inner.at
  } else if (word === 'else') {
    const inner = compileParts(pieces, at + 1, true)
    no = (data) => inner.parts.map((part) => part(data)).join('')
    at = inner.at
  }
  return { at, part: (data) => (isTrue(condition(data)) ? yes.parts.map((part) => part(data)).join('') : no(data)) }
}

function compilePipeline(text: string): Expression {
  const words = text.match(/"(?:[^"\\]|\\.)*"|`[^`]*`|[()|]|[^\s()|]+/g) ?? []
  const reader = { words, at: 0 }
  const expression = readPipeline(reader)
  if (reader.at < words.length) throw new Error(`unexpected ${JSON.stringify(words[reader.at])} in action`)
  return expression
}

interface WordReader {
  readonly words: readonly string[]
  at: number
}

function readPipeline(reader: WordReader): Expression {
  let expression = readCall(reader)
  while (reader.words[reader.at] === '|') {
    reader.at++
    const left = expression
    const right = readCall(reader)
    expression = (data, piped) => right(data, left(data, piped))
  }
  return expression
}

function readCall(reader: WordReader): Expression {
  const head = reader.words[reader.at]
  if (head === undefined) throw new Error('missing value for command')
  const operands: Expression[] = []
  const known = Object.hasOwn(functions, head) ? functions[head] : undefined
  if (known !== undefined) reader.at++
  for (let word = reader.words[reader.at]; word !== undefined && word !== '|' && word !== ')'; ) {
    operands.push(readOperand(reader))
    word = reader.words[reader.at]
  }
  if (known !== undefined) {
    return (data, piped) => known(operands.map((o) => o(data)).concat(piped === undefined ? [] : [piped]))
  }
  const [first, ...args] = operands
  if (first === undefined) throw new Error('missing value for command')
  if (args.length === 0) return first
  // A method with arguments: `.Meta "kubernetes/client-namespace"`.
  return (data) =>
    callMethod(
      data,
      head,
      args.map((arg) => arg(data)),
    )
}

function readOperand(reader: WordReader): Expression {
  const word = reader.words[reader.at++] ?? ''
  if (word === '(') {
    const inner = readPipeline(reader)
    if (reader.words[reader.at++] !== ')') throw new Error('unclosed left paren')
    return (data) => inner(data)
  }
  if (word.startsWith('"')) {
    const value = JSON.parse(word) as string
    return () => value
  }
  if (word.startsWith('`')) return () => word.slice(1, -1)
  if (/^-?[0-9]+$/.test(word)) return () => Number(word)
  if (word === 'true' || word === 'false') return () => word === 'true'
  if (/^\.(?:[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_0-9]+)*)?$/.test(word)) {
    const path = word
      .split('.')
      .slice(1)
      .filter((part) => part !== '')
    return (data) => path.reduce<TemplateValue>(fieldOf, data)
  }
  throw new Error(`function ${JSON.stringify(word)} not defined`)
}

function fieldOf(value: TemplateValue, name: string): TemplateValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`can't evaluate field ${name}`)
  }
  const found = (value as TemplateObject)[name]
  return typeof found === 'function' ? found() : found
}

function callMethod(data: TemplateObject, path: string, args: readonly TemplateValue[]): TemplateValue {
  const method = data[path.slice(1)]
  if (typeof method !== 'function') throw new Error(`${path} has arguments but cannot be invoked as function`)
  return method(...args)
}

function printValue(value: TemplateValue): string {
  // COMPAT: a missing map entry prints like this (Go text/template).
  if (value === undefined) return '<no value>'
  if (Array.isArray(value)) return `[${value.map(printValue).join(' ')}]`
  return String(value)
}

function isTrue(value: TemplateValue): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== '' && value !== 0 && value !== false
}

const functions: { readonly [name: string]: (args: readonly TemplateValue[]) => TemplateValue } = {
  index: ([value, ...keys]) =>
    keys.reduce<TemplateValue>((at, key) => {
      if (Array.isArray(at)) {
        if (typeof key !== 'number' || key < 0 || key >= at.length)
          throw new Error(`index out of range: ${printValue(key)}`)
        return at[key]
      }
      return (at as TemplateObject)[String(key)] as TemplateValue
    }, value),
  len: ([value]) => (Array.isArray(value) ? value.length : String(value).length),
  not: ([value]) => !isTrue(value),
  and: (args) => args.find((arg) => !isTrue(arg)) ?? args[args.length - 1],
  or: (args) => args.find(isTrue) ?? args[args.length - 1],
  eq: ([first, ...others]) => others.includes(first),
  ne: ([a, b]) => a !== b,
  lt: ([a, b]) => (a ?? 0) < (b ?? 0),
  le: ([a, b]) => (a ?? 0) <= (b ?? 0),
  gt: ([a, b]) => (a ?? 0) > (b ?? 0),
  ge: ([a, b]) => (a ?? 0) >= (b ?? 0),
  print: (args) => args.map(printValue).join(''),
  printf: ([format, ...args]) => formatText(String(format), args),
  // Go strconv.ParseUint(text, base, bits), as CoreDNS offers it to templates.
  parseInt: ([text, base]) => {
    const digits = String(text)
    const radix = Number(base)
    const value = Number.parseInt(digits, radix)
    if (digits === '' || value.toString(radix) !== digits.toLowerCase().replace(/^0+(?=.)/, '')) {
      throw new Error(`strconv.ParseUint: parsing ${JSON.stringify(digits)}: invalid syntax`)
    }
    return value
  },
}

function formatText(format: string, args: readonly TemplateValue[]): string {
  let at = 0
  return format.replaceAll(/%(0?)([0-9]*)([%dsvxXq])/g, (_, zero: string, width: string, verb: string) => {
    if (verb === '%') return '%'
    const value = args[at++]
    const text =
      verb === 'x'
        ? Number(value).toString(16)
        : verb === 'X'
          ? Number(value).toString(16).toUpperCase()
          : printValue(value)
    return (verb === 'q' ? JSON.stringify(text) : text).padStart(Number(width || 0), zero === '0' ? '0' : ' ')
  })
}
