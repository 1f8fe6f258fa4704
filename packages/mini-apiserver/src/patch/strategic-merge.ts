// Strategic merge patch: a merge patch that knows, from the field tables, which lists are merged by a key.
// Rules: apimachinery `pkg/util/strategicpatch` and the design text it names.

import { deepEqual } from '@kubewire/kube-model'
import { copyJson, isObject, type Json, type JsonObject, setKey } from '../json.ts'
import { messageOf } from '../schema/message.ts'
import type { Field, FieldType } from '../schema/parse-table.ts'

/** A patch that the rules do not allow. */
export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError'
}

/**
 * Merges a patch into an object of a type.
 *
 * @param typeName - type in the field tables
 */
export function strategicMerge(target: JsonObject, patch: JsonObject, typeName: string): JsonObject {
  return mergeObject(target, patch, { kind: 'message', name: typeName })
}

function mergeObject(target: JsonObject, patch: JsonObject, type: FieldType | undefined, retains = false): JsonObject {
  const directive = patch['$patch']
  if (directive === 'replace') return withoutDirectives(patch)
  if (directive === 'delete') return {}
  const result: JsonObject = { ...target }
  if (retains || patch['$retainKeys'] !== undefined) retainKeys(result, patch['$retainKeys'])
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$deleteFromPrimitiveList/')) {
      const name = key.slice(key.indexOf('/') + 1)
      result[name] = asList(result[name]).filter((item) => !asList(value).some((gone) => deepEqual(gone, item)))
    }
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$') || value === undefined) continue
    if (value === null) delete result[key]
    else setKey(result, key, mergeField(Object.hasOwn(result, key) ? result[key] : undefined, value, patch, key, type))
  }
  for (const [key, value] of Object.entries(patch)) {
    if (!key.startsWith('$setElementOrder/')) continue
    const name = key.slice(key.indexOf('/') + 1)
    const list = result[name]
    if (Array.isArray(list))
      result[name] = setOrder(list, asList(value), fieldOf(type, name)?.mergeKey ?? '', target[name])
  }
  return result
}

function mergeField(
  old: Json | undefined,
  value: Json,
  patch: JsonObject,
  key: string,
  type: FieldType | undefined,
): Json {
  const field = fieldOf(type, key)
  const valueType = field?.type ?? (type?.kind === 'map' ? type.of : undefined)
  if (isObject(value)) return mergeObject(isObject(old) ? old : {}, value, valueType, field?.retainsKeys)
  if (!Array.isArray(value) || field?.mergeKey === undefined) return copyJson(value)
  const list = asList(old)
  if (field.mergeKey === '') return mergeSet(list, value)
  const hasOrder = patch[`$setElementOrder/${key}`] !== undefined
  return mergeKeyed(list, value, field.mergeKey, field.type.kind === 'list' ? field.type.of : undefined, hasOrder)
}

function mergeSet(old: readonly Json[], added: readonly Json[]): Json[] {
  return [...old, ...added.filter((item) => !old.some((known) => deepEqual(known, item)))]
}

// COMPAT: without an asked order, new elements come in front of the old ones.
function mergeKeyed(
  old: readonly Json[],
  patches: readonly Json[],
  mergeKey: string,
  type: FieldType | undefined,
  hasOrder: boolean,
): Json[] {
  const items = patches.filter(isObject)
  if (items.some((item) => item['$patch'] === 'replace')) {
    return items.filter((item) => item['$patch'] === undefined).map(withoutDirectives)
  }
  let result = [...old]
  const added: Json[] = []
  for (const patch of items) {
    const key = patch[mergeKey]
    if (key === undefined)
      throw new StrategicPatchError(`map: ${printGoValue(patch)} does not contain declared merge key: ${mergeKey}`)
    const at = result.findIndex((item) => isObject(item) && deepEqual(item[mergeKey], key))
    if (patch['$patch'] === 'delete') {
      result = result.filter((item) => !(isObject(item) && deepEqual(item[mergeKey], key)))
    } else if (at >= 0) result[at] = mergeObject(result[at] as JsonObject, patch, type)
    else added.push(mergeObject({}, patch, type))
  }
  return hasOrder ? [...result, ...added] : [...added, ...result]
}

// Elements named in the order come in that order; the others stay relative to where the server had them.
function setOrder(list: readonly Json[], order: readonly Json[], mergeKey: string, live: Json | undefined): Json[] {
  const keyOf = (item: Json): Json | undefined => (mergeKey === '' || !isObject(item) ? item : item[mergeKey])
  const rank = (item: Json) => order.findIndex((wanted) => deepEqual(keyOf(wanted), keyOf(item)))
  const liveRank = (item: Json) => asList(live).findIndex((known) => deepEqual(keyOf(known), keyOf(item)))
  const ordered = list.filter((item) => rank(item) >= 0).sort((a, b) => rank(a) - rank(b))
  const result: Json[] = []
  const others = list.filter((item) => rank(item) < 0)
  for (const item of ordered) {
    while (others[0] !== undefined && liveRank(others[0]) < liveRank(item)) result.push(others.shift() as Json)
    result.push(item)
  }
  return [...result, ...others]
}

function retainKeys(result: JsonObject, keys: Json | undefined): void {
  if (!Array.isArray(keys)) return
  for (const key of Object.keys(result)) if (!keys.includes(key)) delete result[key]
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(copyJson(patch)).filter(([key, value]) => !key.startsWith('$') && value !== null),
  )
}

function fieldOf(type: FieldType | undefined, name: string): Field | undefined {
  return type?.kind === 'message' ? messageOf(type.name).byName.get(name) : undefined
}

function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

/** A value as Go's `%v` prints it: `map[a:1 b:[x y]]`, keys sorted. */
export function printGoValue(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(printGoValue).join(' ')}]`
  if (!isObject(value)) return String(value)
  const pairs = Object.keys(value)
    .sort()
    .map((key) => `${key}:${printGoValue(value[key])}`)
  return `map[${pairs.join(' ')}]`
}
