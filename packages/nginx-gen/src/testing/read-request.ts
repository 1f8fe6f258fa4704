// Requests and their outcomes as short texts.

import type { SimulatedRequest } from '../simulate/request.ts'
import type { RequestOutcome } from '../simulate/trace.ts'

/** `[METHOD ][http[s]://]host/path` as a request. */
export function readRequest(text: string | SimulatedRequest): SimulatedRequest {
  if (typeof text !== 'string') return text
  const parts = /^(?:([A-Z]+) )?(?:(https?):\/\/)?([^/]*)(\/.*)?$/s.exec(text)
  const [, method, scheme, host = '', path] = parts ?? []
  return {
    host,
    ...(method === undefined ? {} : { method }),
    ...(scheme === 'https' ? { scheme } : {}),
    ...(path === undefined ? {} : { path }),
  }
}

/** All spellings that fit an outcome, the most telling one first. */
export function answersOf(outcome: RequestOutcome): readonly string[] {
  switch (outcome.kind) {
    case 'refused':
      return ['refused']
    case 'proxy':
      return [`backend ${outcome.upstream} ${outcome.path}`, `backend ${outcome.upstream}`]
    case 'answer':
      return outcome.location === undefined
        ? [String(outcome.status)]
        : [`${outcome.status} ${outcome.location}`, String(outcome.status)]
    case 'other':
      return [outcome.by]
  }
}
