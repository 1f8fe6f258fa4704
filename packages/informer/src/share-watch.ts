// Several readers, one watch, without a store: late readers start from the running state of the stream, not from a list.

import { type MonoTypeOperatorFunction, share } from 'rxjs'
import type { ResourceEvent } from './event.ts'

/**
 * Shares one watch among its subscribers; it begins with the first and ends with the last. A subscriber who comes late
 * gets what follows only: who needs the state too takes an informer.
 */
export function shareWatch<T>(): MonoTypeOperatorFunction<ResourceEvent<T>> {
  return share()
}
