// Server-side apply.

import type { ApiObject } from '../api-object.ts'
import { storageKey } from '../api-object.ts'
import { copyJson } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { mergePatch } from '../patch/merge-patch.ts'
import { decodeRaw } from '../request/decode-body.ts'
import type { WriteOptions } from '../request/write-options.ts'
import type { ServerState } from '../server-state.ts'
import { createObject, requireName, type WriteRequest } from './create.ts'
import { parseApplyBody } from './patch.ts'
import { updateObject } from './update.ts'

/** The outcome of an apply. */
export interface Applied {
  readonly object: ApiObject
  readonly isCreated: boolean
  readonly warnings: readonly string[]
}

/** Applies a configuration. */
export function applyObject(
  state: ServerState,
  kind: ApiKind,
  body: Uint8Array,
  request: WriteRequest,
  options: WriteOptions & { readonly subresource: string },
): Applied {
  const raw = parseApplyBody(body)
  requireName(raw, request.name)
  const stored = state.storage.collection(kind.storage).get(storageKey(request.namespace, request.name))
  if (!stored) {
    const { object, warnings } = decodeRaw(raw, [], kind, options.fieldValidation)
    return { object: createObject(state, kind, object, request), isCreated: true, warnings }
  }
  const current = kind.fromStorage(stored)
  const { object, warnings } = decodeRaw(
    mergePatch(copyJson(current), raw) as typeof raw,
    [],
    kind,
    options.fieldValidation,
  )
  return {
    object: updateObject(state, kind, current, object, request, { subresource: options.subresource, isPatch: true }),
    isCreated: false,
    warnings,
  }
}
