// Subresources that are no part of their object: a function per name.

import type { Answer } from '../http/answer.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import type { ResourceRoute } from '../request/route.ts'
import type { ServerState } from '../server-state.ts'
import { bindPod } from './binding.ts'
import { evictPod } from './eviction.ts'
import { finalizeNamespace } from './finalize.ts'
import { readPodLog } from './log.ts'
import { scaleWorkload } from './scale.ts'

/** Answers a request for a subresource. */
export type SubresourceHandler = (
  state: ServerState,
  request: ApiRequest,
  route: ResourceRoute,
  kind: ApiKind,
) => Promise<Answer>

const handlers: { readonly [place: string]: SubresourceHandler } = {
  'namespaces/finalize': finalizeNamespace,
  'pods/binding': bindPod,
  'pods/eviction': evictPod,
  'pods/log': readPodLog,
  '*/scale': scaleWorkload,
}

/** The handler of a subresource; `undefined` for those that are parts of the object. */
export function findSubresource(kind: ApiKind, name: string): SubresourceHandler | undefined {
  return handlers[`${kind.storage}/${name}`] ?? handlers[`*/${name}`]
}
