// RFC 7386 JSON merge patch: objects are merged, `null` removes, everything else replaces.

import { copyJson, isObject, type Json, type JsonObject } from '../json.ts'

/** The target with the patch merged in; neither is changed. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return copyJson(patch)
  const result: JsonObject = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else if (value !== undefined) result[key] = mergePatch(result[key], value)
  }
  return result
}
