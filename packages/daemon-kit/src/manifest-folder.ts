// The objects that a folder of YAML declares, over time (pure): which file owns which object, what changed since the
// last look. A file that does not parse keeps what it last declared, so a half-saved file removes nothing.

import {
  compareText,
  deepEqual,
  type KubeObject,
  type Problem,
  refOf,
  withDefaultNamespace,
} from '@kubewire/kube-model'
import { firstDeclarations, isWholeManifest, parseManifests } from '@kubewire/kube-model/manifest'

/** What is known of a folder after a look. */
export interface ManifestFolder {
  /** The last look that changed something; also the version of the newest objects. */
  readonly version: number
  /** Objects by `Kind namespace/name`, with `uid` and `resourceVersion` filled in. */
  readonly objects: ReadonlyMap<string, KubeObject>
  /** The objects of each file as last declared without a parse error. */
  readonly declared: ReadonlyMap<string, readonly KubeObject[]>
  readonly problems: readonly Problem[]
}

/** One object that differs from the look before. */
export interface ManifestChange {
  readonly before: KubeObject | undefined
  readonly after: KubeObject | undefined
  readonly version: number
}

/** Before the first look. */
export const emptyManifestFolder: ManifestFolder = {
  version: 0,
  objects: new Map(),
  declared: new Map(),
  problems: [],
}

/**
 * Takes in the texts of a folder by file name. Of two files that declare one object the first by name wins
 * (`KIT_MANIFEST_DUPLICATE`).
 */
export function readManifestFolder(
  previous: ManifestFolder,
  texts: ReadonlyMap<string, string>,
): { readonly folder: ManifestFolder; readonly changes: readonly ManifestChange[] } {
  const problems: Problem[] = []
  const declared = new Map<string, readonly KubeObject[]>()
  for (const [file, text] of [...texts].sort(([a], [b]) => compareText(a, b))) {
    const parsed = parseManifests(text, file)
    problems.push(...parsed.problems)
    const before = isWholeManifest(parsed.problems) ? undefined : previous.declared.get(file)
    declared.set(file, before ?? parsed.objects)
  }
  const wanted = joinFiles(declared, problems)
  const changes: ManifestChange[] = []
  const objects = new Map<string, KubeObject>()
  let version = previous.version
  const note = (before: KubeObject | undefined, after: KubeObject | undefined): void => {
    changes.push({ before, after, version })
  }
  for (const [key, before] of previous.objects) {
    if (wanted.has(key)) continue
    version += 1
    note(withIdentity(before, before.metadata?.uid ?? '', version), undefined)
  }
  for (const [key, object] of wanted) {
    const before = previous.objects.get(key)
    const uid = before?.metadata?.uid ?? `${key.replaceAll(/[^A-Za-z0-9.-]/g, '-')}-${version + 1}`
    const same = before && deepEqual(withIdentity(object, uid, Number(before.metadata?.resourceVersion)), before)
    if (same) {
      objects.set(key, before)
      continue
    }
    version += 1
    const after = withIdentity(object, uid, version)
    objects.set(key, after)
    note(before, after)
  }
  return { folder: { version, objects, declared, problems }, changes }
}

function joinFiles(
  declared: ReadonlyMap<string, readonly KubeObject[]>,
  problems: Problem[],
): ReadonlyMap<string, KubeObject> {
  const placed = [...declared].map(([file, list]) => list.map((raw) => ({ file, object: withDefaultNamespace(raw) })))
  const { byKey, repeated } = firstDeclarations(placed, ({ object }) => {
    const { kind, namespace = '', name } = refOf(object)
    return `${kind} ${namespace}/${name}`
  })
  for (const { again, first } of repeated) problems.push(duplicateProblem(again.object, first.file, again.file))
  return new Map([...byKey].map(([key, { object }]) => [key, object]))
}

function duplicateProblem(object: KubeObject, owner: string, file: string): Problem {
  const where = owner === file ? 'earlier in this file' : `in ${owner}`
  return {
    code: 'KIT_MANIFEST_DUPLICATE',
    severity: 'error',
    object: refOf(object),
    path: '',
    message: `expected one declaration, found another ${where}`,
    fallback: 'the first one is used',
    position: { file, line: 1 },
  }
}

function withIdentity(object: KubeObject, uid: string, version: number): KubeObject {
  const metadata = { ...object.metadata, uid: object.metadata?.uid ?? uid, resourceVersion: String(version) }
  return { ...object, metadata }
}
