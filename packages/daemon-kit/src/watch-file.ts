// Files and folders as Observables of their content. Watches the *folder*, because the kubelet replaces ConfigMap and
// Secret volumes by swapping a symlink, which a watch on the file never sees; a periodic look heals what a watch
// misses. Content is compared, so touching a file is no event.

import { type FSWatcher, watch } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Observable } from 'rxjs'

/** A file at one moment. */
export type FileState =
  | { readonly kind: 'content'; readonly path: string; readonly bytes: Buffer }
  | { readonly kind: 'missing'; readonly path: string }

/** When to look. */
export interface WatchFileOptions {
  /** A look without being told; default 2 000 ms. */
  readonly pollMs?: number
  /** Quiet time after a notice, so that a half-written file is not read; default 50 ms. */
  readonly settleMs?: number
}

/** The content of one file now and whenever it differs; `missing` while it is not there or not readable. */
export function watchFile(path: string, options: WatchFileOptions = {}): Observable<FileState> {
  return observeChanges(options, async () => {
    const state = await readState(path)
    return {
      value: state,
      identity: state.kind === 'missing' ? 'missing' : state.bytes.toString('latin1'),
      folders: [dirname(path), await realFolder(path)],
    }
  })
}

/** Bounds of a folder watch beside those of a file. */
export interface WatchDirectoryOptions extends WatchFileOptions {
  /** Which files count, by path relative to the folder; default all. */
  readonly match?: (relativePath: string) => boolean
  /** Default 10 000 files; what comes after them in order of names is left out. */
  readonly maxFiles?: number
}

/** The files below a folder by relative path, now and whenever one differs, appears or goes. Hidden names are left out. */
export function watchDirectory(
  path: string,
  options: WatchDirectoryOptions = {},
): Observable<ReadonlyMap<string, Buffer>> {
  const { match = () => true, maxFiles = 10_000 } = options
  return observeChanges(options, async () => {
    const folders: string[] = []
    const files = (await listFiles(path, folders))
      .map((file) => relative(path, file))
      .filter(match)
      .slice(0, maxFiles)
    const value = new Map<string, Buffer>()
    for (const file of files) {
      const state = await readState(join(path, file))
      if (state.kind === 'content') value.set(file, state.bytes)
    }
    const identity = [...value].map(([name, bytes]) => `${name}\0${bytes.toString('latin1')}`).join('\0')
    return { value, identity, folders }
  })
}

interface Look<T> {
  readonly value: T
  /** Equal texts mean that nothing changed. */
  readonly identity: string
  readonly folders: readonly string[]
}

function observeChanges<T>(options: WatchFileOptions, look: () => Promise<Look<T>>): Observable<T> {
  const { pollMs = 2000, settleMs = 50 } = options
  return new Observable((subscriber) => {
    const watchers = new Map<string, FSWatcher>()
    let identity: string | undefined
    let timer: NodeJS.Timeout | undefined
    let isLooking = false
    let hasChanged = false
    let isClosed = false
    const schedule = (ms: number): void => {
      clearTimeout(timer)
      if (!isClosed) timer = setTimeout(() => void lookNow(), ms)
    }
    // The first change sets the time of the next look; later ones do not put it off, or a folder in which something is
    // written all the time would never be looked at.
    const noteChange = (): void => {
      if (!hasChanged && !isLooking) schedule(settleMs)
      hasChanged = true
    }
    const lookNow = async (): Promise<void> => {
      isLooking = true
      hasChanged = false
      const seen = await look()
      isLooking = false
      if (isClosed) return
      followFolders(watchers, seen.folders, noteChange)
      schedule(hasChanged ? settleMs : pollMs)
      if (seen.identity === identity) return
      identity = seen.identity
      subscriber.next(seen.value)
    }
    void lookNow()
    return () => {
      isClosed = true
      clearTimeout(timer)
      followFolders(watchers, [], () => {})
    }
  })
}

function followFolders(watchers: Map<string, FSWatcher>, folders: readonly string[], notice: () => void): void {
  for (const [folder, watcher] of watchers) {
    if (folders.includes(folder)) continue
    watcher.close()
    watchers.delete(folder)
  }
  for (const folder of folders) {
    if (watchers.has(folder)) continue
    try {
      const watcher = watch(folder, { persistent: true }, notice)
      // A folder that is removed makes its watch fail; the periodic look goes on and watches it again.
      watcher.on('error', () => {
        watcher.close()
        watchers.delete(folder)
      })
      watchers.set(folder, watcher)
    } catch {
      // Not there yet, or no watches left: the periodic look is enough.
    }
  }
}

async function readState(path: string): Promise<FileState> {
  try {
    return { kind: 'content', path, bytes: await readFile(path) }
  } catch {
    return { kind: 'missing', path }
  }
}

async function realFolder(path: string): Promise<string> {
  return realpath(path).then(dirname, () => dirname(path))
}

async function listFiles(folder: string, folders: string[]): Promise<string[]> {
  folders.push(folder)
  const entries = await readdir(folder).catch(() => [])
  const files: string[] = []
  for (const name of entries.sort()) {
    if (name.startsWith('.')) continue
    const path = join(folder, name)
    const info = await stat(path).catch(() => undefined)
    if (info?.isDirectory()) files.push(...(await listFiles(path, folders)))
    else if (info?.isFile()) files.push(path)
  }
  return files
}
