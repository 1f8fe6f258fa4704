// Drops updates that do not touch what a reader is interested in.

import { deepEqual, type KubeObject } from '@kubewire/kube-model'
import { filter, type MonoTypeOperatorFunction } from 'rxjs'
import type { InformerEvent } from '../event.ts'

/** Passes additions, deletions and replacements, and those updates whose chosen value differs (`deepEqual` by default). */
export function changedBy<T extends KubeObject>(
  select: (object: T) => unknown,
  isEqual: (a: unknown, b: unknown) => boolean = deepEqual,
): MonoTypeOperatorFunction<InformerEvent<T>> {
  return filter(
    (event) => event.type !== 'updated' || event.isReplaced || !isEqual(select(event.previous), select(event.object)),
  )
}

/** Usual choices for `changedBy`. */
export const predicates: {
  readonly generation: (object: KubeObject) => unknown
  readonly resourceVersion: (object: KubeObject) => unknown
  readonly labels: (object: KubeObject) => unknown
  readonly annotations: (object: KubeObject) => unknown
} = {
  /** The generation, or the version for kinds that have none (Service, Node, Namespace, ConfigMap, Secret, Lease). */
  generation: ({ metadata }) => metadata?.generation ?? metadata?.resourceVersion,
  resourceVersion: ({ metadata }) => metadata?.resourceVersion,
  labels: ({ metadata }) => metadata?.labels,
  annotations: ({ metadata }) => metadata?.annotations,
}
