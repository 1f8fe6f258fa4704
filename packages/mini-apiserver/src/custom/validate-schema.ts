// Checks a custom object against its schema and words the causes as the original (kube-openapi `validate`).

import { deepEqual } from '@kubewire/kube-model'
import type { Cause } from '../api-status.ts'
import { invalidValue, notSupported, required } from '../field-error.ts'
import { isObject, type Json, objectAt } from '../json.ts'
import type { Schema } from './structural-schema.ts'

/** Causes for a value at a path. */
export function validateSchema(value: Json, schema: Schema, path: string): Cause[] {
  if (value === null) return schema['nullable'] === true ? [] : [typeCause(value, schema, path)]
  if (!hasType(value, schema)) return [typeCause(value, schema, path)]
  return [
    ...enumCauses(value, schema, path),
    ...textCauses(value, schema, path),
    ...numberCauses(value, schema, path),
    ...listCauses(value, schema, path),
    ...objectCauses(value, schema, path),
    ...combinedCauses(value, schema, path),
  ]
}

function hasType(value: Json, schema: Schema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return typeof value === 'string' || Number.isInteger(value)
  switch (schema['type']) {
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number'
    default:
      return true
  }
}

function typeCause(value: Json, schema: Schema, path: string): Cause {
  const found =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'array'
        : isObject(value)
          ? 'object'
          : typeof value === 'number'
            ? Number.isInteger(value)
              ? 'integer'
              : 'number'
            : typeof value
  const wanted = schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : String(schema['type'])
  return {
    reason: 'FieldValueTypeInvalid',
    message: `Invalid value: ${JSON.stringify(found)}: ${path} in body must be of type ${wanted}: ${JSON.stringify(found)}`,
    field: path,
  }
}

function enumCauses(value: Json, schema: Schema, path: string): Cause[] {
  const allowed = schema['enum']
  if (!Array.isArray(allowed) || allowed.some((item) => deepEqual(item, value))) return []
  return [notSupported(path, value, allowed.map(String))]
}

function textCauses(value: Json, schema: Schema, path: string): Cause[] {
  if (typeof value !== 'string') return []
  const { pattern, minLength, maxLength, format } = schema
  const causes: Cause[] = []
  const says = (rule: string) => causes.push(invalidValue(path, value, `${path} in body should ${rule}`))
  const length = [...value].length
  if (typeof maxLength === 'number' && length > maxLength) {
    causes.push({
      reason: 'FieldValueTooLong',
      field: path,
      message: `Too long: may not be more than ${maxLength} bytes`,
    })
  }
  if (typeof minLength === 'number' && length < minLength) says(`be at least ${minLength} chars long`)
  if (typeof pattern === 'string' && !matchesPattern(pattern, value)) says(`match '${pattern}'`)
  if (format === 'date-time' && Number.isNaN(Date.parse(value))) {
    causes.push(invalidValue(path, value, `${path} in body must be of type date-time: ${JSON.stringify(value)}`))
  }
  return causes
}

// A pattern that only Go understands refuses nothing here.
function matchesPattern(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}

function numberCauses(value: Json, schema: Schema, path: string): Cause[] {
  if (typeof value !== 'number') return []
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const causes: Cause[] = []
  const says = (rule: string) => causes.push(invalidValue(path, value, `${path} in body should be ${rule}`))
  if (typeof minimum === 'number') {
    if (exclusiveMinimum === true ? value <= minimum : value < minimum) {
      says(`greater than ${exclusiveMinimum === true ? '' : 'or equal to '}${minimum}`)
    }
  }
  if (typeof maximum === 'number') {
    if (exclusiveMaximum === true ? value >= maximum : value > maximum) {
      says(`less than ${exclusiveMaximum === true ? '' : 'or equal to '}${maximum}`)
    }
  }
  if (typeof multipleOf === 'number' && value % multipleOf !== 0) says(`a multiple of ${multipleOf}`)
  return causes
}

function listCauses(value: Json, schema: Schema, path: string): Cause[] {
  if (!Array.isArray(value)) return []
  const { minItems, maxItems } = schema
  const causes: Cause[] = []
  if (typeof minItems === 'number' && value.length < minItems) {
    causes.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`))
  }
  if (typeof maxItems === 'number' && value.length > maxItems) {
    causes.push({
      reason: 'FieldValueTooMany',
      field: path,
      message: `Too many: ${value.length}: must have at most ${maxItems} items`,
    })
  }
  const items = objectAt(schema, 'items')
  return [...causes, ...value.flatMap((item, i) => validateSchema(item, items, `${path}[${i}]`))]
}

function objectCauses(value: Json, schema: Schema, path: string): Cause[] {
  if (!isObject(value)) return []
  const at = (key: string) => (path === '' ? key : `${path}.${key}`)
  const causes: Cause[] = []
  for (const key of Array.isArray(schema['required']) ? schema['required'] : []) {
    if (value[String(key)] === undefined) causes.push(required(at(String(key))))
  }
  const additional = schema['additionalProperties']
  for (const [key, item] of Object.entries(value)) {
    const property = objectAt(schema, 'properties')[key] ?? additional
    if (item !== undefined && isObject(property)) causes.push(...validateSchema(item, property, at(key)))
  }
  return causes
}

function combinedCauses(value: Json, schema: Schema, path: string): Cause[] {
  const fits = (part: Json) => isObject(part) && validateSchema(value, part, path).length === 0
  const listOf = (key: string): Json[] => (Array.isArray(schema[key]) ? schema[key] : [])
  const causes = listOf('allOf').flatMap((part) => (isObject(part) ? validateSchema(value, part, path) : []))
  const says = (rule: string) => causes.push(invalidValue(path, '', `${path} in body must ${rule}`))
  const [any, one] = [listOf('anyOf'), listOf('oneOf')]
  if (any.length > 0 && !any.some(fits)) says('validate at least one schema (anyOf)')
  if (one.length > 0 && one.filter(fits).length !== 1) says('validate one and only one schema (oneOf)')
  if (isObject(schema['not']) && fits(schema['not'])) says('not validate the schema (not)')
  return causes
}
