// The body of a subresource that is no kind of its own.

import { badRequest, unsupportedMediaType } from '../api-status.ts'
import type { ApiRequest } from '../http/request.ts'
import { isObject, type JsonObject } from '../json.ts'
import { decodeText, mediaTypeOf } from '../request/decode-body.ts'
import { decodeProtobufType } from '../schema/protobuf.ts'

/** Reads JSON, or protobuf of the given type; an empty body is an empty object. */
export async function readJsonBody(request: ApiRequest, typeName: string): Promise<JsonObject> {
  const body = await request.body()
  if (body.length === 0) return {}
  if (mediaTypeOf(request.contentType) === 'application/vnd.kubernetes.protobuf') {
    const decoded = decodeProtobufType(body, typeName)
    if (decoded === undefined) throw unsupportedMediaType('this protobuf body is not understood here')
    return decoded
  }
  try {
    const value: unknown = JSON.parse(decodeText(body))
    if (isObject(value)) return value
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`)
  }
  throw badRequest('expected a JSON object')
}
