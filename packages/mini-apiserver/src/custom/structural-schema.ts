// The schema of a custom kind at work on an object: pruning of unknown fields and defaults.
// Source: apiextensions-apiserver 1.37 `pkg/apiserver/schema` (pruning, defaulting). CEL rules are not evaluated.

import { copyJson, isObject, type Json, type JsonObject, objectAt, setKey } from '../json.ts'

/** An `openAPIV3Schema` or a part of it. */
export type Schema = JsonObject

const keeps = 'x-kubernetes-preserve-unknown-fields'

/** The value with known fields only, keys sorted; paths of the others are collected. */
export function prune(value: Json, schema: Schema, path: string, unknown: string[], keepsAll = false): Json {
  const keepsHere = schema[keeps] === true || (keepsAll && schema['properties'] === undefined)
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items')
    return value.map((item, i) => prune(item, items, `${path}[${i}]`, unknown, keepsHere))
  }
  if (!isObject(value)) return value
  const properties = objectAt(schema, 'properties')
  const additional = schema['additionalProperties']
  const result: JsonObject = {}
  for (const key of Object.keys(value).sort()) {
    const item = value[key]
    if (item === undefined) continue
    const place = path === '' ? key : `${path}.${key}`
    const known =
      (Object.hasOwn(properties, key) ? properties[key] : undefined) ?? (isObject(additional) ? additional : undefined)
    if (isEmbedded(schema, key)) setKey(result, key, copyJson(item))
    else if (isObject(known)) setKey(result, key, prune(item, known, place, unknown, keepsHere))
    else if (keepsHere || additional === true) setKey(result, key, copyJson(item))
    else unknown.push(place)
  }
  return result
}

function isEmbedded(schema: Schema, key: string): boolean {
  return schema['x-kubernetes-embedded-resource'] === true && ['apiVersion', 'kind', 'metadata'].includes(key)
}

/** Fills in defaults, deepest last; changes the value. */
export function fillDefaults(value: Json, schema: Schema): void {
  if (Array.isArray(value)) {
    for (const item of value) fillDefaults(item, objectAt(schema, 'items'))
    return
  }
  if (!isObject(value)) return
  const additional = schema['additionalProperties']
  if (isObject(additional))
    for (const item of Object.values(value)) if (item !== undefined) fillDefaults(item, additional)
  for (const [key, property] of Object.entries(objectAt(schema, 'properties'))) {
    if (!isObject(property)) continue
    const isUnset = value[key] === undefined || (value[key] === null && property['nullable'] !== true)
    if (isUnset && property['default'] !== undefined) value[key] = copyJson(property['default'])
    const item = value[key]
    if (item !== undefined) fillDefaults(item, property)
  }
}
