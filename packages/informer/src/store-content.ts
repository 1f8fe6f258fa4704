// What a store holds at one moment: objects by key and the indexes over them. Replaced as a whole by a relist.

import type { KubeObject, ObjectKey } from '@kubewire/kube-model'
import type { IndexTable } from './index-table.ts'

/** Objects, indexes, version; mutable, held by the store alone. */
export class StoreContent<T extends KubeObject> {
  readonly objects: Map<ObjectKey, T> = new Map()
  resourceVersion: string | undefined
  readonly #indexes = new Map<string, IndexTable<T>>()

  /** Adds an index over what is there; a name that exists is left alone. */
  addIndex(name: string, table: IndexTable<T>): void {
    if (this.#indexes.has(name)) return
    this.#indexes.set(name, table)
    for (const [key, object] of this.objects) table.update(key, undefined, object)
  }

  /** Stores or, with `undefined`, removes an object. */
  set(key: ObjectKey, object: T | undefined): void {
    const before = this.objects.get(key)
    if (object === undefined) this.objects.delete(key)
    else this.objects.set(key, object)
    for (const table of this.#indexes.values()) table.update(key, before, object)
  }

  index(name: string): IndexTable<T> {
    const table = this.#indexes.get(name)
    if (table === undefined) throw new Error(`expected an index of this store, got "${name}"`)
    return table
  }

  byIndex(name: string, value: string): T[] {
    const found: T[] = []
    for (const key of this.index(name).keys(value)) {
      const object = this.objects.get(key)
      if (object !== undefined) found.push(object)
    }
    return found
  }
}
