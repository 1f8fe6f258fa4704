// The order in which the ingress controller takes Ingresses: by creation, then by name.

import { creationTimeMs, type Ingress, type ObjectCollection, sortedObjects } from '@kubewire/kube-model'

/** Oldest first; objects of files have no creation time and keep the order of their names. */
export function oldestFirst(ingresses: ObjectCollection<Ingress>): Ingress[] {
  return sortedObjects(ingresses).sort((a, b) => (creationTimeMs(a) || 0) - (creationTimeMs(b) || 0))
}
