// JSON → an object in the shape of its type, as Go's decoder and encoder would leave it: known fields only, in table
// order, empty optional ones left out, always-written ones filled in. What does not fit is an error or a warning.

import { isObject, type Json, type JsonObject, setKey } from '../json.ts'
import { type Message, messageOf } from './message.ts'
import type { Field, FieldType } from './parse-table.ts'

/** Raised where a value has the wrong type; the caller words it as a 400. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
}

/** An object decoded by its type. */
export interface Decoded {
  readonly object: JsonObject
  /** Paths of fields that the type does not have (`spec.foo`, `spec.ports[0].bar`), deepest first. */
  readonly unknownFields: readonly string[]
}

/**
 * Decodes the fields of a type (without `kind` and `apiVersion`).
 *
 * @param typeName - as in the field tables, `core.Service`
 * @throws DecodeError when a value has the wrong JSON type
 */
export function decodeJson(value: JsonObject, typeName: string): Decoded {
  const unknownFields: string[] = []
  const root = typeName.slice(typeName.indexOf('.') + 1)
  const object = decodeMessage(value, messageOf(typeName), { root, path: '', unknownFields })
  return { object, unknownFields }
}

interface Place {
  readonly root: string
  readonly path: string
  readonly unknownFields: string[]
}

function decodeMessage(value: JsonObject, message: Message, place: Place): JsonObject {
  const isTop = place.path === ''
  const result: JsonObject = {}
  for (const field of message.fields) {
    const path = isTop ? field.name : `${place.path}.${field.name}`
    const decoded = decodeField(value[field.name], field, { ...place, path })
    if (decoded !== undefined) result[field.name] = decoded
  }
  for (const key of Object.keys(value)) {
    if (message.byName.has(key) || (isTop && (key === 'kind' || key === 'apiVersion'))) continue
    place.unknownFields.push(isTop ? key : `${place.path}.${key}`)
  }
  return result
}

function decodeField(value: Json | undefined, field: Field, place: Place): Json | undefined {
  if (value === undefined || value === null) {
    if (!field.isAlwaysWritten) return undefined
    return field.isPointer ? null : zeroOf(field.type, place)
  }
  const decoded = decodeValue(value, field.type, place)
  if (field.isPointer) return decoded
  if (!isEmpty(decoded, field.type)) return decoded
  return field.isAlwaysWritten ? zeroOf(field.type, place) : undefined
}

function decodeValue(value: Json, type: FieldType, place: Place): Json {
  switch (type.kind) {
    case 'list':
      if (!Array.isArray(value)) throw wrongType(value, place, type)
      return value.map((item, i) => decodeItem(item, type.of, { ...place, path: `${place.path}[${i}]` }))
    case 'map': {
      if (!isObject(value)) throw wrongType(value, place, type)
      const result: JsonObject = {}
      for (const [key, item] of Object.entries(value)) {
        if (item !== undefined) setKey(result, key, decodeItem(item, type.of, place))
      }
      return result
    }
    case 'message':
      if (!isObject(value)) throw wrongType(value, place, type)
      return decodeMessage(value, messageOf(type.name), place)
    default:
      return decodeScalar(value, type, place)
  }
}

function decodeItem(value: Json, type: FieldType, place: Place): Json {
  return value === null ? zeroOf(type, place) : decodeValue(value, type, place)
}

function decodeScalar(value: Json, type: FieldType, place: Place): Json {
  switch (type.kind) {
    case 'string':
      if (typeof value !== 'string') throw wrongType(value, place, type)
      return value
    case 'Duration':
      if (typeof value !== 'string') throw wrongType(value, place, type)
      return value
    case 'bool':
      if (typeof value !== 'boolean') throw wrongType(value, place, type)
      return value
    case 'int':
    case 'long':
      return decodeInteger(value, type, place)
    case 'double':
      if (typeof value !== 'number') throw wrongType(value, place, type)
      return value
    case 'bytes':
      if (typeof value !== 'string') throw wrongType(value, place, type)
      return decodeBase64(value)
    case 'Time':
    case 'MicroTime':
      if (typeof value !== 'string') throw wrongType(value, place, type)
      return type.kind === 'Time' ? decodeTime(value) : decodeMicroTime(value)
    case 'Quantity':
      if (typeof value !== 'string' && typeof value !== 'number') throw wrongType(value, place, type)
      return String(value)
    case 'IntOrString':
      if (typeof value !== 'string' && !Number.isInteger(value)) throw wrongType(value, place, type)
      return value
    default:
      return value
  }
}

function decodeInteger(value: Json, type: FieldType, place: Place): number {
  if (typeof value !== 'number') throw wrongType(value, place, type)
  const limit = type.kind === 'int' ? 2 ** 31 : 2 ** 63
  if (!Number.isInteger(value) || value >= limit || value < -limit) {
    throw new DecodeError(
      `json: cannot unmarshal number ${value} into Go struct field ${fieldName(place)} of type ${goType(type)}`,
    )
  }
  return value
}

function decodeBase64(text: string): string {
  const bad = /[^A-Za-z0-9+/=\r\n]/.exec(text)
  const length = text.replaceAll(/[\r\n]/g, '').length
  if (bad || length % 4 !== 0) throw new DecodeError(`illegal base64 data at input byte ${bad?.index ?? length}`)
  return text.replaceAll(/[\r\n]/g, '')
}

// Times lose their fraction and are printed in UTC (apimachinery `metav1.Time`).
function decodeTime(text: string): string | null {
  if (text === 'null') return null
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) {
    const layout = '2006-01-02T15:04:05Z07:00'
    throw new DecodeError(
      `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse ${JSON.stringify(text)} as "2006"`,
    )
  }
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

// COMPAT: exactly six digits, nothing else (apimachinery `metav1.MicroTime`, layout RFC3339Micro).
function decodeMicroTime(text: string): string {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})(Z|[+-]\d\d:\d\d)$/.exec(text)
  const ms = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN
  if (!match || Number.isNaN(ms)) {
    const rest = text.slice(19)
    const layout = '2006-01-02T15:04:05.000000Z07:00'
    throw new DecodeError(
      `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse ${JSON.stringify(rest)} as ".000000"`,
    )
  }
  return `${new Date(ms).toISOString().slice(0, 19)}.${match[2]}Z`
}

/** What Go writes for a field that was never set. */
function zeroOf(type: FieldType, place: Place): Json {
  switch (type.kind) {
    case 'message':
      return decodeMessage({}, messageOf(type.name), place)
    case 'string':
    case 'Duration':
    case 'bytes':
      return ''
    case 'int':
    case 'long':
    case 'double':
    case 'IntOrString':
      return 0
    case 'bool':
      return false
    case 'Quantity':
      return '0'
    default:
      return null
  }
}

function isEmpty(value: Json, type: FieldType): boolean {
  if (value === null || value === '' || value === false) return true
  if (type.kind === 'list' || type.kind === 'map') return Object.keys(value).length === 0
  return value === 0 && type.kind !== 'IntOrString'
}

function wrongType(value: Json, place: Place, type: FieldType): DecodeError {
  const found = Array.isArray(value)
    ? 'array'
    : isObject(value)
      ? 'object'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value
  return new DecodeError(
    `json: cannot unmarshal ${found} into Go struct field ${fieldName(place)} of type ${goType(type)}`,
  )
}

function fieldName({ root, path }: Place): string {
  return `${root}.${path.replaceAll(/\[\d+\]/g, '')}`
}

function goType(type: FieldType): string {
  switch (type.kind) {
    case 'list':
      return `[]${goType(type.of)}`
    case 'map':
      return `map[string]${goType(type.of)}`
    case 'message': {
      const [group = '', name = ''] = type.name.split('.')
      return `${group === 'core' ? 'v1' : group === 'meta' ? 'v1' : group}.${name}`
    }
    case 'int':
      return 'int32'
    case 'long':
      return 'int64'
    case 'double':
      return 'float64'
    case 'Time':
    case 'MicroTime':
    case 'Duration':
      return `v1.${type.kind}`
    default:
      return type.kind
  }
}
