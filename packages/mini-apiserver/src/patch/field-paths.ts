// The fields of an object as paths, in the terms of managed fields: `f:name` of a field or map key, `k:{…}` of a list
// element with keys, `v:…` of a set's value. Which lists have keys comes from the field tables.

import { isObject, type Json, type JsonObject } from '../json.ts'
import { messageOf } from '../schema/message.ts'
import type { Field, FieldType } from '../schema/parse-table.ts'

/** Path elements joined by a character that no element holds. */
export type FieldPath = string

/** Paths with the text of their value; containers have the text `''`. */
export type FieldPaths = ReadonlyMap<FieldPath, string>

const separator = '\u0000'

/** The type of an object whose shape is not known: objects are maps, lists are one value. */
export const untyped: FieldType = { kind: 'map', of: { kind: 'Raw' } }

/**
 * Every field of an object.
 *
 * @param withContainers - also name the objects and lists that hold others (a plain write owns them, an apply does not)
 */
export function fieldPaths(object: JsonObject, type: FieldType, withContainers: boolean): FieldPaths {
  const paths = new Map<FieldPath, string>()
  const { kind: _kind, apiVersion: _version, ...rest } = object
  walkChildren(rest, type, '', withContainers, paths)
  for (const path of paths.keys()) if (isNobodys(path)) paths.delete(path)
  return paths
}

/** The elements of a path. */
export function pathElements(path: FieldPath): readonly string[] {
  return path.split(separator)
}

/** Joins a path and an element. */
export function childPath(path: FieldPath, element: string): FieldPath {
  return path === '' ? element : `${path}${separator}${element}`
}

/** Whether a path lies below another. */
export function isBelow(path: FieldPath, above: FieldPath): boolean {
  return path.startsWith(`${above}${separator}`)
}

/** The field table entry behind an object's key. */
export function fieldOf(type: FieldType, key: string): Field | undefined {
  return type.kind === 'message' ? messageOf(type.name).byName.get(key) : undefined
}

/** The type of what a key of an object holds. */
export function typeOfKey(type: FieldType, key: string): FieldType {
  if (type.kind === 'message') return fieldOf(type, key)?.type ?? untyped
  return type.kind === 'map' ? type.of : untyped
}

// Types that are owned as a whole (`+structType=atomic`).
const atomicTypes: ReadonlySet<string> = new Set([
  'core.ClientIPConfig',
  'core.ConfigMapKeySelector',
  'core.EndpointAddress',
  'core.EndpointPort',
  'core.FileKeySelector',
  'core.LocalObjectReference',
  'core.NodeSelector',
  'core.NodeSelectorTerm',
  'core.ObjectFieldSelector',
  'core.ObjectReference',
  'core.ResourceFieldSelector',
  'core.ScopeSelector',
  'core.ScopedResourceSelectorRequirement',
  'core.SecretKeySelector',
  'core.SecretReference',
  'core.TopologySelectorTerm',
  'core.TypedLocalObjectReference',
  'discovery.EndpointPort',
  'meta.LabelSelector',
  'meta.OwnerReference',
  'networking.ServiceBackendPort',
  'rbac.RoleRef',
  'rbac.Subject',
])

/** How a value is owned: as a whole, or by its parts. */
export function ownership(value: Json, type: FieldType, field: Field | undefined): 'leaf' | 'object' | 'keyed' | 'set' {
  if (isObject(value)) {
    const isAtomic =
      field?.isAtomic === true || (type.kind === 'message' && atomicTypes.has(type.name)) || type.kind === 'Fields'
    return isAtomic || Object.keys(value).length === 0 ? 'leaf' : 'object'
  }
  if (!Array.isArray(value) || field?.listKeys === undefined) return 'leaf'
  return field.listKeys.length === 0 ? 'set' : 'keyed'
}

/** The element of a list item with keys: `k:{"port":80,"protocol":"TCP"}`. */
export function keyElement(item: JsonObject, keys: readonly string[]): string {
  // The schema's default counts where the key is left out; ports are the only such lists we know.
  const pairs = [...keys].sort().map((key) => [key, item[key] ?? (key === 'protocol' ? 'TCP' : undefined)])
  return `k:${JSON.stringify(Object.fromEntries(pairs.filter(([, value]) => value !== undefined)))}`
}

function walkChildren(
  object: JsonObject,
  type: FieldType,
  path: FieldPath,
  withContainers: boolean,
  paths: Map<FieldPath, string>,
): void {
  for (const [key, value] of Object.entries(object)) {
    // What Go writes as `null` is an empty list or time: there, but nobody's until something is in it.
    if (value === null && withContainers) paths.set(childPath(path, `f:${key}`), '')
    if (value === undefined || value === null) continue
    walk(value, typeOfKey(type, key), fieldOf(type, key), childPath(path, `f:${key}`), withContainers, paths)
  }
}

function walk(
  value: Json,
  type: FieldType,
  field: Field | undefined,
  path: FieldPath,
  withContainers: boolean,
  paths: Map<FieldPath, string>,
): void {
  const owned = ownership(value, type, field)
  if (owned === 'leaf') {
    // An empty object reads like one that holds something: only what is in it makes a difference.
    paths.set(path, isObject(value) && Object.keys(value).length === 0 ? '' : JSON.stringify(value))
    return
  }
  if (withContainers) paths.set(path, '')
  if (owned === 'object') walkChildren(value as JsonObject, type, path, withContainers, paths)
  else if (owned === 'set') {
    for (const item of value as Json[]) paths.set(childPath(path, `v:${JSON.stringify(item)}`), JSON.stringify(item))
  } else {
    const itemType = type.kind === 'list' ? type.of : untyped
    for (const item of (value as Json[]).filter(isObject)) {
      const itemPath = childPath(path, keyElement(item, field?.listKeys ?? []))
      const isWhole = ownership(item, itemType, undefined) === 'leaf'
      paths.set(itemPath, isWhole ? JSON.stringify(item) : '')
      if (!isWhole) walkChildren(item, itemType, itemPath, withContainers, paths)
    }
  }
}

const nobodys: ReadonlySet<string> = new Set(
  ['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'generation', 'managedFields', 'resourceVersion'].map(
    (key) => `f:metadata${separator}f:${key}`,
  ),
)
const nobodysLists = `f:metadata${separator}f:managedFields${separator}`

// Identity belongs to no manager.
function isNobodys(path: FieldPath): boolean {
  return path === 'f:metadata' || nobodys.has(path) || path.startsWith(nobodysLists)
}
