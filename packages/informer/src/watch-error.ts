// The one error class of this package: what was attempted, what the world answered, whether trying again can help.

import type { InformerCode } from './problem-codes.ts'
import { isExpired, isTooLargeVersion, type Status } from './status.ts'

/** What was being done. */
export type WatchStep = 'connect' | 'list' | 'watch' | 'frame' | 'transform' | 'index' | 'handler' | 'request'

/** The parts of a `WatchError`. */
export interface WatchErrorParts {
  readonly code: InformerCode
  readonly step: WatchStep
  readonly message: string
  readonly status?: Status
  readonly retryInMs?: number
  readonly cause?: unknown
}

/**
 * Anything that went wrong between us and the API server, or in a transform or index function. Values of this class
 * travel on `errors$` and in `status$`; streams never fail with it. `Cluster.request` rejects with it.
 */
export class WatchError extends Error {
  override readonly name = 'WatchError'
  readonly code: InformerCode
  readonly step: WatchStep
  /** The server's answer, when there was one. */
  readonly status?: Status
  /** Whether the same attempt may succeed later. */
  readonly isRetryable: boolean
  /** Delay until the next attempt, when one is planned. */
  readonly retryInMs?: number

  constructor(parts: WatchErrorParts) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause })
    this.code = parts.code
    this.step = parts.step
    if (parts.status !== undefined) this.status = parts.status
    if (parts.retryInMs !== undefined) this.retryInMs = parts.retryInMs
    this.isRetryable = isRetryableCode(parts.code, parts.status)
  }
}

/** The same error with the delay until the next attempt. */
export function withRetry(error: WatchError, retryInMs: number): WatchError {
  const { code, step, message, status, cause } = error
  return new WatchError({ code, step, message, retryInMs, cause, ...(status === undefined ? {} : { status }) })
}

/** Wraps whatever a source threw; a `WatchError` is returned as it is. */
export function asWatchError(thrown: unknown, step: WatchStep): WatchError {
  if (thrown instanceof WatchError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new WatchError({ code: 'INF_CONNECT', step, message, cause: thrown })
}

/** The error for an answer of the server; `what` says what was asked, such as `list services`. */
export function errorOfStatus(status: Status, step: WatchStep, what: string): WatchError {
  const said = status.message ?? status.reason ?? 'no message'
  const text = said.length > 200 ? `${said.slice(0, 199)}…` : said
  return new WatchError({ code: codeOfStatus(status), step, status, message: `${what}: ${status.code ?? '?'} ${text}` })
}

function codeOfStatus(status: Status): InformerCode {
  if (isExpired(status)) return 'INF_EXPIRED'
  if (isTooLargeVersion(status)) return 'INF_TOO_LARGE_VERSION'
  switch (status.code) {
    case 401:
      return 'INF_UNAUTHORIZED'
    case 403:
      return 'INF_FORBIDDEN'
    case 404:
      return 'INF_NOT_FOUND'
    case 429:
      return 'INF_THROTTLED'
    default:
      return 'INF_SERVER'
  }
}

function isRetryableCode(code: InformerCode, status: Status | undefined): boolean {
  switch (code) {
    case 'INF_TRANSFORM':
    case 'INF_INDEX':
    case 'INF_HANDLER':
    case 'INF_WRONG_KIND':
      return false
    case 'INF_REQUEST':
    case 'INF_SERVER':
      return (status?.code ?? 500) >= 500 || status?.code === 409
    default:
      return true
  }
}
