// Replacing an object or its status: versions, what a client may not change, defaults, checks, storing. PATCH and apply
// end here, too.

import { deepEqual } from '@kubewire/kube-model'
import { type ApiObject, keyOfObject } from '../api-object.ts'
import { ApiStatusError, conflict, internalError, invalid, missingVersion } from '../api-status.ts'
import { createCustomKinds } from '../custom/define-custom-kinds.ts'
import { copyJson, type JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { validateMetaUpdate } from '../kinds/validate-meta.ts'
import { type FieldOwner, ownChangedFields, parseOwners } from '../patch/managed-fields.ts'
import { type ServerState, writeContext } from '../server-state.ts'
import { inOrder, namespaceMismatch, type WriteRequest } from './create.ts'

/** How an update differs from a plain replace. */
export interface UpdateOptions {
  /** `''` for the object itself, `status` for its status. */
  readonly subresource: string
  /** A patch may leave the version out even where a replace needs it. */
  readonly isPatch: boolean
  /** Managed fields decided by an apply; other writes work them out themselves. */
  readonly managedFields?: readonly JsonObject[]
}

/**
 * Writes a new state of an existing object.
 *
 * @returns the object as this kind shows it; the old one when nothing changed
 * @throws ApiStatusError
 */
export function updateObject(
  state: ServerState,
  kind: ApiKind,
  old: ApiObject,
  body: JsonObject,
  request: WriteRequest,
  options: UpdateOptions,
): ApiObject {
  const object = copyJson(body) as ApiObject
  object.metadata ??= {}
  checkIdentity(object, old, kind, request, options)
  object.metadata = carriedMetadata(object, old)
  const context = writeContext(state, request)
  const isStatus = options.subresource === 'status'
  const next = isStatus ? withStatusOf(old, object, kind) : object
  if (!isStatus) {
    keepStatus(next, old, kind)
    kind.rules.setDefaults?.(next, context)
  }
  // Ownership is that of what was sent; what the next steps carry over or take away changes nobody's.
  const writer = { manager: request.manager, subresource: options.subresource }
  const managedFields =
    options.managedFields ?? ownChangedFields(next, old, kind, writer, ownersSent(body, old), context.nowMs)
  if (isStatus) kind.rules.prepareStatus?.(next, old, context, object)
  else {
    kind.rules.prepareUpdate?.(next, old, context)
    kind.rules.setDefaults?.(next, context)
  }
  if (kind.hasGeneration) next.metadata.generation = nextGeneration(next, old, kind)
  const causes = [
    ...validateMetaUpdate(next, old, kind),
    ...((isStatus ? kind.rules.validateStatus?.(next, context, old) : kind.rules.validate?.(next, context, old)) ?? []),
  ]
  if (causes.length > 0) throw invalid(kind.checkedAs ?? kind, old.metadata.name ?? '', causes)
  if (!isStatus) {
    const refused = kind.rules.allocate?.(next, context, old) ?? []
    if (refused.length > 0) throw invalid(kind.checkedAs ?? kind, old.metadata.name ?? '', refused)
  }
  next.metadata.managedFields = [...managedFields]
  if (next.metadata.managedFields.length === 0) delete next.metadata.managedFields
  return store(state, kind, inOrder(next, kind), old, request.isDryRun)
}

// A client may hand ownership over by sending other entries; none at all means "as they are".
function ownersSent(body: JsonObject, old: ApiObject): readonly FieldOwner[] {
  const sent = (body['metadata'] as ApiObject['metadata'] | undefined)?.managedFields
  return parseOwners(sent !== undefined && sent.length > 0 ? sent : old.metadata.managedFields)
}

function store(state: ServerState, kind: ApiKind, next: ApiObject, old: ApiObject, isDryRun: boolean): ApiObject {
  if (isUnchanged(next, old)) return old
  const result = { ...next, metadata: { ...next.metadata, resourceVersion: old.metadata.resourceVersion ?? '' } }
  if (isDryRun) return result
  if (isGone(next)) {
    state.storage.remove(kind.storage, keyOfObject(kind.toStorage(old)))
    return result
  }
  const written = kind.fromStorage(state.storage.put(kind.storage, kind.toStorage(result)))
  createCustomKinds(state, written)
  return written
}

function checkIdentity(
  object: ApiObject,
  old: ApiObject,
  kind: ApiKind,
  { namespace }: WriteRequest,
  { isPatch }: UpdateOptions,
): void {
  const { metadata } = object
  const name = old.metadata.name ?? ''
  if (kind.isNamespaced && (metadata.namespace ?? '') !== '' && metadata.namespace !== namespace) {
    throw namespaceMismatch()
  }
  const version = metadata.resourceVersion ?? ''
  if (version === '' && kind.needsVersion && !isPatch) {
    throw missingVersion(kind, name)
  }
  if (metadata.uid && metadata.uid !== old.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${old.metadata.uid}`
    const message = `Operation cannot be fulfilled on ${kind.plural}${kind.group === '' ? '' : `.${kind.group}`} "${name}": ${why}`
    throw new ApiStatusError({
      code: 409,
      reason: 'Conflict',
      message,
      details: { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.plural },
    })
  }
  if (!/^[0-9]*$/.test(version))
    throw internalError(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`)
  if (version !== '' && version !== old.metadata.resourceVersion) throw conflict(kind, name)
}

function carriedMetadata({ metadata }: ApiObject, old: ApiObject): ApiObject['metadata'] {
  const { name, generateName, namespace, uid, generation, creationTimestamp, deletionTimestamp } = old.metadata
  const { deletionGracePeriodSeconds } = old.metadata
  const { labels, annotations, ownerReferences, finalizers } = metadata
  const own = generation ?? metadata.generation
  return {
    ...(name ? { name } : {}),
    ...(generateName ? { generateName } : {}),
    ...(namespace ? { namespace } : {}),
    ...(uid ? { uid } : {}),
    resourceVersion: old.metadata.resourceVersion ?? '',
    ...(own === undefined ? {} : { generation: own }),
    ...(creationTimestamp ? { creationTimestamp } : {}),
    ...(deletionTimestamp ? { deletionTimestamp } : {}),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
    ...(ownerReferences ? { ownerReferences } : {}),
    ...(finalizers && finalizers.length > 0 ? { finalizers } : {}),
  }
}

// A status write of a built-in kind also takes labels, annotations and finalizers; of a custom kind nothing else.
function withStatusOf(old: ApiObject, object: ApiObject, kind: ApiKind): ApiObject {
  const next = copyJson(old)
  if (object['status'] === undefined) delete next['status']
  else next['status'] = object['status']
  next.metadata = kind.isCustom ? { ...next.metadata } : object.metadata
  return next
}

function keepStatus(next: ApiObject, old: ApiObject, kind: ApiKind): void {
  if (!kind.subresources.some(({ name }) => name === 'status')) return
  if (old['status'] === undefined) delete next['status']
  else next['status'] = copyJson(old['status'])
}

function nextGeneration(next: ApiObject, old: ApiObject, { generationCounts: counts }: ApiKind): number {
  const content = ({ metadata, status: _s, ...rest }: ApiObject) => [rest, (counts && metadata[counts]) ?? {}]
  const before = old.metadata.generation ?? 1
  return deepEqual(content(next), content(old)) ? before : before + 1
}

function isUnchanged(next: ApiObject, old: ApiObject): boolean {
  const bare = ({ metadata: { managedFields: _f, resourceVersion: _v, ...metadata }, ...rest }: ApiObject) => ({
    ...rest,
    metadata,
  })
  if (!deepEqual(bare(next), bare(old))) return false
  return deepEqual(ownersOnly(next), ownersOnly(old))
}

// Who owns what counts as a change, when it was said last does not.
function ownersOnly({ metadata }: ApiObject): JsonObject[] {
  return (metadata.managedFields ?? []).map(({ time: _time, ...entry }) => entry)
}

function isGone({ metadata }: ApiObject): boolean {
  const isHeld = (metadata.finalizers ?? []).length > 0
  return metadata.deletionTimestamp !== undefined && !isHeld && (metadata.deletionGracePeriodSeconds ?? 0) === 0
}
