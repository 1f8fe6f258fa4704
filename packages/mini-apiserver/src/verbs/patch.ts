// PATCH: the four patch types, each a function from the current object to the wanted one; then an ordinary update.

import { parseYaml } from '@kubewire/kube-model/manifest'
import type { ApiObject } from '../api-object.ts'
import { ApiStatusError, badRequest, internalError, invalid, unsupportedMediaType } from '../api-status.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { applyJsonPatch, JsonPatchError, maxOperations } from '../patch/json-patch.ts'
import { mergePatch } from '../patch/merge-patch.ts'
import { printGoValue, StrategicPatchError, strategicMerge } from '../patch/strategic-merge.ts'
import { decodeRaw, decodeText, mediaTypeOf } from '../request/decode-body.ts'
import type { WriteOptions } from '../request/write-options.ts'
import { duplicateFields } from '../schema/duplicate-fields.ts'

/** Media type of server-side apply. */
export const applyType = 'application/apply-patch+yaml'

const patchTypes = ['application/json-patch+json', 'application/merge-patch+json']
const strategicType = 'application/strategic-merge-patch+json'

/** Checks the media type of a PATCH; throws the 415 that lists the accepted ones. */
export function patchType(contentType: string, kind: ApiKind): string {
  const type = mediaTypeOf(contentType)
  const accepted = [...patchTypes, ...(kind.isCustom ? [] : [strategicType]), applyType]
  if (accepted.includes(type)) return type
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    {},
  )
}

/** The current object with the patch applied, in the kind's shape. */
export interface Patched {
  readonly object: JsonObject
  readonly warnings: readonly string[]
}

/** Applies a patch that is no apply; throws the 400 or 422 of the original. */
export function patchObject(
  current: ApiObject,
  body: Uint8Array,
  type: string,
  kind: ApiKind,
  options: WriteOptions,
): Patched {
  const text = decodeText(body)
  const patch = parsePatch(text, type)
  const patched = applyPatch(current, patch, type, kind)
  const duplicates = options.fieldValidation === 'Ignore' ? [] : duplicateFields(text)
  try {
    return decodeRaw(patched, duplicates, kind, options.fieldValidation)
  } catch (error) {
    throw asPatchProblem(error, patched, patch, type)
  }
}

/** The body of an apply as an object; JSON is YAML, too. */
export function parseApplyBody(body: Uint8Array): JsonObject {
  const parsed = parseYaml(decodeText(body))
  if ('error' in parsed) throw badRequest(`error encoding patch: yaml: ${parsed.error}`)
  if (!isObject(parsed.value)) {
    const found = Array.isArray(parsed.value) ? 'array' : typeof parsed.value
    const why = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`
    throw badRequest(`error decoding patch: error unmarshaling JSON: while decoding JSON: ${why}`)
  }
  return parsed.value
}

function parsePatch(text: string, type: string): Json {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    throw badRequest('invalid JSON patch')
  }
  if (type === 'application/json-patch+json') checkOperations(value)
  else if (!isObject(value)) {
    const found = Array.isArray(value) ? 'array' : typeof value
    const why = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`
    throw badRequest(type === strategicType ? why : `error decoding patch: ${why}`)
  }
  return value
}

function checkOperations(value: Json): void {
  if (!Array.isArray(value)) {
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch')
  }
  if (value.length <= maxOperations) return
  const message = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${value.length}`
  throw new ApiStatusError({ code: 413, reason: 'RequestEntityTooLarge', message, details: {} })
}

function applyPatch(current: ApiObject, patch: Json, type: string, kind: ApiKind): JsonObject {
  try {
    const result = Array.isArray(patch)
      ? applyJsonPatch(current, patch)
      : type === strategicType && kind.typeName !== undefined
        ? strategicMerge(current, patch as JsonObject, kind.typeName)
        : mergePatch(current, patch)
    if (isObject(result)) return result
    throw new JsonPatchError('the result is no object')
  } catch (error) {
    if (error instanceof StrategicPatchError) throw internalError(error.message)
    if (!(error instanceof JsonPatchError)) throw error
    const message = 'the server rejected our request due to an error in our request'
    throw new ApiStatusError({ code: 422, reason: 'Invalid', message, details: {} })
  }
}

// A patched object that does not decode is the fault of the patch.
// COMPAT: 422 on the field `patch` of nothing in particular; the value is the patched object, or, for a strategic merge,
// the patch as Go prints it.
function asPatchProblem(error: unknown, patched: JsonObject, patch: Json, type: string): unknown {
  if (!(error instanceof ApiStatusError) || error.code !== 400) return error
  const why = /(?:strict decoding error|json: |illegal base64|parsing time).*$/s.exec(error.message)?.[0]
  if (why === undefined) return error
  const found = JSON.stringify(type === strategicType ? printGoValue(patch) : JSON.stringify(goOrder(patched)))
  const cause = { reason: 'FieldValueInvalid', message: `Invalid value: ${found}: ${why}`, field: 'patch' }
  return invalid({ group: '', kind: '' }, '', [cause])
}

function goOrder({ apiVersion, kind, ...rest }: JsonObject): JsonObject {
  return { apiVersion, kind, ...rest }
}
