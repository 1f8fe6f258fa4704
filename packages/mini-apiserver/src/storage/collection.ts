// The objects of one resource and their recent history. One writer (the verbs); readers get frozen objects.

import { type ApiObject, keyOfObject } from '../api-object.ts'
import { freezeJson } from '../json.ts'
import { createSortedObjects } from './sorted-objects.ts'

/** One change. `after` is absent for a deletion, `before` for a creation. */
export interface Change {
  readonly version: number
  readonly key: string
  readonly before?: ApiObject
  readonly after?: ApiObject
}

/** Objects by key, and what changed since `oldest`. */
export interface Collection {
  /** Versions up to this one cannot be asked for any more (`compact`, a full history, a young resource). */
  readonly oldest: number
  readonly size: number
  get(key: string): ApiObject | undefined
  /** All objects in key order; the list is good until the next write. */
  list(): readonly ApiObject[]
  /** A copy of the objects of one namespace, in key order. */
  listIn(namespace: string): readonly ApiObject[]
  /** The objects as they were at a version, in key order; `undefined` when that is no longer known. */
  listAt(version: number): readonly ApiObject[] | undefined
  /** Changes after a version, oldest first; `undefined` when some of them are no longer known. */
  changesAfter(version: number): readonly Change[] | undefined
  /** Calls `listener` for every later change, in order; the result ends it. */
  subscribe(listener: (change: Change) => void): () => void
}

/** A collection with its write side; only `storage.ts` makes changes. */
export interface WritableCollection extends Collection {
  commit(change: Change): void
  compact(version: number): void
  /** Puts other objects in place of all, without a change that anybody is told; history begins at `version`. */
  reset(objects: readonly ApiObject[], version: number): void
}

/**
 * An empty collection.
 *
 * @param startVersion - the version at which it came into being; older ones are expired
 * @param historySize - changes kept
 */
export function createCollection(startVersion: number, historySize: number): WritableCollection {
  const objects = new Map<string, ApiObject>()
  const listeners = new Set<(change: Change) => void>()
  let history: Change[] = []
  let oldest = startVersion
  const sorted = createSortedObjects()

  const changesAfter = (version: number): readonly Change[] | undefined =>
    version < oldest ? undefined : history.slice(firstAfter(history, version))

  return {
    get oldest() {
      return oldest
    },
    get size() {
      return objects.size
    },
    get: (key) => objects.get(key),
    list: sorted.all,
    listIn: (namespace) => sorted.startingWith(`${namespace}/`),
    listAt: (version) => {
      const changes = changesAfter(version)
      return changes && (changes.length === 0 ? sorted.all() : sortByKey(undo(objects, changes)))
    },
    changesAfter,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    commit: (change) => {
      if (change.after) {
        objects.set(change.key, freezeJson(change.after))
        sorted.set(change.key, change.after)
      } else {
        objects.delete(change.key)
        sorted.delete(change.key)
      }
      history.push(change)
      if (history.length > historySize * 2) {
        history = history.slice(-historySize)
        oldest = Math.max(oldest, (history[0]?.version ?? 1) - 1)
      }
      for (const listener of [...listeners]) listener(change)
    },
    compact: (version) => {
      history = history.filter((change) => change.version > version)
      oldest = Math.max(oldest, version)
    },
    reset: (next, version) => {
      const kept = [...next]
      objects.clear()
      sorted.clear()
      for (const object of kept) {
        objects.set(keyOfObject(object), freezeJson(object))
        sorted.set(keyOfObject(object), object)
      }
      history = []
      oldest = version
    },
  }
}

function firstAfter(history: readonly Change[], version: number): number {
  let low = 0
  let high = history.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((history[middle]?.version ?? 0) > version) high = middle
    else low = middle + 1
  }
  return low
}

function undo(objects: ReadonlyMap<string, ApiObject>, changes: readonly Change[]): Map<string, ApiObject> {
  const earlier = new Map(objects)
  for (const { key, before } of [...changes].reverse()) {
    if (before) earlier.set(key, before)
    else earlier.delete(key)
  }
  return earlier
}

function sortByKey(objects: ReadonlyMap<string, ApiObject>): readonly ApiObject[] {
  const keyed = [...objects.values()].map((object) => [keyOfObject(object), object] as const)
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, object]) => object)
}
