// The objects that a folder of manifests declares: files in order of their names, the first declaration counts. Pure.

import type { KubeObject, Position, Problem } from '@kubewire/kube-model'
import { firstDeclarations, isWholeManifest, parseManifests } from '@kubewire/kube-model/manifest'

/** A file as it was read. */
export type ManifestFile =
  | { readonly name: string; readonly kind: 'text'; readonly text: string }
  | { readonly name: string; readonly kind: 'unreadable'; readonly reason: string }

/** One declared object. */
export interface Declared {
  readonly key: string
  readonly object: KubeObject
  readonly position: Position
}

/** What one file says; kept when a later version of the file does not parse. */
export interface FileContent {
  readonly declared: readonly Declared[]
  readonly problems: readonly Problem[]
}

/** Reads one file. A file with any document that does not parse counts as half-written. */
export function readManifestFile(file: ManifestFile): FileContent & { readonly isWhole: boolean } {
  if (file.kind === 'unreadable') {
    return { declared: [], problems: [fileProblem(file.name, file.reason)], isWhole: false }
  }
  const { placed, problems } = parseManifests(file.text, file.name)
  const declared = placed.map(({ object, position }) => ({ key: keyOfDeclared(object), object, position }))
  return { declared, problems, isWhole: isWholeManifest(problems) }
}

/** All objects of all files in the order in which they are to be written, and what was declared twice. */
export function joinManifests(files: readonly FileContent[]): FileContent {
  const { byKey, repeated } = firstDeclarations(
    files.map(({ declared }) => declared),
    ({ key }) => key,
  )
  const problems = [
    ...files.flatMap((file) => file.problems),
    ...repeated.map(({ again, first }) => duplicateProblem(again, first)),
  ]
  return { declared: [...byKey.values()].sort((a, b) => rank(a) - rank(b)), problems }
}

/** What a group, kind, namespace and name are called as one text; versions of one kind are the same object. */
function keyOfDeclared({ apiVersion = '', kind = '', metadata }: KubeObject): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return [group, kind, metadata?.namespace ?? '', metadata?.name ?? ''].join('\u0000')
}

// Namespaces and kinds first: the others need them.
function rank({ object }: Declared): number {
  const order = ['Namespace', 'CustomResourceDefinition', 'Node', 'IngressClass']
  const at = order.indexOf(object.kind ?? '')
  return at < 0 ? order.length : at
}

/** A problem of a whole file. */
function fileProblem(name: string, message: string): Problem {
  const object = { kind: 'File', name }
  const position = { file: name, line: 1 }
  return {
    code: 'API_MANIFEST_FILE',
    severity: 'error',
    object,
    path: '',
    message,
    fallback: 'this file is left out',
    position,
  }
}

function duplicateProblem({ object, position }: Declared, first: Declared): Problem {
  const { namespace, name = '' } = object.metadata ?? {}
  return {
    code: 'API_MANIFEST_DUPLICATE',
    severity: 'warning',
    object: { kind: object.kind ?? '', ...(namespace ? { namespace } : {}), name },
    path: '',
    message: `declared before in ${first.position.file}:${first.position.line}`,
    fallback: 'this declaration is left out',
    position,
  }
}
