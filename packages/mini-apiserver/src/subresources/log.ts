// `pods/x/log`: there are no containers, so there is nothing to read.

import { requireObject } from '../verbs/require-object.ts'
import type { SubresourceHandler } from './subresource-handler.ts'

/** GET: an empty text. */
export const readPodLog: SubresourceHandler = async (state, _request, route, kind) => {
  requireObject(state, kind, route)
  return { kind: 'text', status: 200, text: '' }
}
