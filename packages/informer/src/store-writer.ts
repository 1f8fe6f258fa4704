// Applies watch events to a store's content and says what changed. Decides which frames are stale: a connection that is
// resumed, or a faulty server, may say things twice or out of order. Lists are never doubted, only compared.

import { deepEqual, type KubeObject, keyOf, type ObjectKey } from '@kubewire/kube-model'
import type { InformerEvent, ResourceEvent } from './event.ts'
import { compareVersions, newerVersion } from './resource-version.ts'
import type { StoreContent } from './store-content.ts'

/** How many deletions are remembered so that a late frame cannot revive an object; a uid never comes back. */
const rememberedDeletions = 4096

/** Writer over the cell that holds a store's content. */
export interface ContentWriter<T extends KubeObject> {
  apply(event: ResourceEvent<T>): readonly InformerEvent<T>[]
  /** Brings indexes that were added meanwhile to the content under preparation. */
  indexersAdded(add: (content: StoreContent<T>, name: string) => void, names: Iterable<string>): void
  staleFrames(): number
}

/** The writer; `emptyContent` makes content with the store's indexes. */
export function createStoreWriter<T extends KubeObject>(
  current: { content: StoreContent<T> },
  emptyContent: () => StoreContent<T>,
): ContentWriter<T> {
  let next: StoreContent<T> | undefined
  let isHistoryUncertain = false
  let hasSynced = false
  let stale = 0
  const deletedUids = new Set<string>()
  // Keys that the list under way brought in another state than stored.
  const changed = new Set<ObjectKey>()

  const applyInit = (object: T): readonly InformerEvent<T>[] => {
    const key = keyOf(object)
    const before = current.content.objects.get(key)
    // The old object stands for an equal new one: what was parsed is garbage at once and a relist needs no memory.
    const isUnchanged = before !== undefined && isSameState(before, object, isHistoryUncertain)
    next?.set(key, isUnchanged ? before : object)
    if (!isUnchanged) changed.add(key)
    return []
  }

  const initDone = (resourceVersion: string): readonly InformerEvent<T>[] => {
    if (next === undefined) return []
    const before = current.content
    const events = relistEvents(before.objects, next.objects, changed, !hasSynced)
    changed.clear()
    next.resourceVersion = resourceVersion
    current.content = next
    next = undefined
    hasSynced = true
    if (isHistoryUncertain) deletedUids.clear()
    for (const event of events) if (event.type === 'deleted') remember(event.object)
    return events
  }

  const applyLive = (object: T): readonly InformerEvent<T>[] => {
    const { content } = current
    const key = keyOf(object)
    const before = content.objects.get(key)
    if (isStale(object, before, deletedUids)) {
      stale++
      return []
    }
    content.set(key, object)
    content.resourceVersion = newerVersion(content.resourceVersion, object.metadata?.resourceVersion)
    if (before === undefined) return [{ type: 'added', key, object, isInInitialList: false }]
    return [{ type: 'updated', key, object, previous: before, cause: 'watch', isReplaced: isReplaced(before, object) }]
  }

  const deleteLive = (object: T, isHidden: boolean): readonly InformerEvent<T>[] => {
    const { content } = current
    const key = keyOf(object)
    const before = content.objects.get(key)
    if (before === undefined || isStaleDeletion(object, before)) {
      // A deletion of what we never had still says that this object is gone.
      if (before === undefined && !isHidden) remember(object)
      else if (before !== undefined) stale++
      return []
    }
    content.set(key, undefined)
    content.resourceVersion = newerVersion(content.resourceVersion, object.metadata?.resourceVersion)
    if (!isHidden) remember(object)
    return [{ type: 'deleted', key, object: isHidden ? before : object, isFinalStateUnknown: false }]
  }

  const remember = (object: T): void => {
    const uid = object.metadata?.uid
    if (uid === undefined) return
    deletedUids.add(uid)
    if (deletedUids.size <= rememberedDeletions) return
    for (const oldest of deletedUids) {
      deletedUids.delete(oldest)
      return
    }
  }

  return {
    apply: (event) => {
      switch (event.type) {
        case 'init':
          next = emptyContent()
          changed.clear()
          isHistoryUncertain = event.isHistoryUncertain === true
          return []
        case 'initApply':
          return applyInit(event.object)
        case 'initDone':
          return initDone(event.resourceVersion)
        case 'apply':
          return applyLive(event.object)
        case 'delete':
          if (next === undefined) return deleteLive(event.object, event.isHidden === true)
          next.set(keyOf(event.object), undefined)
          return []
        case 'bookmark':
          current.content.resourceVersion = newerVersion(current.content.resourceVersion, event.resourceVersion)
          return []
      }
    },
    indexersAdded: (add, names) => {
      if (next !== undefined) for (const name of names) add(next, name)
    },
    staleFrames: () => stale,
  }
}

// Deletions first, then what the list brought in its order; an object in the same state makes no event. Only what
// changed is looked at, so that a relist of a hundred thousand unchanged objects ends as fast as one of ten.
function relistEvents<T extends KubeObject>(
  before: ReadonlyMap<ObjectKey, T>,
  after: ReadonlyMap<ObjectKey, T>,
  changed: ReadonlySet<ObjectKey>,
  isInInitialList: boolean,
): InformerEvent<T>[] {
  const changes: InformerEvent<T>[] = []
  let additions = 0
  for (const key of changed) {
    const object = after.get(key)
    const previous = before.get(key)
    if (object === undefined || previous === object) continue
    if (previous === undefined) {
      additions++
      changes.push({ type: 'added', key, object, isInInitialList })
    } else {
      const isOther = isReplaced(previous, object)
      changes.push({ type: 'updated', key, object, previous, cause: 'relist', isReplaced: isOther })
    }
  }
  if (before.size + additions === after.size) return changes
  const deletions: InformerEvent<T>[] = []
  for (const [key, object] of before) {
    if (!after.has(key)) deletions.push({ type: 'deleted', key, object, isFinalStateUnknown: true })
  }
  return [...deletions, ...changes]
}

function isSameState(a: KubeObject, b: KubeObject, isHistoryUncertain: boolean): boolean {
  const [before, after] = [a.metadata, b.metadata]
  if (before?.uid !== after?.uid || before?.resourceVersion !== after?.resourceVersion) return false
  // Without versions, or with versions that may have been given twice, only the content tells.
  return after?.resourceVersion !== undefined && !isHistoryUncertain ? true : deepEqual(a, b)
}

function isReplaced(before: KubeObject, after: KubeObject): boolean {
  const [old, fresh] = [before.metadata?.uid, after.metadata?.uid]
  return old !== undefined && fresh !== undefined && old !== fresh
}

function isStale(object: KubeObject, before: KubeObject | undefined, deletedUids: ReadonlySet<string>): boolean {
  const { uid, resourceVersion } = object.metadata ?? {}
  if (uid !== undefined && deletedUids.has(uid)) return true
  if (before === undefined) return false
  const order = compareVersions(resourceVersion, before.metadata?.resourceVersion)
  return order !== undefined && order <= 0
}

// The deletion's version is newer than anything the object ever had; an older one speaks of a former object.
function isStaleDeletion(object: KubeObject, before: KubeObject): boolean {
  const order = compareVersions(object.metadata?.resourceVersion, before.metadata?.resourceVersion)
  return order !== undefined && order < 0
}
