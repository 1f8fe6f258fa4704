// Cuts a byte stream into lines. Works on bytes: a line becomes text only when it is complete, so a multi-byte
// character cut between two chunks is never seen in two halves. A long line is kept as a list of chunks.

const newline = 0x0a
const decoder = new TextDecoder()

/** Longest line accepted; an API object is at most 3 MiB, a frame of a watch little more. */
export const longestLineBytes: number = 64 * 1024 * 1024

/** Feeds chunks in and takes complete lines out. */
export interface LineSplitter {
  /** Complete lines of everything pushed so far that were not returned before; without the line end. */
  push(chunk: Uint8Array): string[]
  /** Bytes of an incomplete line at the end. */
  readonly restBytes: number
}

/** A splitter; `push` throws a `RangeError` on a line longer than `maxBytes`. Empty lines are left out. */
export function createLineSplitter(maxBytes: number = longestLineBytes): LineSplitter {
  let rest: Uint8Array[] = []
  let restBytes = 0
  return {
    push: (chunk) => {
      const lines: string[] = []
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        const piece = chunk.subarray(start, end)
        const line = restBytes === 0 ? decoder.decode(piece) : decoder.decode(joined([...rest, piece]))
        rest = []
        restBytes = 0
        const text = line.endsWith('\r') ? line.slice(0, -1) : line
        if (text !== '') lines.push(text)
        start = end + 1
      }
      if (start < chunk.length) {
        rest.push(chunk.subarray(start))
        restBytes += chunk.length - start
      }
      if (restBytes > maxBytes) throw new RangeError(`expected a line of at most ${maxBytes} bytes, got more`)
      return lines
    },
    get restBytes() {
      return restBytes
    },
  }
}

/** One array with the content of all pieces. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const first = pieces[0]
  if (pieces.length === 1 && first !== undefined) return first
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
