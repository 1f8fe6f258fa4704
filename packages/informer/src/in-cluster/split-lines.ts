// Cuts a byte stream into lines. Works on bytes: a line becomes text only when it is complete, so a multi-byte
// character cut between two chunks is never seen in two halves. A long line is kept as a list of chunks.

const newline = 0x0a
const carriageReturn = 0x0d

/** Longest line accepted; an API object is at most 3 MiB, a frame of a watch little more. */
const longestLineBytes = 64 * 1024 * 1024

/** Feeds chunks in and hands complete lines out. */
export interface LineSplitter {
  /**
   * Calls `line` for every line completed by this chunk, as a range of bytes without the line's end; empty lines are left
   * out. A range instead of a buffer of its own: a watch may bring hundreds of thousands.
   */
  push(chunk: Buffer, line: (bytes: Buffer, start: number, end: number) => void): void
  /** Bytes of an incomplete line at the end. */
  readonly restBytes: number
}

/** A splitter; `push` throws a `RangeError` on a line longer than `maxBytes`. */
export function createLineSplitter(maxBytes: number = longestLineBytes): LineSplitter {
  let rest: Buffer[] = []
  let restBytes = 0
  return {
    push: (chunk, line) => {
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        if (restBytes === 0) tell(line, chunk, start, end)
        else {
          const whole = Buffer.concat([...rest, chunk.subarray(start, end)])
          tell(line, whole, 0, whole.length)
        }
        rest = []
        restBytes = 0
        start = end + 1
      }
      if (start < chunk.length) {
        rest.push(chunk.subarray(start))
        restBytes += chunk.length - start
      }
      if (restBytes > maxBytes) throw new RangeError(`expected a line of at most ${maxBytes} bytes, got more`)
    },
    get restBytes() {
      return restBytes
    },
  }
}

function tell(
  line: (bytes: Buffer, start: number, end: number) => void,
  bytes: Buffer,
  start: number,
  end: number,
): void {
  const last = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end
  if (last > start) line(bytes, start, last)
}
