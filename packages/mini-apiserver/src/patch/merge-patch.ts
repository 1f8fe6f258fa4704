// RFC 7386 JSON merge patch: objects are merged, `null` removes, everything else replaces.

import { copyJson, isObject, type Json, type JsonObject, setKey } from '../json.ts'

/** The target with the patch merged in; neither is changed. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return copyJson(patch)
  const result: JsonObject = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else if (value !== undefined)
      setKey(result, key, mergePatch(Object.hasOwn(result, key) ? result[key] : undefined, value))
  }
  return result
}
