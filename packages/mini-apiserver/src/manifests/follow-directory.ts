// Follows a folder of manifests: what files declare is written, what they no longer declare is deleted. What others wrote
// over the API stays until the file itself changes.

import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deepEqual, type KubeObject, type Problem, refOf } from '@kubewire/kube-model'
import { storageKey } from '../api-object.ts'
import { ApiStatusError } from '../api-status.ts'
import { applyDirectly, kindOfObject, placeOf, UnknownKindError } from '../direct-access.ts'
import type { ServerState } from '../server-state.ts'
import { removeObject } from '../verbs/delete.ts'
import { type Declared, type FileContent, joinManifests, type ManifestFile, readManifestFile } from './manifest-set.ts'
import { readManifestDirectory } from './read-directory.ts'

/** How to follow. */
export interface FollowOptions {
  /** Told every problem that was not there at the look before. */
  readonly onProblem: (problem: Problem) => void
  /** Time from a change to the look at the folder; default 100 ms. */
  readonly settleMs?: number
  /** A look without being told; default 2,000 ms. */
  readonly pollMs?: number
}

/** A folder being followed. */
export interface FollowedDirectory {
  close(): void
}

/** Loads the folder and keeps following it. Resolves after the first load. */
export async function followDirectory(
  state: ServerState,
  directory: string,
  options: FollowOptions,
): Promise<FollowedDirectory> {
  const { settleMs = 100, pollMs = 2000 } = options
  const follower = createFollower(state, options.onProblem)
  const watchers = new Map<string, FSWatcher>()
  const readFiles = createFileReader()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isLooking = false
  let hasChanged = false
  const schedule = (ms: number): void => {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void look(), ms).unref()
  }
  // The first change sets the time of the next look; later ones do not put it off, or a folder in which something is
  // written all the time would never be read.
  const noteChange = (): void => {
    if (!hasChanged && !isLooking) schedule(settleMs)
    hasChanged = true
  }
  const look = async (): Promise<void> => {
    isLooking = true
    hasChanged = false
    const files = await readManifestDirectory(directory)
    if (isClosed) return
    follower.update(readFiles(files))
    await watchFolders(directory, watchers, noteChange)
    isLooking = false
    schedule(hasChanged ? settleMs : pollMs)
  }
  await look()
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

type ReadFile = ReturnType<typeof readManifestFile>

/** Reads the files of one look after the other; a text that is as it was is not parsed again. */
export function createFileReader(): (files: readonly ManifestFile[]) => ReadonlyMap<string, ReadFile> {
  let before = new Map<string, { readonly text: string; readonly read: ReadFile }>()
  return (files) => {
    const known = before
    before = new Map()
    return new Map(
      files.map((file) => {
        const earlier = known.get(file.name)
        const isSame = file.kind === 'text' && earlier?.text === file.text
        const read = isSame ? earlier.read : readManifestFile(file)
        if (file.kind === 'text') before.set(file.name, { text: file.text, read })
        return [file.name, read]
      }),
    )
  }
}

/** The part without files: takes what was read and writes the difference. */
export function createFollower(
  state: ServerState,
  onProblem: (problem: Problem) => void,
): { update(files: ReadonlyMap<string, ReadFile>): void } {
  let contents = new Map<string, FileContent>()
  let written = new Map<string, Declared>()
  let known = new Set<string>()
  return {
    update: (files) => {
      // A half-written file keeps what it said before; its problems are told all the same.
      contents = new Map(
        [...files].map(([name, file]) => {
          const before = contents.get(name)
          return [name, file.isWhole || !before ? file : { declared: before.declared, problems: file.problems }]
        }),
      )
      const { declared, problems } = joinManifests([...contents.values()])
      const wanted = new Map(declared.map((each) => [each.key, each]))
      const found = [...problems, ...writeDifference(state, written, wanted)]
      written = wanted
      const texts = new Set(found.map((problem) => JSON.stringify(problem)))
      for (const problem of found) if (!known.has(JSON.stringify(problem))) onProblem(problem)
      known = texts
    },
  }
}

function writeDifference(
  state: ServerState,
  written: ReadonlyMap<string, Declared>,
  wanted: ReadonlyMap<string, Declared>,
): Problem[] {
  const problems: Problem[] = []
  for (const [key, { object }] of [...written].reverse()) if (!wanted.has(key)) removeDeclared(state, object)
  for (const [key, each] of wanted) {
    const before = written.get(key)
    if (before && deepEqual(before.object, each.object) && exists(state, each.object)) continue
    try {
      applyDirectly(state, each.object)
    } catch (error) {
      problems.push(refusal(each, error))
    }
  }
  return problems
}

function exists(state: ServerState, object: KubeObject): boolean {
  try {
    kindOfObject(state, object)
    return true
  } catch {
    return false
  }
}

function removeDeclared(state: ServerState, object: KubeObject): void {
  const kind = state.kinds.ofObject(object.apiVersion ?? '', object.kind ?? '')
  if (!kind) return
  const { namespace, name } = placeOf(kind, object)
  const stored = state.storage.collection(kind.storage).get(storageKey(namespace, name))
  if (stored) removeObject(state, kind, kind.fromStorage(stored))
}

function refusal({ object, position }: Declared, error: unknown): Problem {
  if (!(error instanceof ApiStatusError) && !(error instanceof UnknownKindError)) throw error
  const causes = error instanceof ApiStatusError ? causesOf(error) : []
  return {
    code: error instanceof UnknownKindError ? 'API_MANIFEST_KIND' : 'API_MANIFEST_REFUSED',
    severity: 'error',
    object: refOf(object),
    path: causes[0]?.field ?? '',
    message: error.message,
    fallback: 'this object is left out',
    position,
  }
}

function causesOf({ status }: ApiStatusError): readonly { readonly field?: string }[] {
  const details = status['details'] as { causes?: readonly { field?: string }[] } | undefined
  return details?.causes ?? []
}

async function watchFolders(root: string, watchers: Map<string, FSWatcher>, onChange: () => void): Promise<void> {
  const folders = await listFolders(root)
  for (const [folder, watcher] of watchers) {
    if (folders.includes(folder)) continue
    watcher.close()
    watchers.delete(folder)
  }
  for (const folder of folders) {
    if (watchers.has(folder)) continue
    try {
      const watcher = watch(folder, { persistent: false }, onChange)
      watcher.on('error', () => watcher.close())
      watchers.set(folder, watcher)
    } catch {
      // The folder went away between listing and watching; the next look finds out.
    }
  }
}

async function listFolders(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true })
    const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    return [root, ...(await Promise.all(below.map(({ name }) => listFolders(join(root, name))))).flat()]
  } catch {
    return []
  }
}
