// The object side of an apply: merging a configuration into the live object and taking out what nobody wants any more.

import { copyJson, isObject, type Json, type JsonObject, setKey } from '../json.ts'
import type { Field, FieldType } from '../schema/parse-table.ts'
import {
  type FieldPath,
  fieldOf,
  isBelow,
  keyElement,
  ownership,
  pathElements,
  typeOfKey,
  untyped,
} from './field-paths.ts'

/** The live object with a configuration merged in; lists with keys per element, sets as unions, the rest replaced. */
export function mergeConfiguration(live: JsonObject, config: JsonObject, type: FieldType): JsonObject {
  const result: JsonObject = { ...live }
  for (const [key, value] of Object.entries(config)) {
    if (value === undefined || value === null) continue
    const before = Object.hasOwn(result, key) ? result[key] : undefined
    setKey(result, key, mergeValue(before, value, typeOfKey(type, key), fieldOf(type, key)))
  }
  return result
}

function mergeValue(live: Json | undefined, value: Json, type: FieldType, field: Field | undefined): Json {
  switch (ownership(value, type, field)) {
    case 'object':
      return mergeConfiguration(isObject(live) ? live : {}, value as JsonObject, type)
    case 'keyed':
      return mergeKeyed(Array.isArray(live) ? live : [], value as Json[], type, field?.listKeys ?? [])
    case 'set': {
      const items = Array.isArray(live) ? live : []
      return [...items, ...(value as Json[]).filter((item) => !items.includes(item))]
    }
    default:
      // An empty object claims the field, it does not empty it.
      return isObject(value) && isObject(live) && Object.keys(value).length === 0 ? live : copyJson(value)
  }
}

function mergeKeyed(live: readonly Json[], config: readonly Json[], type: FieldType, keys: readonly string[]): Json[] {
  const itemType = type.kind === 'list' ? type.of : untyped
  const result = [...live]
  for (const item of config.filter(isObject)) {
    const element = keyElement(item, keys)
    const at = result.findIndex((known) => isObject(known) && keyElement(known, keys) === element)
    if (at >= 0) result[at] = mergeConfiguration(result[at] as JsonObject, item, itemType)
    else result.push(mergeConfiguration({}, item, itemType))
  }
  return result
}

/** The object without these paths; what holds others goes as a whole. */
export function withoutPaths(object: JsonObject, paths: Iterable<FieldPath>, type: FieldType): JsonObject {
  const result = copyJson(object)
  const all = [...paths].sort()
  // An element whose key field went first could not be found any more.
  const outermost = all.filter((path) => !all.some((other) => isBelow(path, other)))
  for (const path of outermost.reverse()) removePath(result, pathElements(path), type, undefined)
  return result
}

function removePath(
  parent: Json | undefined,
  elements: readonly string[],
  type: FieldType,
  field: Field | undefined,
): void {
  const [element = '', ...rest] = elements
  if (element.startsWith('f:') && isObject(parent)) {
    const key = element.slice(2)
    if (rest.length === 0) delete parent[key]
    else removePath(parent[key], rest, typeOfKey(type, key), fieldOf(type, key))
    return
  }
  if (!Array.isArray(parent)) return
  const at = parent.findIndex((item) =>
    element.startsWith('k:')
      ? isObject(item) && keyElement(item, field?.listKeys ?? []) === element
      : `v:${JSON.stringify(item)}` === element,
  )
  if (at < 0) return
  if (rest.length === 0) parent.splice(at, 1)
  else removePath(parent[at], rest, type.kind === 'list' ? type.of : untyped, undefined)
}
