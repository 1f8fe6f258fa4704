// YAML or JSON text → objects and problems with file and line. The only file of this package that loads `yaml`.

import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseAllDocuments,
  parseDocument,
  stringify,
} from 'yaml'
import type { KubeObject } from './objects/meta.ts'
import type { Position, Problem } from './problem.ts'

// How a folder of manifests is read.
export { firstDeclarations, isManifestName, isWholeManifest } from './manifest-files.ts'

/** One object of a manifest and where its document starts. */
export interface ManifestObject {
  readonly object: KubeObject
  readonly position: Position
  /** Where a field of the object stands, by the way to it; the nearest one above where there is none. */
  readonly positionOf: (path: FieldPath) => Position
}

/** The way to a value: keys, and numbers for list elements. */
export type FieldPath = readonly (string | number)[]

/** What a manifest file holds. */
export interface Manifests {
  readonly objects: readonly KubeObject[]
  /** The same objects with their places, in the same order. */
  readonly placed: readonly ManifestObject[]
  readonly problems: readonly Problem[]
}

/**
 * Reads every document of a YAML or JSON text. `List` objects are taken apart; a document that does not parse or
 * is no object becomes a problem (`MODEL_YAML`, `MODEL_NOT_AN_OBJECT`) and the others are still returned.
 */
export function parseManifests(text: string, fileName: string): Manifests {
  const placed: ManifestObject[] = []
  const problems: Problem[] = []
  const lines = new LineCounter()
  for (const document of parseAllDocuments(text, { lineCounter: lines, merge: true, prettyErrors: false })) {
    readDocument(document, { fileName, lines, placed, problems })
  }
  return { objects: placed.map((entry) => entry.object), placed, problems }
}

interface Reading {
  readonly fileName: string
  readonly lines: LineCounter
  readonly placed: ManifestObject[]
  readonly problems: Problem[]
}

function readDocument(document: Document.Parsed, reading: Reading): void {
  const { fileName, lines, problems } = reading
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file: fileName, line, column: col }
  }
  const start = positionOf(document.contents?.range[0] ?? document.range[0])
  const error = document.errors[0]
  if (error) {
    problems.push(
      manifestProblem('MODEL_YAML', `expected YAML or JSON: ${firstLine(error.message)}`, positionOf(error.pos[0])),
    )
    return
  }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 1000 })
  } catch (cause) {
    problems.push(
      manifestProblem('MODEL_YAML', `expected YAML that expands to a bounded size: ${String(cause)}`, start),
    )
    return
  }
  if (value === null || value === undefined) return
  for (const { item, way } of flattenLists(value, [])) {
    collectObject(item, start, (path) => positionOf(offsetOf(document, [...way, ...path])), reading)
  }
}

function collectObject(
  object: unknown,
  position: Position,
  positionOf: ManifestObject['positionOf'],
  { placed, problems }: Reading,
): void {
  if (isKubeObject(object)) placed.push({ object, position, positionOf })
  else problems.push(manifestProblem('MODEL_NOT_AN_OBJECT', 'expected an object with apiVersion and kind', position))
}

function isKubeObject(value: unknown): value is KubeObject {
  const object = value as KubeObject | null
  return (
    typeof object === 'object' &&
    object !== null &&
    typeof object.kind === 'string' &&
    typeof object.apiVersion === 'string'
  )
}

function flattenLists(value: unknown, way: FieldPath): readonly { readonly item: unknown; readonly way: FieldPath }[] {
  const list = value as { kind?: unknown; items?: unknown }
  const isList =
    typeof list === 'object' && typeof list.kind === 'string' && list.kind.endsWith('List') && Array.isArray(list.items)
  if (!isList) return [{ item: value, way }]
  return (list.items as unknown[]).flatMap((item, at) => flattenLists(item, [...way, 'items', at]))
}

function manifestProblem(code: string, message: string, position: Position): Problem {
  const object = { kind: 'File', name: position.file }
  return { code, severity: 'error', object, path: '', message, fallback: 'this document is left out', position }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

/** One YAML or JSON document and where its values stand. */
export interface YamlDocument {
  readonly value: unknown
  /** The line (from 1) of a key or list element, by the way to it; that of the nearest one above where there is none. */
  lineOf(path: FieldPath): number
}

/**
 * The value of one YAML or JSON document without any demand on its shape, or why and in which line it does not parse.
 * Several documents in one text are an error.
 */
export function parseYaml(text: string): YamlDocument | { readonly error: string; readonly line: number } {
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, { merge: true, prettyErrors: false, lineCounter: lines })
    const error = document.errors[0]
    if (error) return { error: firstLine(error.message), line: lines.linePos(error.pos[0]).line }
    const value: unknown = document.toJS({ maxAliasCount: 1000 })
    return { value, lineOf: (path) => lines.linePos(offsetOf(document, path)).line }
  } catch (cause) {
    return { error: firstLine(String(cause)), line: 1 }
  }
}

function offsetOf(document: Document.Parsed, path: FieldPath): number {
  let node: unknown = document.contents
  let offset = document.contents?.range[0] ?? 0
  for (const step of path) {
    const key = isMap(node) ? node.items.find((pair) => isScalar(pair.key) && pair.key.value === step)?.key : undefined
    node = isCollection(node) ? node.get(step, true) : undefined
    const found = isScalar(key) ? key : node
    if (!isNode(found)) return offset
    offset = found.range?.[0] ?? offset
  }
  return offset
}

/** A value as YAML, keys in alphabetical order, as Kubernetes tools print it. */
export function printYaml(value: unknown): string {
  return stringify(value, { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false })
}
