// Operators that tie a stream of resource events to a store's writer.

import type { KubeObject } from '@kubewire/kube-model'
import { concatMap, type MonoTypeOperatorFunction, type OperatorFunction, tap } from 'rxjs'
import type { InformerEvent, ResourceEvent } from './event.ts'
import type { StoreWriter } from './store.ts'

/** Applies every event to the store before passing it on (kube-rs `reflector`). */
export function reflectInto<T extends KubeObject>(writer: StoreWriter<T>): MonoTypeOperatorFunction<ResourceEvent<T>> {
  return tap((event) => void writer.apply(event))
}

/** Applies every event to the store and emits what changed, deletions found by a relist included. */
export function deltas<T extends KubeObject>(
  writer: StoreWriter<T>,
): OperatorFunction<ResourceEvent<T>, InformerEvent<T>> {
  return concatMap((event) => writer.apply(event))
}
