// Applies watch events to a store's content and says what changed. Decides which frames are stale: a connection that is
// resumed, or a faulty server, may say things twice or out of order. Lists are never doubted, only compared.

import { deepEqual, type KubeObject, keyOf, type ObjectKey } from '@kubewire/kube-model'
import type { InformerEvent, ResourceEvent } from './event.ts'
import { compareVersions, newerVersion } from './resource-version.ts'
import type { StoreContent } from './store-content.ts'

/**
 * How many deletions are remembered so that a late frame cannot revive an object. A uid comes back only with a newer
 * version: an object that a selector left out for a while. Only those that the server told: what a list left out it may
 * have left out wrongly (a streamed one whose end was marked too early).
 */
const rememberedDeletions = 4096

/** The cell that holds a store's content; a relist puts another one in. */
export interface ContentCell<T extends KubeObject> {
  content: StoreContent<T>
}

/** Writes into the cell. */
export class ContentWriter<T extends KubeObject> {
  readonly #current: ContentCell<T>
  readonly #emptyContent: () => StoreContent<T>
  // The content under preparation, between `init` and `initDone`.
  #next: StoreContent<T> | undefined
  #isHistoryUncertain = false
  #hasSynced = false
  // The version of the deletion by uid.
  readonly #deletedUids = new Map<string, string | undefined>()
  // Keys that the list under way brought in another state than stored.
  readonly #changed = new Set<ObjectKey>()
  /** Frames dropped because they were older than the stored object. */
  staleFrames = 0

  /** `emptyContent` makes content with the store's indexes. */
  constructor(current: ContentCell<T>, emptyContent: () => StoreContent<T>) {
    this.#current = current
    this.#emptyContent = emptyContent
  }

  /** Applies one event; what `StoreWriter.apply` says. */
  apply(event: ResourceEvent<T>): readonly InformerEvent<T>[] {
    switch (event.type) {
      case 'init':
        this.#next = this.#emptyContent()
        this.#changed.clear()
        this.#isHistoryUncertain = event.isHistoryUncertain === true
        return []
      case 'initApply':
        return this.#applyInitial(event.object)
      case 'initDone':
        return this.#swapIn(event.resourceVersion)
      case 'apply':
        return this.#applyLive(event.object)
      case 'delete':
        if (this.#next === undefined) return this.#deleteLive(event.object, event.isHidden === true)
        this.#next.set(keyOf(event.object), undefined)
        return []
      case 'bookmark':
        this.#moveTo(event.resourceVersion)
        return []
    }
  }

  /** Brings indexes that were added meanwhile to the content under preparation. */
  indexersAdded(add: (content: StoreContent<T>) => void): void {
    if (this.#next !== undefined) add(this.#next)
  }

  #applyInitial(object: T): readonly InformerEvent<T>[] {
    const key = keyOf(object)
    const before = this.#current.content.objects.get(key)
    // The old object stands for an equal new one: what was parsed is garbage at once and a relist needs no memory.
    const isUnchanged = before !== undefined && isSameState(before, object, this.#isHistoryUncertain)
    this.#next?.set(key, isUnchanged ? before : object)
    if (!isUnchanged) this.#changed.add(key)
    return []
  }

  #swapIn(resourceVersion: string): readonly InformerEvent<T>[] {
    const next = this.#next
    if (next === undefined) return []
    const events = relistEvents(this.#current.content.objects, next.objects, this.#changed, !this.#hasSynced)
    next.resourceVersion = resourceVersion
    this.#current.content = next
    this.#next = undefined
    this.#hasSynced = true
    this.#changed.clear()
    if (this.#isHistoryUncertain) this.#deletedUids.clear()
    return events
  }

  #applyLive(object: T): readonly InformerEvent<T>[] {
    const { content } = this.#current
    const key = keyOf(object)
    const before = content.objects.get(key)
    if (isStale(object, before, this.#deletedUids)) {
      this.staleFrames++
      return []
    }
    content.set(key, object)
    this.#moveTo(object.metadata?.resourceVersion)
    if (before === undefined) return [{ type: 'added', key, object, isInInitialList: false }]
    return [{ type: 'updated', key, object, previous: before, cause: 'watch', isReplaced: isReplaced(before, object) }]
  }

  #deleteLive(object: T, isHidden: boolean): readonly InformerEvent<T>[] {
    const { content } = this.#current
    const key = keyOf(object)
    const before = content.objects.get(key)
    if (before === undefined || isStaleDeletion(object, before)) {
      if (before !== undefined) this.staleFrames++
      // A deletion of what we never had still says that this object is gone.
      else if (!isHidden) this.#remember(object)
      return []
    }
    content.set(key, undefined)
    this.#moveTo(object.metadata?.resourceVersion)
    if (!isHidden) this.#remember(object)
    return [{ type: 'deleted', key, object: isHidden ? before : object, isFinalStateUnknown: false }]
  }

  #moveTo(resourceVersion: string | undefined): void {
    const { content } = this.#current
    content.resourceVersion = newerVersion(content.resourceVersion, resourceVersion)
  }

  #remember({ metadata }: T): void {
    if (metadata?.uid === undefined) return
    this.#deletedUids.delete(metadata.uid)
    this.#deletedUids.set(metadata.uid, metadata.resourceVersion)
    if (this.#deletedUids.size <= rememberedDeletions) return
    for (const oldest of this.#deletedUids.keys()) {
      this.#deletedUids.delete(oldest)
      return
    }
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

function isStale(
  object: KubeObject,
  before: KubeObject | undefined,
  deletedUids: ReadonlyMap<string, string | undefined>,
): boolean {
  const { uid, resourceVersion } = object.metadata ?? {}
  if (uid !== undefined && deletedUids.has(uid)) {
    const sinceDeletion = compareVersions(resourceVersion, deletedUids.get(uid))
    if (sinceDeletion === undefined || sinceDeletion <= 0) return true
  }
  if (before === undefined) return false
  const order = compareVersions(resourceVersion, before.metadata?.resourceVersion)
  return order !== undefined && order <= 0
}

// The deletion's version is newer than anything the object ever had; an older one speaks of a former object.
function isStaleDeletion(object: KubeObject, before: KubeObject): boolean {
  const order = compareVersions(object.metadata?.resourceVersion, before.metadata?.resourceVersion)
  return order !== undefined && order < 0
}
