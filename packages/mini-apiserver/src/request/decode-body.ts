// Request body → an object of a kind: media type, JSON, YAML or protobuf, unknown and repeated fields.

import { parseYaml } from '@kubewire/kube-model/manifest'
import { type ApiStatusError, badRequest, unsupportedMediaType } from '../api-status.ts'
import { isObject, type JsonObject, textAt } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { type Decoded, DecodeError } from '../schema/decode-json.ts'
import { duplicateFields } from '../schema/duplicate-fields.ts'
import { decodeProtobuf } from '../schema/protobuf.ts'

/** A body that was read. */
export interface DecodedBody {
  readonly object: JsonObject
  /** Words for `Warning` headers. */
  readonly warnings: readonly string[]
}

/** Largest body of a request in bytes. */
export const maxBodyBytes: number = 3 * 1024 * 1024

const bodyTypes = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'

/**
 * Decodes the body of a create or update.
 *
 * @throws ApiStatusError 400 (not JSON, wrong kind or type, strict mode) or 415
 */
export function decodeBody(
  body: Uint8Array,
  contentType: string,
  kind: ApiKind,
  validation: 'Ignore' | 'Warn' | 'Strict',
): DecodedBody {
  const mediaType = mediaTypeOf(contentType)
  if (mediaType === 'application/vnd.kubernetes.protobuf') {
    return decodeRaw(decodeProtobufBody(body, kind), [], kind, validation)
  }
  const text = decodeText(body)
  if (mediaType === 'application/yaml') return decodeRaw(parseYamlBody(text, kind), [], kind, validation)
  if (mediaType !== 'application/json' && mediaType !== '') {
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${bodyTypes}`,
    )
  }
  const duplicates = validation === 'Ignore' ? [] : duplicatesOf(text)
  return decodeRaw(parseJsonBody(text, kind), duplicates, kind, validation)
}

/** Checks kind and version of a raw object and brings it into the kind's shape. */
export function decodeRaw(
  raw: JsonObject,
  duplicates: readonly string[],
  kind: ApiKind,
  validation: 'Ignore' | 'Warn' | 'Strict',
): DecodedBody {
  checkKind(raw, kind)
  let decoded: Decoded
  try {
    decoded = kind.decode(raw)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw cannotHandle(kind, kind.kind, kind.version, error.message)
  }
  const words = [
    ...decoded.unknownFields.map((path) => `unknown field "${path}"`),
    ...duplicates.map((path) => `duplicate field "${path}"`),
  ]
  if (validation === 'Strict' && words.length > 0) {
    const message = `strict decoding error: ${words.join(', ')}`
    throw kind.isCustom ? badRequest(message) : cannotHandle(kind, kind.kind, kind.version, message)
  }
  const { group, version } = kind
  const apiVersion = group === '' ? version : `${group}/${version}`
  // COMPAT: custom objects are printed with sorted keys, built-in ones with the kind first.
  const identity = kind.isCustom ? { apiVersion, kind: kind.kind } : { kind: kind.kind, apiVersion }
  const object = { ...identity, ...decoded.object }
  return { object, warnings: validation === 'Warn' ? words : [] }
}

/** Media type without parameters, in lower case. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** UTF-8 text of a body; 400 when it is none. */
export function decodeText(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw badRequest('the body of the request is not valid UTF-8')
  }
}

function checkKind(raw: JsonObject, kind: ApiKind): void {
  const foundKind = textAt(raw, 'kind')
  const foundVersion = textAt(raw, 'apiVersion')
  const version = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
  if (kind.isCustom) {
    const json = JSON.stringify(raw)
    if (foundKind === '') throw badRequest(`Object 'Kind' is missing in '${json}'`)
    if (foundVersion === '') throw badRequest(`Object 'apiVersion' is missing in '${json}'`)
  }
  if ((foundKind === '' || foundKind === kind.kind) && (foundVersion === '' || foundVersion === version)) return
  throw cannotHandle(kind, foundKind || kind.kind, foundVersion || version)
}

function cannotHandle(kind: ApiKind, foundKind: string, foundVersion: string, why: string = ''): ApiStatusError {
  const version = foundVersion.includes('/') ? foundVersion.slice(foundVersion.indexOf('/') + 1) : foundVersion
  const reason =
    why === '' ? `no kind "${foundKind}" is registered for version "${foundVersion}" in scheme "mini-apiserver"` : why
  return badRequest(`${foundKind} in version "${version}" cannot be handled as a ${kind.kind}: ${reason}`)
}

function duplicatesOf(text: string): readonly string[] {
  return text.length > maxBodyBytes ? [] : duplicateFields(text)
}

function parseJsonBody(text: string, kind: ApiKind): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw unrecognized(kind, (error as Error).message.replace(/^Unexpected end/, 'unexpected end'), text)
  }
  if (value === null) return {}
  if (!isObject(value)) throw unrecognized(kind, 'expected an object', text)
  return value
}

function parseYamlBody(text: string, kind: ApiKind): JsonObject {
  const parsed = parseYaml(text)
  if ('error' in parsed) throw unrecognized(kind, parsed.error, text)
  if (!isObject(parsed.value)) throw unrecognized(kind, 'expected an object', text)
  return parsed.value
}

function decodeProtobufBody(body: Uint8Array, kind: ApiKind): JsonObject {
  const decoded = decodeProtobuf(body, kind)
  if (decoded !== undefined) return decoded
  throw unsupportedMediaType(
    `protobuf bodies of ${kind.kind} are not understood here; send JSON (kubectl create --dry-run=client -o yaml | kubectl apply -f -)`,
  )
}

function unrecognized(kind: ApiKind, why: string, text: string): ApiStatusError {
  const hex = text === '' ? '<empty>' : `${Buffer.from(text.slice(0, 60)).toString('hex')} ...`
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind.kind}): couldn't get version/kind; json parse error: ${why} (${hex})`,
  )
}
