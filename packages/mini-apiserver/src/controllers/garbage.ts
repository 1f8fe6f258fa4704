// Deletes what belonged to a deleted object (`metadata.ownerReferences`), as kube-controller-manager's garbage collector
// does in the background; with `Orphan` dependents are let go first, with `Foreground` the owner waits for their end.
// Not here: references to owners that never were, and `blockOwnerDeletion` (every dependent counts).

import { type ApiObject, keyOfObject, storageKey } from '../api-object.ts'
import { type JsonObject, textAt } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import type { ServerState } from '../server-state.ts'
import type { Change } from '../storage/collection.ts'
import { deleteObject, foregroundFinalizer, orphanFinalizer, removeObject } from '../verbs/delete.ts'

/** Where an object is stored. */
interface Place {
  readonly resource: string
  readonly key: string
}

/** Runs until the returned function is called. */
export function runGarbageCollector(state: ServerState): () => void {
  const dependents = new Map<string, Map<string, Place>>()
  // Owners that wait for their dependents, by uid.
  const waiting = new Map<string, Place>()
  const dirty = new Set<string>()
  let cancel: (() => void) | undefined

  const mark = (uid: string): void => {
    dirty.add(uid)
    cancel ??= state.clock.after(0, () => {
      cancel = undefined
      const uids = [...dirty]
      dirty.clear()
      for (const each of uids) {
        const places = [...(dependents.get(each)?.values() ?? [])]
        const owner = waiting.get(each)
        if (owner) release(state, owner, each, places)
        else for (const place of places) collect(state, place, each)
      }
    })
  }
  const follow = (resource: string, { key, before, after }: Omit<Change, 'version'>): void => {
    const place = { resource, key }
    for (const uid of ownersOf(before)) {
      dependents.get(uid)?.delete(`${resource} ${key}`)
      if (dependents.get(uid)?.size === 0) dependents.delete(uid)
      if (!after && waiting.has(uid)) mark(uid)
    }
    for (const uid of ownersOf(after)) {
      dependents.set(uid, (dependents.get(uid) ?? new Map<string, Place>()).set(`${resource} ${key}`, place))
    }
    const { uid = '', finalizers = [], deletionTimestamp } = (after ?? before)?.metadata ?? {}
    const isWaiting = finalizers.includes(orphanFinalizer) || finalizers.includes(foregroundFinalizer)
    if (after && deletionTimestamp !== undefined && isWaiting) {
      waiting.set(uid, place)
      mark(uid)
    } else waiting.delete(uid)
    if (!after && dependents.has(uid)) mark(uid)
  }
  const begin = (): void => {
    dependents.clear()
    waiting.clear()
    for (const resource of new Set(state.kinds.all().map(({ storage }) => storage))) {
      const objects = state.storage.collection(resource).list()
      for (const object of objects) follow(resource, { key: keyOfObject(object), after: object })
    }
  }
  begin()
  const stops = [state.storage.subscribe(follow), state.storage.onRollBack(begin)]
  return () => {
    cancel?.()
    for (const stop of stops) stop()
  }
}

function ownersOf(object: ApiObject | undefined): string[] {
  return (object?.metadata.ownerReferences ?? []).map((owner) => textAt(owner, 'uid'))
}

// An owner that waits: lets its dependents go or ends them; without any left it ends itself.
function release(state: ServerState, owner: Place, uid: string, places: readonly Place[]): void {
  const found = findObject(state, owner)
  if (!found) return
  const { kind, object } = found
  const finalizers = object.metadata.finalizers ?? []
  const isOrphaning = finalizers.includes(orphanFinalizer)
  for (const place of places) {
    if (isOrphaning) letGo(state, place, (reference) => reference['uid'] !== uid)
    else end(state, place)
  }
  const isHeld = !isOrphaning && places.some((place) => findObject(state, place) !== undefined)
  if (isHeld) return
  const { finalizers: _, ...metadata } = object.metadata
  const kept = finalizers.filter((each) => each !== orphanFinalizer && each !== foregroundFinalizer)
  write(state, kind, { ...object, metadata: { ...metadata, ...(kept.length > 0 ? { finalizers: kept } : {}) } })
}

// A dependent whose owner is gone ends with it, unless another owner is still there.
function collect(state: ServerState, place: Place, uid: string): void {
  const references = findObject(state, place)?.object.metadata.ownerReferences ?? []
  const namespace = place.key.includes('/') ? (place.key.split('/')[0] ?? '') : ''
  const isAlive = (reference: JsonObject): boolean => {
    const kind = state.kinds.ofObject(textAt(reference, 'apiVersion'), textAt(reference, 'kind'))
    const key = kind && storageKey(kind.isNamespaced ? namespace : '', textAt(reference, 'name'))
    const owner = kind && key !== undefined ? state.storage.collection(kind.storage).get(key) : undefined
    return reference['uid'] !== uid && owner?.metadata.uid === reference['uid']
  }
  if (references.some(isAlive)) letGo(state, place, isAlive)
  else end(state, place)
}

function letGo(state: ServerState, place: Place, keeps: (reference: JsonObject) => boolean): void {
  const found = findObject(state, place)
  if (!found) return
  const { kind, object } = found
  const { ownerReferences = [], ...metadata } = object.metadata
  const kept = ownerReferences.filter(keeps)
  write(state, kind, { ...object, metadata: { ...metadata, ...(kept.length > 0 ? { ownerReferences: kept } : {}) } })
}

function end(state: ServerState, place: Place): void {
  const found = findObject(state, place)
  if (found?.object.metadata.deletionTimestamp !== undefined || !found) return
  const none = { gracePeriodSeconds: undefined, uid: undefined, resourceVersion: undefined }
  deleteObject(state, found.kind, found.object, { ...none, isDryRun: false, propagationPolicy: 'Background' })
}

function findObject(
  state: ServerState,
  { resource, key }: Place,
): { readonly kind: ApiKind; readonly object: ApiObject } | undefined {
  const stored = state.storage.collection(resource).get(key)
  const kind = state.kinds.all().find(({ storage }) => storage === resource)
  return stored && kind && { kind, object: kind.fromStorage(stored) }
}

// Straight to the storage: what another server let in unchecked must not stop the rest.
function write(state: ServerState, kind: ApiKind, next: ApiObject): void {
  const { finalizers = [], deletionTimestamp, deletionGracePeriodSeconds = 0 } = next.metadata
  const isGone = deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0
  if (isGone) removeObject(state, kind, next)
  else state.storage.put(kind.storage, kind.toStorage(next))
}
