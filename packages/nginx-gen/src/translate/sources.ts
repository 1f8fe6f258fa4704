// Services and slices that backends are read from. While they are those of the translation before, nothing has to be
// asked again about each of thousands of backends.

import type { ClusterSnapshot, EndpointSlice, KubeObject, ObjectCollection, Service } from '@kubewire/kube-model'
import { indexSlices, type SlicesOf } from './endpoints.ts'

/** Those of one translation. */
export interface Sources {
  readonly services: readonly Service[]
  readonly slices: readonly EndpointSlice[]
  readonly slicesOf: SlicesOf
}

/** The sources of a snapshot; the same object where it holds the same ones in the same order. */
export function readSources(snapshot: ClusterSnapshot, before: Sources | undefined): Sources {
  const hasServices = before !== undefined && holds(snapshot.services, before.services)
  const hasSlices = before !== undefined && holds(snapshot.endpointSlices, before.slices)
  if (hasServices && hasSlices) return before
  const { slices, slicesOf } = hasSlices
    ? before
    : { slices: [...snapshot.endpointSlices], slicesOf: indexSlices(snapshot) }
  return { services: hasServices ? before.services : [...snapshot.services], slices, slicesOf }
}

function holds<T extends KubeObject>(collection: ObjectCollection<T>, list: readonly T[]): boolean {
  if (collection.size !== list.length) return false
  let at = 0
  for (const object of collection) if (object !== list[at++]) return false
  return true
}
