// Credential files that are rotated in place: content cached for a minute, the time client-go caches token files.

import { readFile } from 'node:fs/promises'

const cachedMs = 60_000

/** Reads one file again and again. */
export interface FileReader {
  /** The text, at most a minute old. Rejects when the file cannot be read and never could. */
  read(): Promise<string>
  /** Makes the next `read` go to the file. */
  forget(): void
}

/** A reader of `path`. */
export function fileReader(path: string): FileReader {
  let content: string | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  return {
    read: async () => {
      if (content !== undefined && performance.now() - readAtMs < cachedMs) return content
      try {
        content = await readFile(path, 'utf8')
        readAtMs = performance.now()
      } catch (error) {
        // In the middle of a rotation the file may be missing; what was good a minute ago is the best there is.
        if (content === undefined) throw error
      }
      return content
    },
    forget: () => {
      readAtMs = Number.NEGATIVE_INFINITY
    },
  }
}
