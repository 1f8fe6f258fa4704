// Corefile text → blocks of directives, imports and environment expanded. What directives mean is checked in
// `server-plans.ts`; here only braces, keys and lines count.

import type { Problem } from '@kubewire/kube-model'
import { corefileProblem } from './corefile-problem.ts'
import type { CorefileBlock, Directive, DirectiveToken } from './directive.ts'
import { expandImports, type ImportFiles } from './expand-imports.ts'
import { expandEnvironment, lexCorefile, type Token } from './lex.ts'

/** A Corefile taken apart. */
export interface Corefile {
  readonly blocks: readonly CorefileBlock[]
  readonly problems: readonly Problem[]
}

/** What a Corefile may refer to. */
export interface CorefileSurroundings {
  readonly environment: (name: string) => string | undefined
  readonly files: ImportFiles
}

/** A Corefile that refers to nothing. */
export const noSurroundings: CorefileSurroundings = { environment: () => undefined, files: { read: () => [] } }

/**
 * Parses a Corefile. Problems (`DNS_COREFILE_SYNTAX`) carry file and line; the blocks before a broken one are still
 * returned.
 */
export function parseCorefile(
  text: string,
  fileName: string,
  surroundings: CorefileSurroundings = noSurroundings,
): Corefile {
  const problems: Problem[] = []
  const expanded = expandImports(lexCorefile(text, fileName), surroundings.files, problems)
  const tokens = expanded.map((token) => ({ ...token, text: expandEnvironment(token.text, surroundings.environment) }))
  const reader = new TokenReader(tokens, problems)
  const blocks: CorefileBlock[] = []
  while (problems.length === 0 && !reader.isAtEnd()) blocks.push(readBlock(reader))
  return { blocks: blocks.filter((block) => block.keys.length > 0), problems }
}

/** A position in the words of a file. */
class TokenReader {
  private at = 0
  private readonly tokens: readonly Token[]
  private readonly problems: Problem[]

  constructor(tokens: readonly Token[], problems: Problem[]) {
    this.tokens = tokens
    this.problems = problems
  }

  isAtEnd(): boolean {
    return this.at >= this.tokens.length || this.problems.length > 0
  }

  peek(): Token | undefined {
    return this.tokens[this.at]
  }

  take(): Token | undefined {
    return this.tokens[this.at++]
  }

  last(): DirectiveToken {
    return this.tokens[Math.min(this.at, this.tokens.length) - 1] ?? { text: '', file: '', line: 1 }
  }

  fail(text: string, at: DirectiveToken = this.last()): void {
    if (this.problems.length === 0) this.problems.push(corefileProblem(text, at))
  }
}

function readBlock(reader: TokenReader): CorefileBlock {
  const keys: DirectiveToken[] = []
  let isExpectingKey = true
  while (!reader.isAtEnd()) {
    const token = reader.peek()
    if (token === undefined || token.text === '{') break
    if (!isExpectingKey && token.startsLine && keys.length > 0) break
    reader.take()
    const hasComma = token.text.endsWith(',')
    for (const key of token.text.split(',')) if (key !== '') keys.push({ ...token, text: key })
    isExpectingKey = hasComma
  }
  if (reader.peek()?.text !== '{') return { keys, directives: readLines(reader, 'file') }
  if (isExpectingKey && keys.length > 0) {
    reader.fail(`Expected another address but had '{' - check for extra comma`, reader.peek())
  }
  reader.take()
  return { keys, directives: readLines(reader, 'server block') }
}

/** A server block at the end of the file may lack its brace behind the one of a directive, as in the original. */
function readLines(reader: TokenReader, until: 'server block' | 'braces' | 'file'): Directive[] {
  const lines: Directive[] = []
  for (;;) {
    const token = reader.peek()
    if (token === undefined) {
      const { text } = reader.last()
      if (until === 'braces') reader.fail(`Unexpected EOF`)
      if (until === 'server block' && text !== '}')
        reader.fail(`Syntax error: Unexpected token '${text}', expecting '}'`)
      return lines
    }
    if (token.text === '}') {
      if (until === 'file') reader.fail(`Unexpected '}' because no matching opening brace`, token)
      reader.take()
      return lines
    }
    if (reader.isAtEnd()) return lines
    lines.push(readLine(reader))
  }
}

function readLine(reader: TokenReader): Directive {
  const name = reader.take() ?? reader.last()
  const args: DirectiveToken[] = []
  let block: Directive[] | undefined
  for (;;) {
    const token = reader.peek()
    if (token === undefined || token.startsLine || token.text === '}') break
    reader.take()
    if (token.text === '{') {
      block = readLines(reader, 'braces')
      break
    }
    args.push(token)
  }
  const end = reader.last()
  return block === undefined ? { name, args, end } : { name, args, block, end }
}
