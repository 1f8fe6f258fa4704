// Cuts a JSON list (`{"kind":…,"metadata":{…},"items":[…]}`) into items while it arrives, so that neither the text nor
// the whole list is ever in memory and the event loop is never blocked for the length of one `JSON.parse`.
// Fast path: items of one list begin alike, so the text between two of them (`},{"metadata":`) is searched natively.
// A hit is only a guess; that an item parses proves it, and what does not parse is cut by counting brackets.

import { closingQuote, createObjectParser } from './json-object.ts'

const quote = 0x22
const comma = 0x2c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const empty = Buffer.alloc(0)
/** So much text without a hit is no item any more but a list whose items do not begin alike. */
const longestGuessBytes = 1024 * 1024

/** Feeds chunks in, takes parsed items out, and the envelope at the end. */
export interface ListSplitter {
  /** Items completed by this chunk. Throws a `SyntaxError` on what is no JSON. */
  push(chunk: Buffer): unknown[]
  /** The remaining items and the document with `items` emptied. Throws a `SyntaxError` when it is incomplete. */
  end(): { readonly items: unknown[]; readonly envelope: unknown }
}

/** A splitter for one document. Only `items` of the outermost object counts, wherever it stands. */
export function createListSplitter(options: { readonly keepsManagedFields?: boolean } = {}): ListSplitter {
  const parser = createObjectParser(options)
  // What stands before and behind the items; custom resources write `metadata` behind them.
  let head: Buffer | undefined
  let rest: Buffer = empty
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let separator: Buffer | undefined

  const takeItems = (isLast: boolean): unknown[] => {
    const items: unknown[] = []
    let start = 0
    for (;;) {
      separator ??= separatorOf(rest, start)
      const hit = separator === undefined ? -1 : rest.indexOf(separator, start)
      if (hit < 0) break
      const item = tryParse(start, hit + 1)
      if (item === undefined) break
      items.push(item)
      start = hit + 2
    }
    // No further guess holds: count brackets, at the end of the list and where items do not begin alike.
    const isGuessing =
      separator !== undefined && rest.length - start < longestGuessBytes && rest.indexOf(separator, start) < 0
    if (isLast || !isGuessing) {
      const cut = cutByBrackets(rest, start)
      for (const [from, to] of cut.items) items.push(parser.parse(rest, from, to, 1))
      start = cut.next
    }
    rest = rest.subarray(start)
    return items
  }
  const tryParse = (start: number, end: number): unknown => {
    try {
      return parser.parse(rest, start, end, 1)
    } catch {
      return undefined
    }
  }
  const gather = (): void => {
    rest = waiting.length === 1 && rest.length === 0 ? (waiting[0] as Buffer) : Buffer.concat([rest, ...waiting])
    waiting = []
    waitingBytes = 0
  }
  // The item cut between two chunks is put together alone, so that not every chunk is copied for its sake.
  const finishCutItem = (chunk: Buffer): { readonly item: unknown; readonly next: number } | undefined => {
    const hit = separator === undefined ? -1 : chunk.indexOf(separator)
    if (hit < 0 || rest.length === 0 || waiting.length > 0) return undefined
    const whole = rest
    rest = Buffer.concat([rest, chunk.subarray(0, hit + 1)])
    const item = tryParse(0, rest.length)
    if (item === undefined) {
      rest = whole
      return undefined
    }
    rest = empty
    return { item, next: hit + 2 }
  }

  return {
    push: (chunk) => {
      const cut = finishCutItem(chunk)
      if (cut !== undefined) {
        rest = chunk.subarray(cut.next)
        return [cut.item, ...takeItems(false)]
      }
      waiting.push(chunk)
      waitingBytes += chunk.length
      // An item larger than a chunk is put together only when its known part has doubled: linear, not quadratic.
      if (waitingBytes < rest.length) return []
      gather()
      if (head === undefined) {
        const items = findItems(rest)
        if (items === undefined) return []
        head = rest.subarray(0, items)
        rest = rest.subarray(items)
      }
      return takeItems(false)
    },
    end: () => {
      gather()
      const at = head === undefined ? findItems(rest) : 0
      if (at === undefined) return { items: [], envelope: JSON.parse(rest.toString('utf8')) as unknown }
      head ??= rest.subarray(0, at)
      rest = rest.subarray(at)
      const items = takeItems(true)
      return { items, envelope: JSON.parse(head.toString('utf8') + rest.toString('utf8')) as unknown }
    },
  }
}

// `},` and the beginning of the first item up to its first value; `undefined` when the text is not written compactly.
function separatorOf(bytes: Buffer, start: number): Buffer | undefined {
  if (bytes[start] !== openBrace || bytes[start + 1] !== quote) return undefined
  const close = closingQuote(bytes, start + 1)
  if (close < 0 || close + 2 > bytes.length) return undefined
  return Buffer.concat([Buffer.from('},'), bytes.subarray(start, close + 2)])
}

/** The position behind `"items":[` of the outermost object; `undefined` when it is not there (yet). */
function findItems(bytes: Buffer): number | undefined {
  let depth = 0
  let key = ''
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      const close = closingQuote(bytes, at)
      if (close < 0) return undefined
      if (depth === 1) key = bytes.toString('utf8', at + 1, close)
      at = close
    } else if (byte === openBrace || byte === openBracket) {
      if (depth === 1 && byte === openBracket && key === 'items') return at + 1
      depth++
    } else if (byte === closeBrace || byte === closeBracket) depth--
  }
  return undefined
}

// Complete items from `start`; what is left begins at `next`, with the array's closing bracket when that was reached.
function cutByBrackets(bytes: Buffer, start: number): { readonly items: [number, number][]; readonly next: number } {
  const items: [number, number][] = []
  let from = start
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      at = closingQuote(bytes, at)
      if (at < 0) break
    } else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBracket && depth === 0) {
      if (!isBlank(bytes, from, at)) items.push([from, at])
      return { items, next: at }
    } else if (byte === closeBrace || byte === closeBracket) depth--
    else if (byte === comma && depth === 0) {
      items.push([from, at])
      from = at + 1
    }
  }
  return { items, next: from }
}

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(bytes[at])) return false
  return true
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
