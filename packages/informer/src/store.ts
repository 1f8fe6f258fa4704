// Objects by key with named indexes (client-go `Indexer`). Reader and writer are separate values: only who holds the
// writer can change anything. A relist is prepared beside the content and swapped in at once.

import { type KubeObject, type ObjectCollection, type ObjectKey, objectKey } from '@kubewire/kube-model'
import type { InformerEvent, ResourceEvent } from './event.ts'
import { type Indexers, type IndexFunction, IndexTable } from './index-table.ts'
import { StoreContent } from './store-content.ts'
import { ContentWriter } from './store-writer.ts'
import { WatchError } from './watch-error.ts'

/** Read access. Iteration and lookups are live; objects are shared and must not be changed. */
export interface Store<T extends KubeObject, Index extends string = never> extends ObjectCollection<T> {
  readonly size: number
  /** Version of the newest list, change or bookmark that the content includes. */
  readonly resourceVersion: string | undefined
  get(name: string, namespace?: string): T | undefined
  getByKey(key: ObjectKey): T | undefined
  keys(): Iterable<ObjectKey>
  /** Objects under an index value, in no order; a fresh array. Throws on an index that does not exist. */
  byIndex(name: Index, value: string): readonly T[]
  /** All values of an index. */
  indexValues(name: Index): Iterable<string>
}

/** Write access. */
export interface StoreWriter<T extends KubeObject> {
  /**
   * Applies one event and tells what changed, empty when nothing did. The store is complete before this returns;
   * after a relist deletions come first, then additions and updates in list order.
   */
  apply(event: ResourceEvent<T>): readonly InformerEvent<T>[]
  /** Adds indexes and indexes what is there. Throws when a name exists with another function. */
  addIndexers(indexers: { readonly [name: string]: IndexFunction<T> }): void
  /** Watch frames dropped because they were older than the stored object, since the start. */
  readonly staleFrames: number
}

/** Options of `createStore`. */
export interface StoreOptions<T extends KubeObject, Index extends string> {
  readonly indexers?: Indexers<T, Index>
  /** Called with `INF_INDEX` when an index function throws; the object stays stored, without values in that index. */
  readonly onError?: (error: WatchError) => void
}

/** An empty store and its only writer. */
export function createStore<T extends KubeObject, Index extends string = never>(
  options: StoreOptions<T, Index> = {},
): { readonly store: Store<T, Index>; readonly writer: StoreWriter<T> } {
  const functions = new Map<string, IndexFunction<T>>()
  const tableOf = (name: string, valuesOf: IndexFunction<T>): IndexTable<T> =>
    new IndexTable(valuesOf, (cause, object) => options.onError?.(indexError(name, cause, object)))
  const current = { content: new StoreContent<T>() }
  const addIndexers = (indexers: { readonly [name: string]: IndexFunction<T> }): void => {
    for (const [name, valuesOf] of Object.entries(indexers)) {
      const known = functions.get(name)
      if (known === valuesOf) continue
      if (known !== undefined) throw new Error(`expected a new index name, "${name}" is taken by another function`)
      functions.set(name, valuesOf)
      current.content.addIndex(name, tableOf(name, valuesOf))
    }
  }
  addIndexers(options.indexers ?? {})
  const emptyContent = (): StoreContent<T> => {
    const content = new StoreContent<T>()
    for (const [name, valuesOf] of functions) content.addIndex(name, tableOf(name, valuesOf))
    return content
  }
  const writer = new ContentWriter(current, emptyContent)
  const store: Store<T, Index> = {
    get size() {
      return current.content.objects.size
    },
    get resourceVersion() {
      return current.content.resourceVersion
    },
    get: (name, namespace) => current.content.objects.get(objectKey(namespace, name)),
    getByKey: (key) => current.content.objects.get(key),
    keys: () => current.content.objects.keys(),
    byIndex: (name, value) => current.content.byIndex(name, value),
    indexValues: (name) => current.content.index(name).values(),
    [Symbol.iterator]: () => current.content.objects.values(),
  }
  return {
    store,
    writer: {
      apply: (event) => writer.apply(event),
      addIndexers: (indexers) => {
        addIndexers(indexers)
        writer.indexersAdded((content) => {
          for (const [name, valuesOf] of functions) content.addIndex(name, tableOf(name, valuesOf))
        })
      },
      get staleFrames() {
        return writer.staleFrames
      },
    },
  }
}

function indexError<T extends KubeObject>(name: string, cause: unknown, object: T): WatchError {
  const { namespace = '', name: objectName = '', resourceVersion = '' } = object.metadata ?? {}
  const message = `index ${name} threw for ${objectKey(namespace, objectName)} at version ${resourceVersion}`
  return new WatchError({ code: 'INF_INDEX', step: 'index', message, cause })
}
