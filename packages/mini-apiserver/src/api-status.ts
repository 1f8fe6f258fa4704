// Failures as the API words them: a `Status` document with its HTTP code, thrown by handlers and sent by the server.
// Wording and key order: reference of kube-apiserver 1.37, apimachinery `pkg/api/errors` and `field.Error`.

import type { JsonObject } from './json.ts'

/** One entry of `details.causes`: a field that is wrong. */
export interface Cause {
  readonly reason?: string
  readonly message: string
  readonly field: string
}

/** The error class of this package: carries the `Status` document that answers the request. */
export class ApiStatusError extends Error {
  override readonly name = 'ApiStatusError'
  readonly code: number
  readonly status: JsonObject
  readonly headers: { readonly [name: string]: string }

  constructor(parts: StatusParts, headers: { readonly [name: string]: string } = {}) {
    super(parts.message)
    this.code = parts.code
    this.status = statusDocument(parts)
    this.headers = headers
  }
}

/** What a failure says. */
export interface StatusParts {
  readonly code: number
  readonly reason?: string
  readonly message: string
  readonly details?: JsonObject
  /** Fresh token of an expired page (410 only). */
  readonly continueToken?: string
}

/** The resource that a message names. */
export interface ResourceName {
  readonly group: string
  readonly plural: string
  readonly kind: string
}

/** The `Status` document of a failure; keys in the order of the original. */
function statusDocument({ code, reason, message, details, continueToken }: StatusParts): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: continueToken === undefined ? {} : { continue: continueToken },
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  }
}

/** `services` or `ingresses.networking.k8s.io`, as messages name a resource. */
function qualifiedResource({ group, plural }: ResourceName): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** `Service` or `Ingress.networking.k8s.io`. */
function qualifiedKind({ group, kind }: ResourceName): string {
  return group === '' ? kind : `${kind}.${group}`
}

/** `details` that name the resource (plural) and an object of it. */
export function resourceDetails(resource: ResourceName, name: string): JsonObject {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
  }
}

/** 400. */
export function badRequest(message: string): ApiStatusError {
  return new ApiStatusError({ code: 400, reason: 'BadRequest', message })
}

/** 404 of one object. */
export function notFound(resource: ResourceName, name: string): ApiStatusError {
  const message = `${qualifiedResource(resource)} "${name}" not found`
  return new ApiStatusError({ code: 404, reason: 'NotFound', message, details: resourceDetails(resource, name) })
}

/** 404 of a resource that nobody serves. */
export function resourceNotFound(): ApiStatusError {
  const message = 'the server could not find the requested resource'
  return new ApiStatusError({ code: 404, reason: 'NotFound', message, details: {} })
}

/** 405. */
export function methodNotAllowed(): ApiStatusError {
  const message = 'the server does not allow this method on the requested resource'
  return new ApiStatusError({ code: 405, reason: 'MethodNotAllowed', message, details: {} })
}

/** 409 of a create. */
export function alreadyExists(resource: ResourceName, name: string): ApiStatusError {
  const message = `${qualifiedResource(resource)} "${name}" already exists`
  return new ApiStatusError({ code: 409, reason: 'AlreadyExists', message, details: resourceDetails(resource, name) })
}

const modified = 'the object has been modified; please apply your changes to the latest version and try again'

/** 409 of a write against another version. */
export function conflict(resource: ResourceName, name: string, why: string = modified): ApiStatusError {
  const message = `Operation cannot be fulfilled on ${qualifiedResource(resource)} "${name}": ${why}`
  return new ApiStatusError({ code: 409, reason: 'Conflict', message, details: resourceDetails(resource, name) })
}

/** 403 that names an object and why. */
export function forbidden(
  resource: ResourceName,
  name: string,
  why: string,
  causes: readonly Cause[] = [],
): ApiStatusError {
  const named = name === '' ? qualifiedResource(resource) : `${qualifiedResource(resource)} "${name}"`
  const details = resourceDetails(resource, name)
  if (causes.length > 0) details['causes'] = causes.map((cause) => ({ ...cause }))
  return new ApiStatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${named} is forbidden: ${why}`,
    details,
  })
}

/** 422: every wrong field is a cause; the message lists them, in brackets when they are several. */
export function invalid(
  resource: Pick<ResourceName, 'group' | 'kind'>,
  name: string,
  causes: readonly Cause[],
): ApiStatusError {
  const words = causes.map(({ field, message }) => `${field}: ${message}`)
  const list = words.length === 1 ? words[0] : `[${words.join(', ')}]`
  const details: JsonObject = {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    ...(resource.kind === '' ? {} : { kind: resource.kind }),
    causes: causes.map(({ reason, message, field }) => ({ ...(reason ? { reason } : {}), message, field })),
  }
  const message = `${qualifiedKind({ ...resource, plural: '' })} "${name}" is invalid: ${list}`
  return new ApiStatusError({ code: 422, reason: 'Invalid', message, details })
}

/** 422 of a replace without version; COMPAT: this one names the resource where all others name the Kind. */
export function missingVersion(resource: ResourceName, name: string): ApiStatusError {
  const message = 'Invalid value: 0: must be specified for an update'
  const field = 'metadata.resourceVersion'
  const details = { ...resourceDetails(resource, name), causes: [{ reason: 'FieldValueInvalid', message, field }] }
  return new ApiStatusError({
    code: 422,
    reason: 'Invalid',
    message: `${qualifiedResource(resource)} "${name}" is invalid: ${field}: ${message}`,
    details,
  })
}

/** 410 of a list or page token. */
export function expired(message: string, continueToken?: string): ApiStatusError {
  return new ApiStatusError({
    code: 410,
    reason: 'Expired',
    message,
    ...(continueToken === undefined ? {} : { continueToken }),
  })
}

/** 415. */
export function unsupportedMediaType(message: string, details?: JsonObject): ApiStatusError {
  return new ApiStatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message,
    ...(details === undefined ? {} : { details }),
  })
}

/** 406. */
export function notAcceptable(message: string): ApiStatusError {
  return new ApiStatusError({ code: 406, reason: 'NotAcceptable', message, details: {} })
}

/** 500 without a reason, as the original answers some mistakes of clients. */
export function internalError(message: string): ApiStatusError {
  return new ApiStatusError({ code: 500, message })
}
