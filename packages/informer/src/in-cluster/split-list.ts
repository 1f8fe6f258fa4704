// Cuts a JSON list (`{"kind":…,"metadata":{…},"items":[…]}`) into items while it arrives, so that neither the text nor
// the whole list is ever in memory and the event loop is never blocked for the length of one `JSON.parse`.
// It finds brackets outside of strings by bytes; what lies between is left to `JSON.parse`, which also judges it.

import { joined } from './split-lines.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const decoder = new TextDecoder()

/** Feeds chunks in, takes items out, and the envelope at the end. */
export interface ListSplitter {
  /** Texts of the items completed by this chunk, each one JSON value. */
  push(chunk: Uint8Array): string[]
  /** The document with `items` emptied; throws a `SyntaxError` when it is incomplete or no JSON. */
  envelope(): unknown
}

/**
 * A splitter for one document. Only `items` of the outermost object counts, wherever it stands (custom resources write
 * it before `metadata`).
 */
export function createListSplitter(): ListSplitter {
  const outside: Uint8Array[] = []
  let pending: Uint8Array[] = []
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isInItems = false
  // The text of the last string at depth 1 and whether it is still being read: the key before a value.
  let keyPieces: Uint8Array[] = []
  let lastKey = ''

  const itemTexts = (chunk: Uint8Array): string[] => {
    const texts: string[] = []
    let start = 0
    const cut = (end: number, into: Uint8Array[]): void => {
      if (end > start) into.push(chunk.subarray(start, end))
      start = end
    }
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) {
          isInString = false
          if (depth === 1) {
            keyPieces.push(chunk.subarray(keyStart, at))
            lastKey = decoder.decode(joined(keyPieces))
          }
        }
        continue
      }
      switch (byte) {
        case quote:
          isInString = true
          if (depth === 1) {
            keyPieces = []
            keyStart = at + 1
          }
          break
        case openBrace:
        case openBracket:
          depth++
          if (depth === 2 && byte === openBracket && lastKey === 'items' && !isInItems) {
            cut(at + 1, outside)
            isInItems = true
          }
          break
        case closeBrace:
        case closeBracket:
          depth--
          if (isInItems && depth === 1) {
            cut(at, pending)
            takeItem(texts)
            isInItems = false
            lastKey = ''
          }
          break
        case comma:
          if (isInItems && depth === 2) {
            cut(at, pending)
            takeItem(texts)
            start = at + 1
          }
      }
    }
    if (isInString && depth === 1) keyPieces.push(chunk.subarray(keyStart))
    keyStart = 0
    cut(chunk.length, isInItems ? pending : outside)
    return texts
  }
  let keyStart = 0

  const takeItem = (texts: string[]): void => {
    const text = decoder.decode(joined(pending)).trim()
    pending = []
    if (text !== '') texts.push(text)
  }

  return {
    push: itemTexts,
    envelope: () => {
      if (depth !== 0 || isInString) throw new SyntaxError('expected a complete JSON document, it ended early')
      return JSON.parse(decoder.decode(joined(outside))) as unknown
    },
  }
}
