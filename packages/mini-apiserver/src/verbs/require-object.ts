// The object that a path names.

import { type ApiObject, storageKey } from '../api-object.ts'
import { notFound } from '../api-status.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import type { ServerState } from '../server-state.ts'

/** The object in the kind's view; throws its 404. */
export function requireObject(
  state: ServerState,
  kind: ApiKind,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): ApiObject {
  const stored = state.storage.collection(kind.storage).get(storageKey(namespace, name))
  if (!stored) throw notFound(kind, name)
  return kind.fromStorage(stored)
}
