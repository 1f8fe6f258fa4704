// A file that is either the old one or the new one, whatever happens in between.

import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Writes `data` beside `path`, flushes it to the disk and renames it over `path`. On an error the old file is as it
 * was and the one beside it is removed.
 *
 * @param options.mode - permission bits of the new file; default 0o644
 */
export async function writeAtomic(
  path: string,
  data: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  counter += 1
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.${counter}`)
  try {
    const file = await open(beside, 'wx', options.mode ?? 0o644)
    try {
      await file.writeFile(data)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

// Two writers of one process must not share a name.
let counter = 0
