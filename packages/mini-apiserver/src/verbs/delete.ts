// Deleting objects: preconditions, grace, finalizers, namespaces.

import { deepEqual } from '@kubewire/kube-model'
import { type ApiObject, keyOfObject, printTime } from '../api-object.ts'
import { ApiStatusError, forbidden, resourceDetails } from '../api-status.ts'
import { removeCustomKinds } from '../custom/define-custom-kinds.ts'
import { copyJson, type JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import type { DeleteOptions } from '../request/write-options.ts'
import type { ServerState } from '../server-state.ts'

/**
 * Deletes an object, or marks it when something still holds it.
 *
 * @returns the answer: the object (held, or of a kind that answers so) or a `Status`
 */
export function deleteObject(state: ServerState, kind: ApiKind, object: ApiObject, options: DeleteOptions): JsonObject {
  checkPreconditions(kind, object, options)
  if (kind.storage === 'namespaces') return deleteNamespace(state, kind, object, options)
  const graceSeconds = graceOf(kind, object, options)
  const finalizers = finalizersFor(object, options.propagationPolicy)
  if (graceSeconds > 0 || finalizers.length > 0) {
    const isMarked =
      object.metadata.deletionTimestamp !== undefined &&
      (object.metadata.deletionGracePeriodSeconds ?? 0) <= graceSeconds &&
      deepEqual(finalizers, object.metadata.finalizers ?? [])
    const held = finalizers.length === 0 ? object : { ...object, metadata: { ...object.metadata, finalizers } }
    return isMarked ? object : mark(state, kind, held, graceSeconds, options.isDryRun)
  }
  if (options.isDryRun) return answer(kind, object)
  // COMPAT: a pod on a node that ends at once is first shown with grace 0.
  const last = isOnNode(kind, object) ? mark(state, kind, object, 0, false) : object
  const removed = removeObject(state, kind, object) ?? object
  return answer(kind, kind.answersDeleteWithObject && last === object ? removed : last)
}

/** Removes an object from storage whatever holds it. */
export function removeObject(state: ServerState, kind: ApiKind, object: ApiObject): ApiObject | undefined {
  const removed = state.storage.remove(kind.storage, keyOfObject(kind.toStorage(object)))
  removeCustomKinds(state, object)
  return removed && kind.fromStorage(removed)
}

/** Held until the objects that name this one as their owner are let go. */
export const orphanFinalizer = 'orphan'
/** Held until the objects that name this one as their owner are gone. */
export const foregroundFinalizer = 'foregroundDeletion'

// apiserver 0.37 `registry/generic/registry/store.go`, deletionFinalizersForGarbageCollection.
function finalizersFor({ metadata }: ApiObject, policy: string | undefined): string[] {
  const present = metadata.finalizers ?? []
  if (policy === undefined) return present
  const others = present.filter((each) => each !== orphanFinalizer && each !== foregroundFinalizer)
  if (policy === 'Background') return others
  return [...others, policy === 'Orphan' ? orphanFinalizer : foregroundFinalizer]
}

function answer(kind: ApiKind, object: ApiObject): JsonObject {
  if (kind.answersDeleteWithObject) return object
  const { name = '', uid } = object.metadata
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { ...resourceDetails(kind, name), ...(uid ? { uid } : {}) },
  }
}

function mark(
  state: ServerState,
  kind: ApiKind,
  object: ApiObject,
  graceSeconds: number,
  isDryRun: boolean,
): ApiObject {
  const marked = copyJson(object)
  marked.metadata = {
    ...marked.metadata,
    deletionTimestamp: printTime(state.clock.nowMs() + graceSeconds * 1000),
    deletionGracePeriodSeconds: graceSeconds,
  }
  if (kind.hasGeneration && object.metadata.deletionTimestamp === undefined) {
    marked.metadata.generation = (object.metadata.generation ?? 0) + 1
  }
  return isDryRun ? marked : kind.fromStorage(state.storage.put(kind.storage, kind.toStorage(marked)))
}

function isOnNode(kind: ApiKind, object: ApiObject): boolean {
  const spec = object['spec'] as JsonObject | undefined
  return kind.storage === 'pods' && typeof spec?.['nodeName'] === 'string' && spec['nodeName'] !== ''
}

function graceOf(kind: ApiKind, object: ApiObject, { gracePeriodSeconds }: DeleteOptions): number {
  if (!isOnNode(kind, object)) return 0
  const status = object['status'] as JsonObject | undefined
  if (status?.['phase'] === 'Failed' || status?.['phase'] === 'Succeeded') return 0
  const spec = object['spec'] as JsonObject
  const usual = typeof spec['terminationGracePeriodSeconds'] === 'number' ? spec['terminationGracePeriodSeconds'] : 30
  return Math.max(0, gracePeriodSeconds ?? usual)
}

const protectedNamespaces = new Set(['default', 'kube-system', 'kube-public'])

function deleteNamespace(state: ServerState, kind: ApiKind, object: ApiObject, options: DeleteOptions): JsonObject {
  const name = object.metadata.name ?? ''
  if (protectedNamespaces.has(name)) throw forbidden(kind, name, 'this namespace may not be deleted')
  if (object.metadata.deletionTimestamp !== undefined) return object
  const marked = copyJson(object)
  marked.metadata = { ...marked.metadata, deletionTimestamp: printTime(state.clock.nowMs()) }
  marked['status'] = { ...(marked['status'] as JsonObject), phase: 'Terminating' }
  return options.isDryRun ? marked : state.storage.put(kind.storage, marked)
}

function checkPreconditions(kind: ApiKind, { metadata }: ApiObject, { uid, resourceVersion }: DeleteOptions): void {
  const name = metadata.name ?? ''
  if (uid !== undefined && uid !== metadata.uid) {
    throw preconditionFailed(
      kind,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw preconditionFailed(
      kind,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    )
  }
}

// COMPAT: here the details and the message name the Kind, not the resource.
function preconditionFailed(kind: ApiKind, name: string, why: string): ApiStatusError {
  const named = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`
  return new ApiStatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${named} "${name}": ${why}`,
    details: { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.kind },
  })
}
