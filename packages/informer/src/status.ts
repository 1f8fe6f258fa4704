// The `Status` object that the API server answers failures with (apimachinery `meta/v1` Status), reduced to what
// decides what to do next.

/** A failure in the API server's words. */
export interface Status {
  /** HTTP status code. */
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  /** From `details.retryAfterSeconds` or the `Retry-After` header, the larger. */
  readonly retryAfterSeconds?: number
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[]
}

/** Reads a decoded `Status` object; fields of the wrong type are left out. */
export function statusOf(value: unknown): Status {
  const { code, reason, message, details } = record(value)
  const { retryAfterSeconds, causes } = record(details)
  return {
    ...(typeof code === 'number' ? { code } : {}),
    ...(typeof reason === 'string' && reason !== '' ? { reason } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
    ...(Array.isArray(causes) ? { causes: causes.map(causeOf) } : {}),
  }
}

/** Whether the version asked for is no longer known: 410, reason `Expired`, or `Gone` before Kubernetes 1.18. */
export function isExpired(status: Status): boolean {
  return status.code === 410 || status.reason === 'Expired' || status.reason === 'Gone'
}

/** Whether the version asked for is not known yet: cause `ResourceVersionTooLarge`, or only the words in old servers. */
export function isTooLargeVersion(status: Status): boolean {
  return (
    status.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') === true ||
    (status.code === 504 && /too large resource version/i.test(status.message ?? ''))
  )
}

function causeOf(value: unknown): { reason?: string; message?: string; field?: string } {
  const { reason, message, field } = record(value)
  return {
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof field === 'string' ? { field } : {}),
  }
}

function record(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown }) : {}
}
