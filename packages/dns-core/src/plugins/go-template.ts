// Go text templates → functions from data to text: actions, pipelines, variables, if, range, with, comments, trim markers
// (Go text/template). Unknown functions and syntax are refused when the Corefile is read, never when a question is answered.

import { type TemplateFunction, templateFunctions } from './go-template-functions.ts'
import { printValue, type TemplateObject, type TemplateValue } from './go-template-values.ts'

/** A compiled template: data in, text out. Throws what a Go template would report as an error. */
export type Template = (data: TemplateObject) => string

/** What an action sees: the dot, the data at the start (`$`), and variables. */
interface Frame {
  readonly dot: TemplateValue
  readonly variables: Map<string, TemplateValue>
}

type Expression = (frame: Frame, piped?: TemplateValue) => TemplateValue
type Part = (frame: Frame) => string

/** Compiles a template, or says what is wrong with it. */
export function compileTemplate(text: string): Template | { readonly error: string } {
  try {
    const reader: Reader = { pieces: splitActions(text), at: 0, variables: new Set(['$']) }
    const parts = readParts(reader)
    const rest = reader.pieces[reader.at]
    if (rest !== undefined) return { error: `unexpected {{${rest.text}}}` }
    return (data) => render(parts, { dot: data, variables: new Map([['$', data]]) })
  } catch (cause) {
    return { error: cause instanceof Error ? cause.message : String(cause) }
  }
}

function render(parts: readonly Part[], frame: Frame): string {
  return parts.map((part) => part(frame)).join('')
}

interface Piece {
  readonly isAction: boolean
  readonly text: string
}

interface Reader {
  readonly pieces: readonly Piece[]
  at: number
  /** Variables declared so far; one that is not is a mistake. */
  variables: Set<string>
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

/** Reads up to an `end`, an `else` or the end of the text. */
function readParts(reader: Reader): Part[] {
  const parts: Part[] = []
  for (; reader.at < reader.pieces.length; reader.at++) {
    const piece = reader.pieces[reader.at]
    if (piece === undefined) break
    if (!piece.isAction) {
      parts.push(() => piece.text)
      continue
    }
    const [keyword = ''] = /^[a-z]+/.exec(piece.text) ?? []
    if (keyword === 'end' || keyword === 'else') return parts
    if (keyword === 'if' || keyword === 'range' || keyword === 'with') parts.push(readControl(reader, keyword))
    else parts.push(readAction(piece.text, reader))
  }
  return parts
}

function readAction(text: string, reader: Reader): Part {
  const { names, declares, expression } = readAssignment(text, reader)
  return (frame) => {
    const value = expression(frame)
    const [name] = names
    if (name === undefined) return printValue(value)
    if (!declares && !frame.variables.has(name)) throw new Error(`undefined variable: ${name}`)
    frame.variables.set(name, value)
    return ''
  }
}

/** `$a := pipeline`, `$i, $a := pipeline`, `$a = pipeline`, or a pipeline alone. */
function readAssignment(
  text: string,
  reader: Reader,
): { readonly names: readonly string[]; readonly declares: boolean; readonly expression: Expression } {
  const match = /^(\$\w+)(?:\s*,\s*(\$\w+))?\s*(:?=)\s*/.exec(text)
  const names = match === null ? [] : [match[1], match[2]].flatMap((name) => (name === undefined ? [] : [name]))
  const declares = match?.[3] === ':='
  const expression = compilePipeline(match === null ? text : text.slice(match[0].length), reader)
  if (declares) for (const name of names) reader.variables.add(name)
  else
    for (const name of names)
      if (!reader.variables.has(name)) throw new Error(`undefined variable ${JSON.stringify(name)}`)
  return { names, declares, expression }
}

type Keyword = 'if' | 'range' | 'with'

function readControl(reader: Reader, keyword: Keyword): Part {
  const text = (reader.pieces[reader.at]?.text ?? '').replace(/^(?:else\s+)?(?:if|range|with)\b\s*/, '')
  if (text === '') throw new Error(`missing value for ${keyword}`)
  const outer = reader.variables
  reader.variables = new Set(outer)
  const head = readAssignment(text, reader)
  reader.at++
  const yes = readParts(reader)
  const no = readElse(reader, keyword)
  reader.variables = outer
  if (reader.pieces[reader.at]?.text !== 'end') throw new Error('unexpected EOF')
  return (frame) => {
    const scope: Frame = { dot: frame.dot, variables: new Map(frame.variables) }
    const value = head.expression(scope)
    if (keyword === 'range') return renderRange(value, head.names, yes, no, scope)
    const [name] = head.names
    if (name !== undefined) scope.variables.set(name, value)
    if (!isTrue(value)) return render(no, scope)
    return render(yes, keyword === 'with' ? { ...scope, dot: value } : scope)
  }
}

/** The branch behind `else`; `else if` and `else with` are a control of their own that shares its `end`. */
function readElse(reader: Reader, keyword: Keyword): Part[] {
  const text = reader.pieces[reader.at]?.text ?? ''
  const chained = /^else\s+(if|with)\b/.exec(text)?.[1] as Keyword | undefined
  if (chained !== undefined && keyword !== 'range') return [readControl(reader, chained)]
  if (text !== 'else') return []
  reader.at++
  return readParts(reader)
}

function renderRange(
  value: TemplateValue,
  names: readonly string[],
  yes: readonly Part[],
  no: readonly Part[],
  scope: Frame,
): string {
  const entries = entriesOf(value)
  if (entries.length === 0) return render(no, scope)
  return entries
    .map(([key, item]) => {
      const variables = new Map(scope.variables)
      const [first, second] = names
      if (second !== undefined) variables.set(second, item)
      if (first !== undefined) variables.set(first, second === undefined ? item : key)
      return render(yes, { dot: item, variables })
    })
    .join('')
}

function entriesOf(value: TemplateValue): [TemplateValue, TemplateValue][] {
  if (Array.isArray(value)) return value.map((item: TemplateValue, i) => [i, item])
  if (typeof value === 'number') return Array.from({ length: Math.max(0, value) }, (_, i) => [i, i])
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value as TemplateObject).sort(([a], [b]) => (a < b ? -1 : 1))
    return entries.map(([key, item]) => [key, typeof item === 'function' ? item() : item])
  }
  if (value === undefined) return []
  throw new Error(`range can't iterate over ${printValue(value)}`)
}

interface WordReader {
  readonly words: readonly string[]
  readonly variables: ReadonlySet<string>
  at: number
}

function compilePipeline(text: string, { variables }: Reader): Expression {
  const words = text.match(/"(?:[^"\\]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)*'|[()|]|[^\s()|]+/g) ?? []
  const reader: WordReader = { words, variables, at: 0 }
  const expression = readPipeline(reader)
  if (reader.at < words.length) throw new Error(`unexpected ${JSON.stringify(words[reader.at])} in action`)
  return expression
}

function readPipeline(reader: WordReader): Expression {
  let expression = readCall(reader)
  while (reader.words[reader.at] === '|') {
    reader.at++
    const left = expression
    const right = readCall(reader)
    expression = (frame, piped) => right(frame, left(frame, piped))
  }
  return expression
}

function readCall(reader: WordReader): Expression {
  const head = reader.words[reader.at]
  if (head === undefined) throw new Error('missing value for command')
  const known: TemplateFunction | undefined = Object.hasOwn(templateFunctions, head)
    ? templateFunctions[head]
    : undefined
  if (known !== undefined) reader.at++
  const operands: Expression[] = []
  for (let word = reader.words[reader.at]; word !== undefined && word !== '|' && word !== ')'; ) {
    operands.push(readOperand(reader))
    word = reader.words[reader.at]
  }
  if (known !== undefined) {
    return (frame, piped) => known(operands.map((o) => o(frame)).concat(piped === undefined ? [] : [piped]))
  }
  const [first, ...args] = operands
  if (first === undefined) throw new Error('missing value for command')
  // A field may be a function: `.Meta "kubernetes/client-namespace"`.
  return (frame, piped) => {
    const given = args.map((arg) => arg(frame)).concat(piped === undefined ? [] : [piped])
    return given.length === 0 ? first(frame) : callField(head, frame, given)
  }
}

function readOperand(reader: WordReader): Expression {
  const word = reader.words[reader.at++] ?? ''
  if (word === '(') {
    const inner = readPipeline(reader)
    if (reader.words[reader.at++] !== ')') throw new Error('unclosed left paren')
    const next = reader.words[reader.at] ?? ''
    if (!/^\.\w/.test(next)) return (frame) => inner(frame)
    // `(index .List 0).Field`
    reader.at++
    return (frame) => pathOf(next).reduce<TemplateValue>(fieldOf, inner(frame))
  }
  if (word.startsWith('"')) {
    const value = JSON.parse(word) as string
    return () => value
  }
  if (word.startsWith('`')) return () => word.slice(1, -1)
  if (/^'(?:[^\\]|\\.)'$/s.test(word)) return () => word.replace(/^'\\?|'$/g, '').codePointAt(0) ?? 0
  if (/^[+-]?(?:[0-9]+(?:\.[0-9]+)?|0x[0-9a-fA-F]+)$/.test(word)) return () => Number(word)
  if (word === 'true' || word === 'false') return () => word === 'true'
  if (word === 'nil') return () => undefined
  const named = /^(\$\w*)?(\.[\w.]*)?$/.exec(word)
  if (word !== '' && named !== null) {
    const variable = named[1]
    if (variable !== undefined && !reader.variables.has(variable)) {
      throw new Error(`undefined variable ${JSON.stringify(variable)}`)
    }
    const path = pathOf(named[2] ?? '')
    return (frame) =>
      path.reduce<TemplateValue>(fieldOf, variable === undefined ? frame.dot : frame.variables.get(variable))
  }
  throw new Error(`function ${JSON.stringify(word)} not defined`)
}

function pathOf(text: string): string[] {
  return text.split('.').filter((part) => part !== '')
}

function fieldOf(value: TemplateValue, name: string): TemplateValue {
  const found = memberOf(value, name)
  return typeof found === 'function' ? found() : found
}

function memberOf(value: TemplateValue, name: string): TemplateObject[string] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`can't evaluate field ${name}`)
  }
  const object = value as TemplateObject
  // Maps have a missing entry, structures must have the field.
  if (!Object.hasOwn(object, name) && object['isStructure'] === true) throw new Error(`can't evaluate field ${name}`)
  return object[name]
}

function callField(path: string, frame: Frame, args: readonly TemplateValue[]): TemplateValue {
  const names = pathOf(path)
  const last = names.pop()
  const variable = path.startsWith('$') ? names.shift() : undefined
  const start = variable === undefined ? frame.dot : frame.variables.get(variable)
  const method = last === undefined ? undefined : memberOf(names.reduce<TemplateValue>(fieldOf, start), last)
  if (typeof method !== 'function') throw new Error(`${path} has arguments but cannot be invoked as function`)
  return method(...args)
}

function isTrue(value: TemplateValue): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== '' && value !== 0 && value !== false
}
