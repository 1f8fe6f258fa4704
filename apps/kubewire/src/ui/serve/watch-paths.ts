// `-f` paths → a notice whenever what they hold differs. Standard input can be read only once, so with it nothing is followed.

import { stat } from 'node:fs/promises'
import { watchDirectory, watchFile } from '@kubewire/daemon-kit'
import { merge, NEVER, type Observable, skip } from 'rxjs'

/** Notices of changes to files and folders, as `readFiles` reads them. */
export async function watchPaths(paths: readonly string[], isRecursive: boolean): Promise<Observable<unknown>> {
  if (paths.includes('-')) return NEVER
  const watched: Observable<unknown>[] = []
  for (const path of paths) {
    // Whoever reads it says what is wrong with a path that is not there.
    const isFolder = await stat(path).then(
      (info) => info.isDirectory(),
      () => false,
    )
    const match = (name: string): boolean => /\.(?:ya?ml|json)$/.test(name) && (isRecursive || !name.includes('/'))
    // The first value is what was read already.
    watched.push(isFolder ? watchDirectory(path, { match }).pipe(skip(1)) : watchFile(path).pipe(skip(1)))
  }
  return merge(...watched)
}
