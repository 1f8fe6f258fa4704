// A snapshot that stands still. The one of the daemon is its stores: what takes many looks at it, with work of nginx in
// between, sees a cluster that goes on changing.

import { type ClusterSnapshot, type KubeObject, type ObjectCollection, objectKey } from '@kubewire/kube-model'
import { collectionOf } from './collection-of.ts'

/**
 * The objects of now. Secrets are those of the first time that each is asked for: asking is what makes one be read, and
 * all that are needed have been asked for before.
 */
export function frozenSnapshot({ secrets, ...others }: ClusterSnapshot): ClusterSnapshot {
  const frozen = Object.entries(others).map(([kind, objects]) => [kind, collectionOf<KubeObject>(objects)])
  return { ...(Object.fromEntries(frozen) as typeof others), secrets: remembered(secrets) }
}

function remembered<T extends KubeObject>(collection: ObjectCollection<T>): ObjectCollection<T> {
  const answers = new Map<string, T | undefined>()
  return {
    size: collection.size,
    get: (name, namespace) => {
      const key = objectKey(namespace, name)
      if (!answers.has(key)) answers.set(key, collection.get(name, namespace))
      return answers.get(key)
    },
    [Symbol.iterator]: () => collection[Symbol.iterator](),
  }
}
