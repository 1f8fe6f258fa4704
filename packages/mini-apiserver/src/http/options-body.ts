// The optional body of a DELETE.

import { badRequest } from '../api-status.ts'
import { isObject, type JsonObject } from '../json.ts'
import { decodeText, mediaTypeOf } from '../request/decode-body.ts'
import { decodeProtobufType } from '../schema/protobuf.ts'

/** The options in the body; none when it is empty. Throws 400 when it does not parse. */
export function parseOptionsBody(body: Uint8Array, contentType: string): JsonObject {
  if (body.length === 0) return {}
  if (mediaTypeOf(contentType) === 'application/vnd.kubernetes.protobuf') {
    return decodeProtobufType(body, 'meta.DeleteOptions') ?? {}
  }
  let value: unknown
  try {
    value = JSON.parse(decodeText(body))
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`)
  }
  const options = isObject(value) ? value : {}
  const { kind = 'DeleteOptions', apiVersion = 'v1' } = options
  if (kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "mini-apiserver"`,
    )
  }
  return options
}
