// A reader's view of a store by namespace and label selector (client-go `Lister`).

import { type KubeObject, matchesSelector, objectKey, parseSelector } from '@kubewire/kube-model'
import type { Store } from './store.ts'

/** Lists objects of one store, or of one namespace of it. */
export interface Lister<T extends KubeObject> {
  /** Objects whose labels match, in no order. Throws when the selector does not parse. */
  list(options?: { readonly labelSelector?: string }): readonly T[]
  get(name: string): T | undefined
  namespace(namespace: string): Lister<T>
}

/** A lister over everything in `store`, or over one namespace. Listing looks at every object of the store. */
export function createLister<T extends KubeObject>(store: Store<T, never>, namespace?: string): Lister<T> {
  return {
    list: ({ labelSelector = '' } = {}) => {
      const selector = parseSelector(labelSelector)
      if (selector === undefined) throw new Error(`expected a label selector, got ${JSON.stringify(labelSelector)}`)
      const found: T[] = []
      for (const object of store) {
        const { metadata } = object
        if (namespace !== undefined && metadata?.namespace !== namespace) continue
        if (matchesSelector(selector, metadata?.labels)) found.push(object)
      }
      return found
    },
    get: (name) => store.getByKey(objectKey(namespace, name)),
    namespace: (name) => createLister(store, name),
  }
}
