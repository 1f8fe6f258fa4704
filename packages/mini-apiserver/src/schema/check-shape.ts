// Whether an object from a file has the shape of its type: every field that has not, with its path. Never throws.
// The server words the first misfit as Go's decoder does (`decode-json.ts`); this is for those who read files.

import { nearestWord } from '@kubewire/kube-model'
import { isObject, type Json, type JsonObject, setKey } from '../json.ts'
import { messageOf } from './message.ts'
import type { FieldType } from './parse-table.ts'

/** A value of the wrong JSON type. */
export interface Misfit {
  /** `spec.ports[0].port`. */
  readonly path: string
  /** `a list`, `an integer`. */
  readonly expected: string
  readonly found: Json
}

/** A field that the type does not have; the server drops it, or refuses the object where a client asks for it. */
export interface UnknownField {
  /** `spec.selektor`. */
  readonly path: string
  /** The field of the type that is nearest, if one is near. */
  readonly meant?: string
}

/** An object whose shape was checked. */
export interface CheckedShape {
  /** The object without its null fields, which the API takes as absent; unknown fields are kept. */
  readonly object: JsonObject
  readonly misfits: readonly Misfit[]
  readonly unknown: readonly UnknownField[]
}

interface Found {
  readonly misfits: Misfit[]
  readonly unknown: UnknownField[]
}

/**
 * Checks the fields of a type, all the way down.
 *
 * @param typeName - as in the field tables, `core.Service`
 */
export function checkShape(value: JsonObject, typeName: string): CheckedShape {
  const found: Found = { misfits: [], unknown: [] }
  return { object: checkMessage(value, typeName, '', found), ...found }
}

/** What every object has beside the fields of its type. */
const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind'])

function checkMessage(value: JsonObject, typeName: string, path: string, found: Found): JsonObject {
  const { byName } = messageOf(typeName)
  const result: JsonObject = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null) continue
    const field = byName.get(key)
    const itemPath = path === '' ? key : `${path}.${key}`
    setKey(result, key, field === undefined ? item : checkValue(item, field.type, itemPath, found))
    if (field !== undefined || (path === '' && typeFields.has(key))) continue
    const meant = nearestWord(key, [...byName.keys()])
    found.unknown.push({ path: itemPath, ...(meant === undefined ? {} : { meant }) })
  }
  return result
}

function checkValue(value: Json, type: FieldType, path: string, found: Found): Json {
  if (!fits(value, type)) {
    found.misfits.push({ path, expected: expectedOf(type), found: value })
    return value
  }
  if (type.kind === 'message') return checkMessage(value as JsonObject, type.name, path, found)
  if (type.kind === 'list') return (value as Json[]).map((item, i) => checkValue(item, type.of, `${path}[${i}]`, found))
  if (type.kind !== 'map') return value
  const result: JsonObject = {}
  for (const [key, item = null] of Object.entries(value as JsonObject)) {
    const itemPath = `${path}[${JSON.stringify(key)}]`
    // COMPAT: Go reads a null in a map of texts as an empty text.
    const isEmptyText = item === null && type.of.kind === 'string'
    setKey(result, key, isEmptyText ? '' : checkValue(item, type.of, itemPath, found))
  }
  return result
}

function fits(value: Json, type: FieldType): boolean {
  switch (type.kind) {
    case 'list':
      return Array.isArray(value)
    case 'map':
    case 'message':
    case 'Fields':
      return isObject(value)
    case 'bool':
      return typeof value === 'boolean'
    case 'int':
    case 'long':
      return Number.isInteger(value)
    case 'double':
      return typeof value === 'number'
    case 'Quantity':
      return typeof value === 'string' || typeof value === 'number'
    case 'IntOrString':
      return typeof value === 'string' || Number.isInteger(value)
    case 'Raw':
      return true
    default:
      return typeof value === 'string'
  }
}

function expectedOf(type: FieldType): string {
  switch (type.kind) {
    case 'list':
      return 'a list'
    case 'map':
    case 'message':
    case 'Fields':
      return 'an object'
    case 'bool':
      return 'true or false'
    case 'int':
    case 'long':
      return 'an integer'
    case 'double':
      return 'a number'
    case 'Quantity':
      return 'a quantity'
    case 'IntOrString':
      return 'an integer or a text'
    default:
      return 'a text'
  }
}
