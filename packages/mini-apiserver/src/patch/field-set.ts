// Sets of field paths and their JSON form, `fieldsV1`: nested objects in which `.` marks a node that is a member itself.

import { isObject, type JsonObject } from '../json.ts'
import { childPath, type FieldPath, pathElements } from './field-paths.ts'

/** The JSON form of a set, keys sorted. */
export function printFieldSet(paths: Iterable<FieldPath>): JsonObject {
  const root: JsonObject = {}
  for (const path of [...paths].sort()) {
    let node = root
    const elements = pathElements(path)
    for (const [i, element] of elements.entries()) {
      const isLast = i === elements.length - 1
      const next = node[element]
      if (isObject(next)) node = next
      else {
        const made: JsonObject = isLast ? { '.': {} } : {}
        node[element] = made
        node = made
      }
    }
  }
  return simplify(root)
}

/** Reads the JSON form. */
export function parseFieldSet(fields: JsonObject | undefined): Set<FieldPath> {
  const paths = new Set<FieldPath>()
  const walk = (node: JsonObject, path: FieldPath): void => {
    const keys = Object.keys(node)
    if (path !== '' && (keys.length === 0 || '.' in node)) paths.add(path)
    for (const key of keys) {
      const child = node[key]
      if (key !== '.' && isObject(child)) walk(child, childPath(path, key))
    }
  }
  if (fields) walk(fields, '')
  return paths
}

// A member without children is `{}`, not `{".": {}}`.
function simplify(node: JsonObject): JsonObject {
  const keys = Object.keys(node)
  if (keys.length === 1 && keys[0] === '.') return {}
  const entries = Object.entries(node).map(([key, child]) => [key, isObject(child) ? simplify(child) : child])
  return Object.fromEntries(entries) as JsonObject
}
