// `namespaces/x/finalize`: the last step of a namespace's life.

import { keyOfObject } from '../api-object.ts'
import { copyJson, objectAt } from '../json.ts'
import { decodeBody } from '../request/decode-body.ts'
import { requireName } from '../verbs/create.ts'
import { requireObject } from '../verbs/require-object.ts'
import type { SubresourceHandler } from './subresource-handler.ts'

/** PUT: writes `spec.finalizers`; without any, a namespace that is ending is gone. */
export const finalizeNamespace: SubresourceHandler = async (state, request, route, kind) => {
  const { object } = decodeBody(await request.body(), request.contentType, kind, 'Warn')
  requireName(object, route.name)
  const namespace = copyJson(requireObject(state, kind, { namespace: '', name: route.name }))
  const finalizers = objectAt(object, 'spec')['finalizers']
  const isEmpty = !Array.isArray(finalizers) || finalizers.length === 0
  namespace['spec'] = isEmpty ? {} : { finalizers }
  const isEnding = namespace.metadata.deletionTimestamp !== undefined
  if (isEmpty && isEnding) state.storage.remove(kind.storage, keyOfObject(namespace))
  const written = isEmpty && isEnding ? namespace : state.storage.put(kind.storage, namespace)
  return { kind: 'object', status: 200, of: kind, object: written }
}
