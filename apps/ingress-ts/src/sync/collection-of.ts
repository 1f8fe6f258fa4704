// A collection of a snapshot out of plain objects.

import { type KubeObject, keyOf, type ObjectCollection, objectKey } from '@kubewire/kube-model'

/** The objects by namespace and name, as they are now. */
export function collectionOf<T extends KubeObject>(objects: Iterable<T>): ObjectCollection<T> {
  const byKey = new Map(Array.from(objects, (object) => [keyOf(object), object] as const))
  return {
    size: byKey.size,
    get: (name, namespace) => byKey.get(objectKey(namespace, name)),
    [Symbol.iterator]: () => byKey.values(),
  }
}
