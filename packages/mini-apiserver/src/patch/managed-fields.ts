// Who owns which field (`metadata.managedFields`), for writes that are no apply.

import type { ApiObject } from '../api-object.ts'
import type { JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'

/** The entries of a new object: everything belongs to its creator. */
export function ownAllFields(_object: ApiObject, _kind: ApiKind, _manager: string, _nowMs: number): JsonObject[] {
  return []
}

/** The entries after an update: what changed belongs to the writer. */
export function ownChangedFields(
  _next: ApiObject,
  old: ApiObject,
  _kind: ApiKind,
  _manager: string,
  _subresource: string,
  _nowMs: number,
): JsonObject[] {
  return old.metadata.managedFields ?? []
}
