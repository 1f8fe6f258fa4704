// Expressions of the view plugin: calls, texts, numbers, comparisons, `in`, `matches`, and/or/not. The part of the
// language (expr-lang) that Corefiles use; anything else is refused when the Corefile is read.

import { contains, parseCidr, parseIp } from '@kubewire/kube-model'
import { foldName } from '../name.ts'
import type { Query } from '../query.ts'
import { className, typeName } from '../record-types.ts'
import { compileGoRegexp } from './go-regexp.ts'

type Value = string | number | boolean | readonly Value[]
type Expression = (query: Query) => Value

/** Compiles an expression to a test of questions, or says what is wrong with it. */
export function compileViewExpression(text: string): ((query: Query) => boolean) | { readonly error: string } {
  const words =
    text.match(
      /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|==|!=|<=|>=|&&|\|\||[A-Za-z_][A-Za-z_0-9]*|[0-9]+|[()[\],!<>]|\S/g,
    ) ?? []
  try {
    const reader = { words, at: 0 }
    const expression = readOr(reader)
    if (reader.at < words.length) return { error: `unexpected token ${JSON.stringify(words[reader.at])}` }
    return (query) => expression(query) === true
  } catch (cause) {
    return { error: cause instanceof Error ? cause.message : String(cause) }
  }
}

interface Reader {
  readonly words: readonly string[]
  at: number
}

function readOr(reader: Reader): Expression {
  let left = readAnd(reader)
  while (takeOne(reader, ['||', 'or'])) {
    const [a, b] = [left, readAnd(reader)]
    left = (query) => a(query) === true || b(query) === true
  }
  return left
}

function readAnd(reader: Reader): Expression {
  let left = readNot(reader)
  while (takeOne(reader, ['&&', 'and'])) {
    const [a, b] = [left, readNot(reader)]
    left = (query) => a(query) === true && b(query) === true
  }
  return left
}

function readNot(reader: Reader): Expression {
  if (!takeOne(reader, ['!', 'not'])) return readComparison(reader)
  const inner = readNot(reader)
  return (query) => inner(query) !== true
}

const comparisons: { readonly [word: string]: (a: Value, b: Value) => boolean } = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  in: (a, b) => Array.isArray(b) && b.includes(a),
  startsWith: (a, b) => String(a).startsWith(String(b)),
  endsWith: (a, b) => String(a).endsWith(String(b)),
  contains: (a, b) => String(a).includes(String(b)),
  matches: (a, b) => compileGoRegexp(String(b))?.test(String(a)) ?? false,
}

function readComparison(reader: Reader): Expression {
  const left = readOperand(reader)
  const word = reader.words[reader.at] ?? ''
  const compare = Object.hasOwn(comparisons, word) ? comparisons[word] : undefined
  if (compare === undefined) return left
  reader.at++
  const right = readOperand(reader)
  return (query) => compare(left(query), right(query))
}

const functions: { readonly [name: string]: (query: Query, args: readonly Value[]) => Value } = {
  incidr: (_query, [address, prefix]) => {
    const [ip, cidr] = [parseIp(String(address)), parseCidr(String(prefix))]
    return ip !== undefined && cidr !== undefined && contains(cidr, ip)
  },
  type: (query) => typeName(query.type),
  name: (query) => foldName(query.name),
  class: (query) => className(query.class),
  proto: (query) => (query.transport === 'udp' ? 'udp' : 'tcp'),
  size: (query) => query.sizeBytes,
  client_ip: (query) => query.client.address,
  port: (query) => String(query.client.port),
  id: (query) => query.id,
  opcode: (query) => query.opcode,
  do: (query) => query.edns?.dnssecOk ?? false,
  bufsize: (query) => Math.max(512, query.edns?.udpSize ?? 512),
  server_ip: (query) => query.local.address,
  server_port: (query) => String(query.local.port),
}

function readOperand(reader: Reader): Expression {
  const word = reader.words[reader.at++]
  if (word === undefined) throw new Error('unexpected end of expression')
  if (word === '(') {
    const inner = readOr(reader)
    expect(reader, ')')
    return inner
  }
  if (word === '[') {
    const items = readList(reader, ']')
    return (query) => items.map((item) => item(query))
  }
  if (/^['"]/.test(word)) {
    const value = word.slice(1, -1).replaceAll(/\\(.)/g, '$1')
    return () => value
  }
  if (/^[0-9]+$/.test(word)) return () => Number(word)
  if (word === 'true' || word === 'false') return () => word === 'true'
  const call = Object.hasOwn(functions, word) ? functions[word] : undefined
  if (call === undefined) throw new Error(`unknown name ${word}`)
  expect(reader, '(')
  const args = readList(reader, ')')
  return (query) =>
    call(
      query,
      args.map((arg) => arg(query)),
    )
}

function readList(reader: Reader, end: string): Expression[] {
  const items: Expression[] = []
  while (!takeOne(reader, [end])) {
    items.push(readOr(reader))
    if (reader.words[reader.at] !== end) expect(reader, ',')
  }
  return items
}

function takeOne(reader: Reader, words: readonly string[]): boolean {
  const isThere = words.includes(reader.words[reader.at] ?? '')
  if (isThere) reader.at++
  return isThere
}

function expect(reader: Reader, word: string): void {
  if (!takeOne(reader, [word])) throw new Error(`expected ${word}, got ${reader.words[reader.at] ?? 'the end'}`)
}
