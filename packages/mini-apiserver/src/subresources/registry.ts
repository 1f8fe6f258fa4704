// Subresources that are no part of their object: a function per name.

import type { ApiKind } from '../kinds/define-kind.ts'
import { bindPod } from './binding.ts'
import { evictPod } from './eviction.ts'
import { finalizeNamespace } from './finalize.ts'
import { readPodLog } from './log.ts'
import { scaleWorkload } from './scale.ts'
import type { SubresourceHandler } from './subresource-handler.ts'

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
