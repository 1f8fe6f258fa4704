// Server-side apply: what the configuration says, minus what its manager said before and says no more, unless someone
// else owns it; a conflict when it would change what another manager owns (structured-merge-diff `Updater.Apply`).

import { type ApiObject, printTime, storageKey } from '../api-object.ts'
import { ApiStatusError, badRequest, internalError } from '../api-status.ts'
import { isObject, type JsonObject, textAt } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { apiVersionOf } from '../kinds/kind-registry.ts'
import { mergeConfiguration, withoutPaths } from '../patch/apply-merge.ts'
import { type FieldPath, fieldPaths, isBelow, pathElements } from '../patch/field-paths.ts'
import { withLastApplied } from '../patch/last-applied.ts'
import {
  compareFields,
  type FieldOwner,
  ownedType,
  parseOwners,
  printOwners,
  sameSet,
  without,
} from '../patch/managed-fields.ts'
import { decodeRaw } from '../request/decode-body.ts'
import type { WriteOptions } from '../request/write-options.ts'
import { DecodeError } from '../schema/decode-json.ts'
import type { ServerState } from '../server-state.ts'
import { createObject, requireName, type WriteRequest } from './create.ts'
import { parseApplyBody } from './patch.ts'
import { updateObject } from './update.ts'

/** The outcome of an apply. */
export interface Applied {
  readonly object: ApiObject
  readonly isCreated: boolean
  readonly warnings: readonly string[]
}

/** Applies a configuration; throws the 400, 409, 422 or 500 of the original. */
export function applyObject(
  state: ServerState,
  kind: ApiKind,
  body: Uint8Array,
  request: WriteRequest,
  options: WriteOptions & { readonly subresource: string },
): Applied {
  const config = parseApplyBody(body)
  checkConfiguration(kind, config, request)
  const stored = state.storage.collection(kind.storage).get(storageKey(request.namespace, request.name))
  const live = stored && kind.fromStorage(stored)
  const type = ownedType(kind)
  const fields = new Set(fieldPaths(config, type, false).keys())
  const owners = parseOwners(live?.metadata.managedFields)
  const isOwn = (owner: FieldOwner) =>
    owner.manager === options.manager && owner.operation === 'Apply' && owner.subresource === options.subresource
  const own = owners.find(isOwn)
  const others = owners.filter((owner) => !isOwn(owner))
  const pruned = live ? prune(mergeConfiguration(live, config, type), kind, own, others, fields) : config
  const merged = options.manager === 'kubectl' ? withLastApplied(pruned, config) : pruned
  const decoded = decodeRaw(merged, [], kind, options.fieldValidation)
  const mine: FieldOwner = {
    manager: options.manager,
    operation: 'Apply',
    apiVersion: apiVersionOf(kind),
    subresource: options.subresource,
    time: own && sameSet(own.fields, fields) ? own.time : printTime(state.clock.nowMs()),
    fields,
  }
  if (!live) {
    const object = createObject(state, kind, decoded.object, { ...request, managedFields: printOwners([mine]) })
    return { object, isCreated: true, warnings: decoded.warnings }
  }
  const difference = compareFields(fieldPaths(live, type, true), fieldPaths(decoded.object, type, true))
  const conflicts = conflictsOf(others, difference.changed, fields)
  if (conflicts.length > 0 && !options.isForced) throw applyConflict(conflicts)
  const lost = [...[...difference.changed].filter((path) => fields.has(path)), ...difference.removed]
  const managedFields = printOwners([...others.map((owner) => without(owner, lost)), mine])
  const updateOptions = { subresource: options.subresource, isPatch: true, managedFields }
  const object = updateObject(state, kind, live, decoded.object, request, updateOptions)
  return { object, isCreated: false, warnings: decoded.warnings }
}

function checkConfiguration(kind: ApiKind, config: JsonObject, request: WriteRequest): void {
  const metadata = isObject(config['metadata']) ? config['metadata'] : {}
  if (Array.isArray(metadata['managedFields'])) throw badRequest('metadata.managedFields must be nil')
  const [apiVersion, kindName] = [textAt(config, 'apiVersion'), textAt(config, 'kind')]
  const place = `${textAt(metadata, 'namespace')}/${request.name}`
  if (apiVersion !== apiVersionOf(kind) || kindName !== kind.kind) {
    throw badRequest(`invalid object type: ${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kindName}`)
  }
  requireName(config, request.name)
  // COMPAT: what does not fit the schema is a server error here, whatever validation was asked for.
  const problems = schemaProblems(kind, config)
  if (problems.length === 0) return
  const of = `${place}; ${kind.group}/${kind.version}, Kind=${kind.kind}`
  throw internalError(`failed to create typed patch object (${of}): ${problems.join('\n')}`)
}

function schemaProblems(kind: ApiKind, config: JsonObject): string[] {
  try {
    return kind.decode(config).unknownFields.map((path) => `.${path}: field not declared in schema`)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const match = /cannot unmarshal \w+ into Go struct field \w+\.(\S+) of type (\S+)/.exec(error.message)
    return [match ? `.${match[1]}: expected ${match[2]}` : error.message]
  }
}

function prune(
  merged: JsonObject,
  kind: ApiKind,
  own: FieldOwner | undefined,
  others: readonly FieldOwner[],
  fields: ReadonlySet<FieldPath>,
): JsonObject {
  if (!own) return merged
  const kept = [...fields, ...others.flatMap((owner) => [...owner.fields])]
  // What holds something that stays is kept with it.
  const dropped = [...own.fields].filter((path) => !kept.some((each) => each === path || isBelow(each, path)))
  return withoutPaths(merged, dropped, ownedType(kind))
}

interface FieldConflict {
  readonly owner: FieldOwner
  readonly path: FieldPath
}

function conflictsOf(
  others: readonly FieldOwner[],
  changed: ReadonlySet<FieldPath>,
  fields: ReadonlySet<FieldPath>,
): FieldConflict[] {
  return others.flatMap((owner) =>
    [...owner.fields].filter((path) => changed.has(path) && fields.has(path)).map((path) => ({ owner, path })),
  )
}

function applyConflict(conflicts: readonly FieldConflict[]): ApiStatusError {
  const causes = conflicts.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${printOwner(owner)}`,
    field: printPath(path),
  }))
  const message = `Apply failed with ${causes.length} conflict${causes.length === 1 ? '' : 's'}: ${printConflicts(causes)}`
  return new ApiStatusError({
    code: 409,
    reason: 'Conflict',
    message,
    details: { causes },
  })
}

function printConflicts(causes: readonly { readonly message: string; readonly field: string }[]): string {
  if (causes.length === 1) return `${causes[0]?.message}: ${causes[0]?.field}`
  const byOwner = new Map<string, string[]>()
  for (const { message, field } of causes) {
    const owner = message.replace('conflict with', 'conflicts with')
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), field])
  }
  return [...byOwner].map(([owner, fields]) => `${owner}:\n- ${fields.join('\n- ')}`).join('\n')
}

function printOwner({ manager, operation, apiVersion, subresource }: FieldOwner): string {
  const name = JSON.stringify(manager)
  if (operation === 'Apply') return name
  const sub = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`
  return `${name}${sub} using ${apiVersion}`
}

/** `.spec.ports[port=80,protocol="TCP"].name`. */
export function printPath(path: FieldPath): string {
  return pathElements(path)
    .map((element) => {
      if (element.startsWith('f:')) return `.${element.slice(2)}`
      if (element.startsWith('v:')) return `[=${element.slice(2)}]`
      const keys = JSON.parse(element.slice(2)) as { [key: string]: unknown }
      return `[${Object.entries(keys)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`
    })
    .join('')
}
