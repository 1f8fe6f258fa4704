// Splits nginx text into statements exactly as nginx does, with the same idea of quotes, escapes and comments.
// Source: nginx 1.22 src/core/ngx_conf_file.c, ngx_conf_read_token. Knows nothing of any directive but Lua blocks.

/** One statement of the text. `next` is the offset to go on from. */
export interface Statement {
  readonly kind: 'simple' | 'open' | 'close' | 'comment' | 'end' | 'error'
  /** Name and arguments, unquoted; the text of a comment or of an error. */
  readonly words: readonly string[]
  readonly start: number
  readonly next: number
}

/** Reads the statement that begins at or after `offset`. */
export function lexStatement(text: string, offset: number): Statement {
  const words: string[] = []
  let at = offset
  let start = -1
  for (;;) {
    at = skipSpace(text, at)
    if (start === -1) start = at
    const c = text[at]
    if (c === undefined) {
      if (words.length === 0) return { kind: 'end', words: [], start, next: at }
      return failure('expected ";" or "}", found the end of the file', start, at)
    }
    if (c === '#') {
      const end = endOfLine(text, at)
      if (words.length === 0) return { kind: 'comment', words: [text.slice(at + 1, end).trim()], start: at, next: end }
      at = end
    } else if (c === ';' || c === '{') {
      if (words.length === 0) return failure(`unexpected "${c}"`, start, at + 1)
      return { kind: c === ';' ? 'simple' : 'open', words, start, next: at + 1 }
    } else if (c === '}') {
      if (words.length > 0) return failure('unexpected "}", expected ";" before it', start, at)
      return { kind: 'close', words: [], start, next: at + 1 }
    } else {
      const read = c === '"' || c === "'" ? lexQuoted(text, at) : lexBare(text, at)
      if ('error' in read) return failure(read.error, at, read.next)
      words.push(read.word)
      at = read.next
    }
  }
}

/** Line and column of an offset, both from 1. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1
  let lineStart = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
    lineStart = at + 1
  }
  return { line, column: offset - lineStart + 1 }
}

type Word = { readonly word: string; readonly next: number } | { readonly error: string; readonly next: number }

function lexQuoted(text: string, from: number): Word {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) {
      const after = text[at + 1]
      // A quoted word must be followed by a space, `;`, `{` or the `)` of a condition.
      if (after !== undefined && !/[ \t\r\n;{)]/.test(after)) {
        return { error: `unexpected ${JSON.stringify(after)} after a quoted word`, next: at + 1 }
      }
      return { word: unescapeWord(text.slice(from + 1, at)), next: at + 1 }
    }
  }
  return { error: 'expected the closing quote, found the end of the file', next: text.length }
}

function lexBare(text: string, from: number): Word {
  let at = from
  for (; at < text.length; at++) {
    const c = text[at] as string
    if (c === '\\') at++
    else if (c === '$' && text[at + 1] === '{') at++
    else if (/[ \t\r\n;{]/.test(c)) break
  }
  return { word: unescapeWord(text.slice(from, Math.min(at, text.length))), next: Math.min(at, text.length) }
}

function unescapeWord(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(/\\(["'\\trn])/g, (_, c: string) => escaped[c] ?? c)
}

const escaped: { readonly [character: string]: string } = { t: '\t', r: '\r', n: '\n' }

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text[at] as string)) at++
  return at
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function failure(message: string, start: number, next: number): Statement {
  return { kind: 'error', words: [message], start, next }
}
