// A CustomResourceDefinition → the kinds it defines, one per served version, all over one collection.

import type { ApiObject } from '../api-object.ts'
import { isObject, type Json, type JsonObject, objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import {
  type ApiKind,
  ageColumn,
  allVerbs,
  type Column,
  nameColumn,
  printAge,
  type Subresource,
  statusSubresource,
} from '../kinds/define-kind.ts'
import { type Decoded, decodeJson } from '../schema/decode-json.ts'
import type { ServerState } from '../server-state.ts'
import { readJsonPath } from './json-path.ts'
import { fillDefaults, prune, type Schema } from './structural-schema.ts'
import { validateSchema } from './validate-schema.ts'

/** Serves what a stored CRD says. Any other object is left alone. */
export function createCustomKinds(state: ServerState, object: ApiObject): void {
  if (object.kind !== 'CustomResourceDefinition') return
  const kinds = customKinds(object)
  for (const { storage } of kinds) state.storage.collection(storage)
  state.kinds.setCustom(object.metadata.name ?? '', kinds)
}

/** Stops serving a CRD's kinds and forgets their objects. */
export function removeCustomKinds(state: ServerState, object: ApiObject): void {
  if (object.kind !== 'CustomResourceDefinition') return
  for (const { storage } of customKinds(object)) state.storage.drop(storage)
  state.kinds.setCustom(object.metadata.name ?? '', [])
}

function customKinds(crd: ApiObject): ApiKind[] {
  const spec = objectAt(crd, 'spec')
  return objectsAt(spec, 'versions')
    .filter((version) => version['served'] === true)
    .map((version) => customKind(spec, version))
}

function customKind(spec: JsonObject, version: JsonObject): ApiKind {
  const names = objectAt(spec, 'names')
  const group = textAt(spec, 'group')
  const plural = textAt(names, 'plural')
  const schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema')
  const apiVersion = `${group}/${textAt(version, 'name')}`
  const selectable = objectsAt(version, 'selectableFields').map(({ jsonPath }) => [
    String(jsonPath).replace(/^\./, ''),
    (object: ApiObject) => printValue(readJsonPath(object, String(jsonPath))),
  ])
  return {
    group,
    version: textAt(version, 'name'),
    kind: textAt(names, 'kind'),
    listKind: textAt(names, 'listKind'),
    plural,
    singular: textAt(names, 'singular'),
    shortNames: textsAt(names, 'shortNames'),
    categories: textsAt(names, 'categories'),
    isNamespaced: textAt(spec, 'scope') !== 'Cluster',
    verbs: allVerbs,
    subresources: subresourcesOf(objectAt(version, 'subresources')),
    storage: `${plural}.${group}`,
    typeName: undefined,
    decode: (raw) => decodeCustom(raw, schema),
    fromStorage: (object) => (object.apiVersion === apiVersion ? object : viewOf(object, apiVersion)),
    toStorage: (object) => object,
    selectable: Object.fromEntries(selectable) as ApiKind['selectable'],
    selectorStyle: 'own',
    isNamespaceSelectable: true,
    columns: columnsOf(version),
    isCreatedByPut: false,
    needsVersion: true,
    answersDeleteWithObject: false,
    hasGeneration: true,
    emptyBody: {},
    isCustom: true,
    schema,
    rules: {
      setDefaults: (object) => fillDefaults(object, schema),
      validate: (object) => validateSchema(withoutMeta(object), schema, ''),
      validateStatus: (object) => validateSchema(withoutMeta(object), schema, ''),
    },
  }
}

const views = new WeakMap<ApiObject, Map<string, ApiObject>>()

function viewOf(object: ApiObject, apiVersion: string): ApiObject {
  const known = views.get(object) ?? new Map<string, ApiObject>()
  views.set(object, known)
  const view = known.get(apiVersion) ?? Object.freeze({ ...object, apiVersion })
  known.set(apiVersion, view)
  return view
}

function decodeCustom(raw: JsonObject, schema: Schema): Decoded {
  const { kind: _kind, apiVersion: _version, metadata = {}, ...rest } = raw
  const decoded = decodeJson({ metadata }, 'apiext.CustomResourceDefinition')
  const unknownFields = decoded.unknownFields.filter((path) => path.startsWith('metadata.'))
  const found: string[] = []
  const body = prune(rest, schema, '', found)
  const object: JsonObject = { metadata: objectAt(decoded.object, 'metadata'), ...(isObject(body) ? body : {}) }
  return { object, unknownFields: [...unknownFields, ...found] }
}

function withoutMeta({ kind: _kind, apiVersion: _version, metadata: _metadata, ...rest }: ApiObject): Json {
  return rest
}

function subresourcesOf(given: JsonObject): Subresource[] {
  const scale: Subresource = {
    name: 'scale',
    verbs: ['get', 'patch', 'update'],
    responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  }
  return [...(isObject(given['status']) ? [statusSubresource] : []), ...(isObject(given['scale']) ? [scale] : [])]
}

function columnsOf(version: JsonObject): readonly Column[] {
  const columns = objectsAt(version, 'additionalPrinterColumns')
  if (columns.length === 0) return [nameColumn, ageColumn]
  return [nameColumn, ...columns.map(columnOf)]
}

function columnOf(column: JsonObject): Column {
  const type = textAt(column, 'type')
  const path = textAt(column, 'jsonPath')
  return {
    name: textAt(column, 'name'),
    type,
    ...(textAt(column, 'format') === '' ? {} : { format: textAt(column, 'format') }),
    priority: typeof column['priority'] === 'number' ? column['priority'] : 0,
    cell: (object, nowMs) => {
      const value = readJsonPath(object, path)
      if (type === 'date') return printAge(value, nowMs)
      if (type === 'integer' || type === 'number' || type === 'boolean') return value ?? null
      return value === undefined ? '' : printValue(value)
    },
  }
}

function printValue(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
