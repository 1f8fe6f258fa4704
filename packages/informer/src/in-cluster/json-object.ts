// From bytes to one parsed object, without `metadata.managedFields`: they are a quarter to a half of what the API
// sends and nobody who follows a resource reads them. Leaving them out before parsing costs less than parsing them.

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const managedFields = Buffer.from('"managedFields":[')
const metadataKey = Buffer.from('"metadata"')

/** Parses objects out of a buffer; remembers where the next managed fields are, so that none is searched twice. */
export interface ObjectParser {
  /**
   * The JSON value in `bytes[start, end)`. `metadataDepth` is how deep the object with `metadata` lies: 1 for an item of
   * a list, 2 for the object of a watch frame. Throws a `SyntaxError` when it is no complete JSON.
   */
  parse(bytes: Buffer, start: number, end: number, metadataDepth: 1 | 2): unknown
}

/** A parser for consecutive objects. */
export function createObjectParser(options: { readonly keepsManagedFields?: boolean } = {}): ObjectParser {
  let searched: Buffer | undefined
  let searchedFrom = 0
  let found = -1
  const nextManagedFields = (bytes: Buffer, start: number): number => {
    if (bytes === searched && start >= searchedFrom && (found < 0 || found >= start)) return found
    searched = bytes
    searchedFrom = start
    found = bytes.indexOf(managedFields, start)
    return found
  }
  return {
    parse: (bytes, start, end, metadataDepth) => {
      const at = options.keepsManagedFields ? -1 : nextManagedFields(bytes, start)
      if (at < 0 || at >= end || !isInMetadata(bytes, start, at, metadataDepth)) {
        return JSON.parse(bytes.toString('utf8', start, end)) as unknown
      }
      // One of the two commas around the member goes with it.
      const after = skipValue(bytes, at + managedFields.length - 1, end)
      const hasCommaBefore = bytes[at - 1] === comma
      const headEnd = hasCommaBefore ? at - 1 : at
      const tailStart = !hasCommaBefore && bytes[after] === comma ? after + 1 : after
      return JSON.parse(bytes.toString('utf8', start, headEnd) + bytes.toString('utf8', tailStart, end)) as unknown
    },
  }
}

/** The position behind the array or object that begins at `start`; `end` when it is not complete. */
export function skipValue(bytes: Buffer, start: number, end: number): number {
  let depth = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte === quote) at = closingQuote(bytes, at)
    else if (byte === openBrace || byte === openBracket) depth++
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return at + 1
    if (at < 0) return end
  }
  return end
}

/** The position of the quote that closes the string opened at `open`; negative when it is not there yet. */
export function closingQuote(bytes: Buffer, open: number): number {
  for (let at = bytes.indexOf(quote, open + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0
    while (bytes[at - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
  return Number.NEGATIVE_INFINITY
}

// Whether `at` lies directly in the `metadata` of the object at that depth: some kinds embed other objects' metadata.
function isInMetadata(bytes: Buffer, start: number, at: number, metadataDepth: number): boolean {
  let depth = 0
  let isKeyMetadata = false
  let isInside = false
  for (let i = start; i < at; i++) {
    const byte = bytes[i]
    if (byte === quote) {
      const close = closingQuote(bytes, i)
      if (close < 0) return false
      if (depth === metadataDepth) isKeyMetadata = bytes.compare(metadataKey, 0, metadataKey.length, i, close + 1) === 0
      i = close
    } else if (byte === openBrace || byte === openBracket) {
      if (depth === metadataDepth) isInside = isKeyMetadata
      depth++
    } else if (byte === closeBrace || byte === closeBracket) depth--
  }
  return isInside && depth === metadataDepth + 1
}
