// Field tables and CRD schemas → OpenAPI schemas. No descriptions: those are the originals' texts.

import { copyJson, type JsonObject, objectAt } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { type Message, messageOf } from '../schema/message.ts'
import type { Field, FieldType } from '../schema/parse-table.ts'

const packages: { readonly [group: string]: string } = {
  admission: 'io.k8s.api.admissionregistration.v1',
  apiext: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  autoscaling2: 'io.k8s.api.autoscaling.v2',
  meta: 'io.k8s.apimachinery.pkg.apis.meta.v1',
}

/** The name of a schema: `io.k8s.api.core.v1.Service`. */
function schemaName(typeName: string): string {
  const [group = '', name = ''] = typeName.split('.')
  return `${packages[group] ?? `io.k8s.api.${group}.v1`}.${name}`
}

/** The name of a kind's schema; custom ones turn their group around (`org.example.v1.Widget`). */
export function kindSchemaName(kind: ApiKind): string {
  if (kind.typeName !== undefined) return schemaName(kind.typeName)
  return [...kind.group.split('.').reverse(), kind.version, kind.kind].join('.')
}

/**
 * The schemas of some kinds with everything they refer to.
 *
 * @param refPrefix - `#/components/schemas/` (v3) or `#/definitions/` (v2)
 */
export function schemasOf(kinds: readonly ApiKind[], refPrefix: string): JsonObject {
  const schemas: JsonObject = {}
  const add = (typeName: string): void => {
    const name = schemaName(typeName)
    if (schemas[name] !== undefined) return
    const message = messageOf(typeName)
    schemas[name] = messageSchema(message, refPrefix)
    for (const field of message.fields) for (const used of typesIn(field.type)) add(used)
  }
  for (const kind of kinds) {
    if (kind.typeName === undefined) {
      add('meta.ObjectMeta')
      schemas[kindSchemaName(kind)] = customSchema(kind, refPrefix)
    } else add(kind.typeName)
    const schema = schemas[kindSchemaName(kind)] as JsonObject
    schema['properties'] = {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      ...objectAt(schema, 'properties'),
    }
    schema[gvkKey] = [{ group: kind.group, kind: kind.kind, version: kind.version }]
  }
  return schemas
}

/** The extension that ties a schema or an operation to a kind. */
export const gvkKey = 'x-kubernetes-group-version-kind'

function messageSchema({ fields }: Message, refPrefix: string): JsonObject {
  const properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, refPrefix)]))
  const always = fields.filter((field) => field.isAlwaysWritten && isPlain(field.type) && !field.isPointer)
  const required = always.map(({ name }) => name)
  return {
    type: 'object',
    ...(fields.length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  }
}

// Always-written texts, numbers and lists must be sent; always-written structures are filled in by the server.
function isPlain(type: FieldType): boolean {
  return ['string', 'int', 'long', 'bool', 'list'].includes(type.kind)
}

function fieldSchema({ type, mergeKey, retainsKeys, listKeys, isAtomic }: Field, refPrefix: string): JsonObject {
  const schema = typeSchema(type, refPrefix)
  const strategies = [...(mergeKey === undefined ? [] : ['merge']), ...(retainsKeys ? ['retainKeys'] : [])]
  if (strategies.length > 0) schema['x-kubernetes-patch-strategy'] = strategies.join(',')
  if (mergeKey) schema['x-kubernetes-patch-merge-key'] = mergeKey
  if (isAtomic) schema['x-kubernetes-map-type'] = 'atomic'
  if (listKeys !== undefined) schema['x-kubernetes-list-type'] = listKeys.length === 0 ? 'set' : 'map'
  if (listKeys !== undefined && listKeys.length > 0) schema['x-kubernetes-list-map-keys'] = [...listKeys]
  return schema
}

function typeSchema(type: FieldType, refPrefix: string): JsonObject {
  switch (type.kind) {
    case 'list':
      return { type: 'array', items: typeSchema(type.of, refPrefix) }
    case 'map':
      return { type: 'object', additionalProperties: typeSchema(type.of, refPrefix) }
    case 'message': {
      const reference = { $ref: `${refPrefix}${schemaName(type.name)}` }
      // Version 3 allows other words beside a reference only inside `allOf`.
      return refPrefix.startsWith('#/components') ? { allOf: [reference] } : reference
    }
    case 'int':
      return { type: 'integer', format: 'int32' }
    case 'long':
      return { type: 'integer', format: 'int64' }
    case 'double':
      return { type: 'number', format: 'double' }
    case 'bool':
      return { type: 'boolean' }
    case 'bytes':
      return { type: 'string', format: 'byte' }
    case 'Time':
    case 'MicroTime':
      return { type: 'string', format: 'date-time' }
    case 'IntOrString':
      return { type: 'string', format: 'int-or-string' }
    case 'Raw':
    case 'Fields':
      return { type: 'object' }
    default:
      return { type: 'string' }
  }
}

function typesIn(type: FieldType): string[] {
  if (type.kind === 'message') return [type.name]
  return type.kind === 'list' || type.kind === 'map' ? typesIn(type.of) : []
}

function customSchema(kind: ApiKind, refPrefix: string): JsonObject {
  const schema = copyJson(kind.schema ?? {})
  const metadata = typeSchema({ kind: 'message', name: 'meta.ObjectMeta' }, refPrefix)
  return { ...schema, type: 'object', properties: { metadata, ...objectAt(schema, 'properties') } }
}
