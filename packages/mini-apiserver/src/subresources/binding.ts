// `pods/x/binding` and `bindings`: puts a pod on a node.

import { printTime } from '../api-object.ts'
import { badRequest, conflict } from '../api-status.ts'
import { copyJson, isObject, type JsonObject, objectAt, objectsAt, textAt } from '../json.ts'
import { requireObject } from '../verbs/require-object.ts'
import { readJsonBody } from './read-json-body.ts'
import type { SubresourceHandler } from './subresource-handler.ts'

/** POST: sets `spec.nodeName` and the condition `PodScheduled`. */
export const bindPod: SubresourceHandler = async (state, request, route, kind) => {
  const body = await readJsonBody(request, 'core.Binding')
  if (textAt(objectAt(body, 'metadata'), 'name') !== route.name) {
    throw badRequest('name in URL does not match name in Binding object')
  }
  const target = objectAt(body, 'target')
  const name = textAt(target, 'name')
  if (name === '') throw badRequest('target.name: Required value')
  const pod = requireObject(state, kind, route)
  const spec = objectAt(pod, 'spec')
  if (textAt(spec, 'nodeName') !== '') {
    const why = `pod ${route.name} is already assigned to node "${textAt(spec, 'nodeName')}"`
    throw conflict({ group: '', plural: 'pods/binding', kind: 'Binding' }, route.name, why)
  }
  const bound = copyJson(pod)
  bound['spec'] = { ...spec, nodeName: name }
  bound['status'] = scheduled(objectAt(bound, 'status'), state.clock.nowMs())
  state.storage.put(kind.storage, bound)
  const document = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
  return { kind: 'document', status: 201, document }
}

function scheduled(status: JsonObject, nowMs: number): JsonObject {
  const others = objectsAt(status, 'conditions').filter((each) => isObject(each) && each['type'] !== 'PodScheduled')
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: printTime(nowMs) }
  return { ...status, conditions: [...others, condition] }
}
