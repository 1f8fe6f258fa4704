// Zone file text → logical lines of words (RFC 1035 §5.1): quotes, parentheses over lines, comments.

/** A word; `isQuoted` keeps `""` apart from nothing. `place` is where it was read: line, and column behind it. */
export interface ZoneWord {
  readonly text: string
  readonly isQuoted: boolean
  /** Whether its quote never ends. */
  readonly isOpen: boolean
  readonly place: string
}

/** One logical line. `isIndented` means the owner name is left out. */
export interface ZoneLine {
  readonly line: number
  readonly isIndented: boolean
  readonly words: readonly ZoneWord[]
}

/** Splits a text into logical lines; an open quote or parenthesis runs to the end. */
export function splitZoneText(text: string): ZoneLine[] {
  const lines: ZoneLine[] = []
  let words: ZoneWord[] = []
  let depth = 0
  let line = 1
  let start = 1
  let lineStart = 0
  let isIndented = false
  const finish = (): void => {
    if (words.length > 0) lines.push({ line: start, isIndented, words })
    words = []
  }
  for (let i = 0; i < text.length; ) {
    const c = text[i] ?? ''
    if (c === '\n') {
      line++
      i++
      lineStart = i
      if (depth === 0) {
        finish()
        start = line
        isIndented = /[ \t]/.test(text[i] ?? '')
      }
    } else if (c === ';') while (i < text.length && text[i] !== '\n') i++
    else if (c === '(' || c === ')') {
      depth += c === '(' ? 1 : -1
      i++
    } else if (/\s/.test(c)) {
      if (i === 0) isIndented = true
      i++
    } else {
      const isQuoted = c === '"'
      const { text: word, end } = isQuoted ? readQuoted(text, i) : readPlain(text, i)
      // COMPAT: columns point behind the word, at the end of a line at its last character (miekg/dns scan.go).
      const column = end - lineStart + (end >= text.length || text[end] === '\n' ? 0 : 1)
      words.push({ text: word, isQuoted, isOpen: end > text.length, place: `${line}:${column}` })
      line += text.slice(i, end).split('\n').length - 1
      i = end
    }
  }
  finish()
  return lines
}

function readQuoted(text: string, start: number): { text: string; end: number } {
  let end = start + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return { text: text.slice(start + 1, end), end: end + 1 }
}

function readPlain(text: string, start: number): { text: string; end: number } {
  let end = start
  while (end < text.length && !/[\s;()"]/.test(text[end] ?? '')) end += text[end] === '\\' ? 2 : 1
  return { text: text.slice(start, end), end }
}

/** A text word with its escapes resolved, one character per byte; text beyond ASCII goes on the wire as UTF-8. */
export function unescapeText(text: string): string {
  const bytes = /[^\u0000-\u007f]/.test(text) ? utf8Text(text) : text
  return bytes.includes('\\') ? bytes.replaceAll(/\\([0-9]{3})|\\(.)/gs, unescapeOne) : bytes
}

function unescapeOne(_whole: string, digits: string | undefined, character: string | undefined): string {
  return digits === undefined ? (character ?? '') : String.fromCharCode(Number(digits) & 255)
}

function utf8Text(text: string): string {
  return String.fromCharCode(...[...encodeURIComponent(text).matchAll(/%([0-9A-F]{2})|(.)/gs)].map(utf8Byte))
}

function utf8Byte([, hex, character]: RegExpMatchArray): number {
  return hex === undefined ? (character ?? '').charCodeAt(0) : Number.parseInt(hex, 16)
}
