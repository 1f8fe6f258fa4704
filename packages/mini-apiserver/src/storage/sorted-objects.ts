// Objects in key order, kept so while they come and go: lists of a large cluster must not sort it each time.

import type { ApiObject } from '../api-object.ts'

/** A list that stays in order. Keys compare by code units, as etcd's do by bytes for the letters that names may have. */
export interface SortedObjects {
  set(key: string, object: ApiObject): void
  delete(key: string): void
  clear(): void
  /** The live list; the next write changes it. */
  readonly all: () => readonly ApiObject[]
  /** A copy of the part whose keys begin with a text. */
  startingWith(prefix: string): readonly ApiObject[]
}

/** An empty list. */
export function createSortedObjects(): SortedObjects {
  const keys: string[] = []
  const objects: ApiObject[] = []
  return {
    set: (key, object) => {
      const at = positionOf(keys, key)
      if (keys[at] === key) objects[at] = object
      else {
        keys.splice(at, 0, key)
        objects.splice(at, 0, object)
      }
    },
    delete: (key) => {
      const at = positionOf(keys, key)
      if (keys[at] !== key) return
      keys.splice(at, 1)
      objects.splice(at, 1)
    },
    clear: () => {
      keys.length = 0
      objects.length = 0
    },
    all: () => objects,
    startingWith: (prefix) => {
      const from = positionOf(keys, prefix)
      let to = from
      while (keys[to]?.startsWith(prefix)) to++
      return objects.slice(from, to)
    },
  }
}

// Where the key is, or where it belongs.
function positionOf(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}
