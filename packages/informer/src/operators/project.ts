// Projection of a stream of resource events, for pipelines without a `transformed` resource.

import { concatMap, type OperatorFunction } from 'rxjs'
import type { ResourceEvent } from '../event.ts'

/**
 * Maps the object of every event; `undefined` leaves a listed object out and turns a later change into a deletion.
 * The projection must keep `metadata`'s name, namespace, uid and version if a store follows.
 */
export function project<T, S>(
  select: (object: T) => S | undefined,
): OperatorFunction<ResourceEvent<T>, ResourceEvent<S>> {
  return concatMap((event) => projected(event, select))
}

function projected<T, S>(event: ResourceEvent<T>, select: (object: T) => S | undefined): readonly ResourceEvent<S>[] {
  if (!('object' in event)) return [event]
  const object = select(event.object)
  if (event.type === 'initApply') return object === undefined ? [] : [{ type: 'initApply', object }]
  if (event.type === 'apply' && object !== undefined) return [{ type: 'apply', object }]
  if (event.type === 'delete' && object !== undefined) return [{ ...event, object }]
  // Only the identity is known to be of use; the store answers with what it had.
  return [{ type: 'delete', object: event.object as unknown as S, isHidden: true }]
}
