// `-f` as kubectl reads it: files, folders (`-R`: with subfolders), `-` for standard input; several documents, Lists.
// What parses is used, what does not becomes problems; only a path that cannot be read ends the command.

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  compareText,
  type KubeObject,
  type Position,
  type Problem,
  printRef,
  refOf,
  snapshotKinds,
  snapshotOf,
  withDefaultNamespace,
} from '@kubewire/kube-model'
import { type ManifestObject, parseManifests } from '@kubewire/kube-model/manifest'
import { InputError, UsageError } from './exit-code.ts'
import { type ClusterValues, namesCluster } from './input/cluster-flags.ts'
import { parseFieldPath } from './input/field-path.ts'
import type { Input } from './input/input.ts'
import { manifestSnapshot } from './input/input-snapshot.ts'
import { objectFaults } from './input/object-faults.ts'
import { isReadKind, shapeObject } from './input/object-shape.ts'
import { selectInput } from './input/select-input.ts'
import type { Output } from './output.ts'

/** The flags of every command that reads objects. */
export const inputFlags = {
  filename: { kind: 'array', default: [], help: 'file, folder or - (standard input) with the objects', shorthand: 'f' },
  recursive: { kind: 'bool', default: false, help: 'also read the subfolders of a folder', shorthand: 'R' },
  verbose: { kind: 'bool', default: false, help: 'list every assumption about the objects', shorthand: 'v' },
} as const

/** Which input the command line names. */
export interface InputValues extends ClusterValues {
  readonly filename: readonly string[]
  readonly recursive: boolean
}

/**
 * Reads every path, or the cluster, and selects by `-n` and `-l`.
 *
 * @throws UsageError when neither or both are named, InputError when a path cannot be read or nothing holds an object,
 * ClusterError when no API server answers
 */
export async function readInput(values: InputValues, output: Output): Promise<Input> {
  if (namesCluster(values)) {
    if (values.filename.length > 0) throw new UsageError('expected files or a cluster, found both')
    // Loaded only then: files need no network.
    const { readCluster } = await import('./input/read-cluster.ts')
    const objects = await readCluster(values, output)
    return selectInput({ objects, snapshot: snapshotOf(objects), problems: [], positions: new Map() }, values)
  }
  if (values.filename.length === 0) {
    throw new UsageError('expected at least one -f FILE, FOLDER or -, or a cluster by --context or --kubeconfig')
  }
  return selectInput(await readFiles(values, output), values)
}

/** Reads every path of `-f`. */
export async function readFiles(values: Pick<InputValues, 'filename' | 'recursive'>, output: Output): Promise<Input> {
  const objects: KubeObject[] = []
  const unread: KubeObject[] = []
  const problems: Problem[] = []
  const positions = new Map<string, Position>()
  const places = new Map<string, ManifestObject['positionOf']>()
  for (const path of values.filename) {
    for (const { name, text } of await readPath(path, values.recursive, output)) {
      output.progress?.(`reading ${name}`)
      const parsed = parseManifests(text, name)
      problems.push(...parsed.problems)
      for (const placed of parsed.placed) {
        const name = printRef(refOf(withDefaultNamespace(placed.object)))
        const earlier = positions.get(name)
        if (earlier !== undefined && isReadKind(placed.object)) problems.push(duplicateProblem(placed, earlier))
        positions.set(name, placed.position)
        places.set(name, placed.positionOf)
        if (!isReadKind(placed.object)) {
          unread.push(placed.object)
          continue
        }
        const shaped = shapeObject(placed)
        problems.push(...shaped.problems)
        if (shaped.object === undefined) continue
        objects.push(shaped.object)
        problems.push(...objectFaults({ ...placed, object: shaped.object }))
      }
    }
  }
  if (objects.length === 0 && unread.length === 0 && problems.length === 0) {
    const hint = !values.recursive && (await haveSubfolders(values.filename)) ? '; -R reads subfolders too' : ''
    throw new InputError(`expected Kubernetes objects in ${values.filename.join(', ')}, found none${hint}`)
  }
  noteUnread(unread, output)
  const { snapshot, problems: assumptions } = manifestSnapshot(objects)
  return {
    objects: [...objects, ...unread],
    snapshot,
    problems: [...problems, ...assumptions],
    positions,
    positionOf: (ref, path) => places.get(ref)?.(parseFieldPath(path)),
  }
}

function duplicateProblem({ object, position }: ManifestObject, earlier: Position): Problem {
  return {
    code: 'CLI_DUPLICATE_OBJECT',
    severity: 'warning',
    object: refOf(withDefaultNamespace(object)),
    path: 'metadata.name',
    message: `expected each object once, found it also at ${earlier.file}:${earlier.line}`,
    fallback: 'the later one counts',
    position,
  }
}

// A kind that another group also has is named with its version, so that nobody takes it for the one that is read.
function noteUnread(unread: readonly KubeObject[], output: Output): void {
  if (unread.length === 0) return
  const counts = new Map<string, number>()
  for (const { apiVersion = '', kind = '' } of unread) {
    const word = kind in snapshotKinds ? `${kind} of ${apiVersion}` : kind
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  output.note(`kinds that are not read: ${[...counts].map(([word, count]) => `${word} ${count}`).join(', ')}\n`)
}

/** The text of one file or of standard input (`-`). */
export async function readText(path: string, output: Output): Promise<string> {
  if (path === '-') return output.readStdin()
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
}

interface NamedText {
  readonly name: string
  readonly text: string
}

async function readPath(path: string, isRecursive: boolean, output: Output): Promise<NamedText[]> {
  if (path === '-') return [{ name: 'standard input', text: await output.readStdin() }]
  const info = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  if (!info.isDirectory()) return [{ name: path, text: await readText(path, output) }]
  const entries = await readdir(path, { withFileTypes: true })
  const texts: NamedText[] = []
  for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
    const inside = join(path, entry.name)
    if (entry.isDirectory() && isRecursive) texts.push(...(await readPath(inside, true, output)))
    else if (!entry.isDirectory() && isManifestName(entry.name)) {
      texts.push({ name: inside, text: await readText(inside, output) })
    }
  }
  return texts
}

async function haveSubfolders(paths: readonly string[]): Promise<boolean> {
  const listed = await Promise.all(paths.map((path) => readdir(path, { withFileTypes: true }).catch(() => [])))
  return listed.flat().some((entry) => entry.isDirectory())
}

// kubectl takes these endings from a folder; a file named on the command line may be called anything.
function isManifestName(name: string): boolean {
  return /\.(?:ya?ml|json)$/.test(name)
}

function unreadable(path: string, cause: unknown): InputError {
  const code = (cause as { code?: string }).code
  const why = code === 'ENOENT' ? 'it does not exist' : code === 'EACCES' ? 'permission denied' : String(cause)
  return new InputError(`expected a readable file or folder at ${path}: ${why}`, { cause })
}
