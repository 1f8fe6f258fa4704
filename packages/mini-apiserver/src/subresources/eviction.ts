// `pods/x/eviction`: a deletion that asks first; nobody objects here.

import { objectAt } from '../json.ts'
import { parseDeleteOptions } from '../request/write-options.ts'
import { deleteObject } from '../verbs/delete.ts'
import { requireObject } from '../verbs/require-object.ts'
import { readJsonBody } from './read-json-body.ts'
import type { SubresourceHandler } from './subresource-handler.ts'

/** POST: deletes the pod with the options in the body. */
export const evictPod: SubresourceHandler = async (state, request, route, kind) => {
  const body = await readJsonBody(request, 'policy.Eviction')
  const pod = requireObject(state, kind, route)
  deleteObject(state, kind, pod, parseDeleteOptions(request.query, objectAt(body, 'deleteOptions')))
  const document = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
  return { kind: 'document', status: 201, document }
}
