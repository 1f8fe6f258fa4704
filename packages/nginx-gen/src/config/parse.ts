// nginx text to tree. Never throws: a broken statement becomes a problem with its place, and reading goes on.

import type { Problem, WithProblems } from '@kubewire/kube-model'
import type { NginxProblemCode } from '../problem-codes.ts'
import { lexStatement, positionOf, type Statement } from './lex.ts'
import { endOfLua } from './lex-lua.ts'
import { type Argument, type ConfigNode, type ConfigPosition, type ConfigTree, interpolated } from './node.ts'

/**
 * Reads a configuration as nginx would: quotes and escapes are gone from the arguments, conditions of `if` lose
 * their parentheses, Lua blocks keep their code. `include` is not followed.
 *
 * @param fileName - shown in problems
 * @returns the tree, with `NGX_CONFIG_SYNTAX` for what could not be read
 */
export function parseConfig(text: string, fileName = 'nginx.conf'): WithProblems<ConfigTree> {
  const reading: Reading = { text, fileName, problems: [], lines: lineStarts(text), at: 0 }
  const nodes: ConfigNode[] = []
  for (;;) {
    const { children, isClosed } = parseChildren(reading)
    for (const node of children) nodes.push(node)
    if (!isClosed) return { value: nodes, problems: reading.problems }
    report(reading, 'unexpected "}"', reading.at - 1)
  }
}

interface Reading {
  readonly text: string
  readonly fileName: string
  readonly problems: Problem[]
  readonly lines: readonly number[]
  at: number
}

// Reads up to the `}` of the block (which is taken) or the end of the text.
function parseChildren(reading: Reading): { readonly children: ConfigNode[]; readonly isClosed: boolean } {
  const children: ConfigNode[] = []
  for (;;) {
    const statement = lexStatement(reading.text, reading.at)
    reading.at = statement.next
    if (statement.kind === 'end' || statement.kind === 'close')
      return { children, isClosed: statement.kind === 'close' }
    if (statement.kind === 'error') report(reading, statement.words[0] ?? '', statement.start)
    else children.push(parseStatement(reading, statement))
  }
}

function parseStatement(reading: Reading, statement: Statement): ConfigNode {
  const position = place(reading, statement.start)
  const [name = '', ...words] = statement.words
  if (statement.kind === 'comment') return { kind: 'comment', text: name, position }
  const args = words.map(interpolated)
  if (statement.kind === 'simple') return { kind: 'directive', name, args, position }
  if (/^\w+_by_lua_block$/.test(name)) return parseLua(reading, name, position)
  const { children, isClosed } = parseChildren(reading)
  if (!isClosed) {
    report(reading, `expected "}" that closes ${name}, found the end of the file`, statement.start)
  }
  return { kind: 'block', name, args: name === 'if' ? conditionOf(reading, statement) : args, children, position }
}

function parseLua(reading: Reading, name: string, position: ConfigPosition): ConfigNode {
  const end = endOfLua(reading.text, reading.at)
  if (end === -1) report(reading, `expected "}" that closes ${name}, found the end of the file`, reading.at)
  const code = reading.text.slice(reading.at, end === -1 ? undefined : end)
  reading.at = end === -1 ? reading.text.length : end + 1
  return { kind: 'lua', name, code: dedent(code), position }
}

// `if ($a = b)` is read as `($a`, `=`, `b)`; a quoted last word leaves `)` alone.
function conditionOf(reading: Reading, statement: Statement): Argument[] {
  const words = statement.words.slice(1)
  if (!words[0]?.startsWith('(') || !words.at(-1)?.endsWith(')')) {
    report(reading, 'expected a condition in parentheses behind if', statement.start)
  }
  if (words[0] === '(') words.shift()
  else if (words[0]?.startsWith('(')) words[0] = words[0].slice(1)
  const last = words.length - 1
  if (words[last] === ')') words.pop()
  else if (words[last]?.endsWith(')')) words[last] = words[last].slice(0, -1)
  return words.map(interpolated)
}

function dedent(code: string): string {
  const lines = code.split('\n').map((line) => line.trimEnd())
  while (lines[0] === '') lines.shift()
  while (lines.at(-1) === '') lines.pop()
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length)
  const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER)
  return lines.map((line) => line.slice(indent)).join('\n')
}

function report(reading: Reading, message: string, offset: number): void {
  reading.problems.push({
    code: 'NGX_CONFIG_SYNTAX' satisfies NginxProblemCode,
    severity: 'error',
    object: { kind: 'File', name: reading.fileName },
    path: '',
    message,
    fallback: 'the statement is left out',
    position: { file: reading.fileName, ...positionOf(reading.text, offset) },
  })
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function place(reading: Reading, offset: number): ConfigPosition {
  let low = 0
  let high = reading.lines.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((reading.lines[middle] as number) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (reading.lines[low] as number) + 1 }
}
