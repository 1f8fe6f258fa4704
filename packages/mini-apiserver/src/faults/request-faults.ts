// Faults of whole requests: an answer instead of the real one, or the real one changed.

import { ApiStatusError, expired } from '../api-status.ts'
import type { Answer } from '../http/answer.ts'
import { statusAnswer, unauthorized } from '../http/handle-request.ts'
import { tooLargeVersion } from '../verbs/list.ts'
import type { FaultRule } from './faults.ts'

/** The answer that a fault gives in place of the real one; `undefined` when it gives none. */
export function faultyAnswer(rule: FaultRule, query: URLSearchParams): Answer | undefined {
  switch (rule.kind) {
    case 'throttle':
      return throttled(rule.retryAfter ?? 1)
    case 'serverError':
      return serverError(rule)
    case 'unauthorized':
      return statusAnswer(unauthorized())
    case 'forbidden':
      return statusAnswer(
        new ApiStatusError({ code: 403, reason: 'Forbidden', message: 'forbidden by a fault', details: {} }),
      )
    case 'expired':
      return statusAnswer(expired('The resourceVersion for the provided list is too old.'))
    case 'expirePage':
      return query.has('continue') ? statusAnswer(expired('The provided continue parameter is too old.')) : undefined
    case 'tooLargeVersion':
      return statusAnswer(tooLargeVersion(999_999_999, 1000))
    case 'garbage':
      return {
        kind: 'text',
        status: 200,
        text: '<html><body>hello</body></html>',
        headers: { 'content-type': 'text/html' },
      }
    default:
      return undefined
  }
}

/** The query that the server works with under these faults. */
export function faultyQuery(rules: readonly FaultRule[], query: URLSearchParams): URLSearchParams {
  const changed = new URLSearchParams(query)
  for (const { kind } of rules) {
    if (kind === 'ignoreLimit') changed.delete('limit')
    if (kind === 'ignoreSelector') {
      changed.delete('labelSelector')
      changed.delete('fieldSelector')
    }
  }
  return changed
}

// COMPAT: the original's throttle answers in plain text, not with a `Status`.
function throttled(retryAfter: number): Answer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...retryHeader(retryAfter) }
  return { kind: 'text', status: 429, text: 'Too many requests, please try again later.\n', headers }
}

function serverError({ status = 500, body = 'json', retryAfter = 0 }: FaultRule): Answer {
  const headers = retryHeader(retryAfter)
  if (body === 'empty') return { kind: 'text', status, text: '', headers }
  if (body === 'html') {
    const text = `<html><head><title>${status}</title></head><body>proxy error</body></html>`
    return { kind: 'text', status, text, headers: { ...headers, 'content-type': 'text/html' } }
  }
  const reasons: { readonly [code: number]: string } = {
    500: 'InternalError',
    503: 'ServiceUnavailable',
    504: 'Timeout',
  }
  const reason = reasons[status]
  const error = new ApiStatusError(
    { code: status, ...(reason ? { reason } : {}), message: 'broken by a fault', details: {} },
    headers,
  )
  return statusAnswer(error)
}

function retryHeader(seconds: number): { readonly [name: string]: string } {
  return seconds > 0 ? { 'retry-after': String(seconds) } : {}
}
