// The contract of a subresource: one function per name, listed in `registry.ts`.

import type { Answer } from '../http/answer.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import type { ResourceRoute } from '../request/route.ts'
import type { ServerState } from '../server-state.ts'

/** Answers a request for a subresource. */
export type SubresourceHandler = (
  state: ServerState,
  request: ApiRequest,
  route: ResourceRoute,
  kind: ApiKind,
) => Promise<Answer>
