// All collections and the one counter of resource versions. Knows nothing of kinds: what may be written is decided by
// the verbs before they come here.

import { type ApiObject, keyOfObject } from '../api-object.ts'
import { type Change, type Collection, createCollection, type WritableCollection } from './collection.ts'

/** The server's objects. Versions are numbers here and decimal text on the wire. */
export interface Storage {
  /** The newest version given out. */
  version(): number
  /** The collection of a resource (`services`, `ingresses.networking.k8s.io`), made when first asked for. */
  collection(resource: string): Collection
  /** Stores an object under a new version and returns it as stored. */
  put(resource: string, object: ApiObject): ApiObject
  /** Removes an object; returns it at the version of the deletion, or `undefined` when it was not there. */
  remove(resource: string, key: string): ApiObject | undefined
  /** Forgets a resource with all its objects. */
  drop(resource: string): void
  /** Forgets every version before now. */
  compact(): void
  /** Goes back to the state and the counter of an earlier version (as a restored backup does); history is gone. */
  rollBack(version: number): void
  /** Calls `listener` for every later change of any resource; the result ends it. */
  subscribe(listener: (resource: string, change: Change) => void): () => void
  /** Calls `listener` after every `rollBack`: what was remembered of the objects is worth nothing then. */
  onRollBack(listener: () => void): () => void
  /** Raises the counter without a write, as the original's own leases do. */
  tick(): void
}

/** What a storage starts with. */
export interface StorageOptions {
  /** First version; larger than any number that clients use with a meaning of its own. Default 1000. */
  readonly firstVersion?: number
  /** Changes kept per resource; default 1000. */
  readonly historySize?: number
}

/** An empty storage. */
export function createStorage({ firstVersion = 1000, historySize = 1000 }: StorageOptions = {}): Storage {
  const collections = new Map<string, WritableCollection>()
  const rollBackListeners = new Set<() => void>()
  const listeners = new Set<(resource: string, change: Change) => void>()
  let version = firstVersion
  const collection = (resource: string): WritableCollection => {
    const known = collections.get(resource)
    if (known) return known
    const made = createCollection(version, historySize)
    made.subscribe((change) => {
      for (const listener of [...listeners]) listener(resource, change)
    })
    collections.set(resource, made)
    return made
  }
  return {
    version: () => version,
    collection,
    put: (resource, object) => {
      const key = keyOfObject(object)
      const target = collection(resource)
      const before = target.get(key)
      version++
      const after = atVersion(object, version)
      target.commit({ version, key, ...(before ? { before } : {}), after })
      return after
    },
    remove: (resource, key) => {
      const target = collection(resource)
      const before = target.get(key)
      if (!before) return undefined
      version++
      target.commit({ version, key, before })
      return atVersion(before, version)
    },
    drop: (resource) => {
      const target = collections.get(resource)
      for (const object of [...(target?.list() ?? [])]) {
        version++
        target?.commit({ version, key: keyOfObject(object), before: object })
      }
      collections.delete(resource)
    },
    compact: () => {
      for (const each of collections.values()) each.compact(version)
    },
    rollBack: (to) => {
      for (const each of collections.values()) each.reset(each.listAt(to) ?? each.list(), to)
      version = to
      for (const listener of [...rollBackListeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onRollBack: (listener) => {
      rollBackListeners.add(listener)
      return () => rollBackListeners.delete(listener)
    },
    tick: () => {
      version++
    },
  }
}

/** The object with another resource version, its `metadata` keys in their usual order. */
export function atVersion(object: ApiObject, version: number): ApiObject {
  const { metadata } = object
  const result: ApiObject = { ...object, metadata: { ...metadata, resourceVersion: String(version) } }
  if (metadata.resourceVersion === undefined) result.metadata = inMetaOrder(result.metadata)
  return result
}

const metaOrder = ['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion']

function inMetaOrder(metadata: ApiObject['metadata']): ApiObject['metadata'] {
  const first = metaOrder.filter((key) => metadata[key] !== undefined).map((key) => [key, metadata[key]])
  return { ...Object.fromEntries(first), ...metadata }
}
