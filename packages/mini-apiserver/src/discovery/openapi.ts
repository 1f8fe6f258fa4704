// OpenAPI documents as far as clients need them.

import type { Answer } from '../http/answer.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ServerState } from '../server-state.ts'

/** Answers paths below `/openapi`; `undefined` for others. */
export function openApiAnswer(_state: ServerState, _request: ApiRequest, _path: string): Answer | undefined {
  return undefined
}
