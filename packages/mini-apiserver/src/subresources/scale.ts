// `scale`: the replicas of a workload as a document of its own (autoscaling/v1 Scale).

import { type LabelSelector, printSelector, selectorOf } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import { badRequest } from '../api-status.ts'
import type { Json } from '../json.ts'
import { copyJson, isObject, type JsonObject, numberAt, objectAt } from '../json.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { mergePatch } from '../patch/merge-patch.ts'
import { decodeText } from '../request/decode-body.ts'
import { parseWriteOptions } from '../request/write-options.ts'
import { requireObject } from '../verbs/require-object.ts'
import { updateObject } from '../verbs/update.ts'
import { readJsonBody } from './read-json-body.ts'
import type { SubresourceHandler } from './subresource-handler.ts'

/** GET, PUT and PATCH of a workload's replicas. */
export const scaleWorkload: SubresourceHandler = async (state, request, route, kind) => {
  const object = requireObject(state, kind, route)
  if (request.method === 'GET') return { kind: 'document', status: 200, document: scaleOf(object) }
  const optionsKind = request.method === 'PUT' ? 'UpdateOptions' : 'PatchOptions'
  const { manager, isDryRun } = parseWriteOptions(request.query, optionsKind, request.userAgent)
  const wanted =
    request.method === 'PUT'
      ? await readJsonBody(request, 'autoscaling.Scale')
      : patchScale(scaleOf(object), decodeText(await request.body()))
  const next = copyJson(object)
  next['spec'] = { ...objectAt(next, 'spec'), replicas: numberAt(objectAt(wanted, 'spec'), 'replicas') ?? 0 }
  const version = objectAt(wanted, 'metadata')['resourceVersion']
  if (typeof version === 'string') next.metadata.resourceVersion = version
  const write = { namespace: route.namespace, name: route.name, user: request.user.name, manager, isDryRun }
  const updated = updateObject(state, kind, object, next, write, { subresource: '', isPatch: true })
  return { kind: 'document', status: 200, document: scaleOf(updated) }
}

function patchScale(scale: JsonObject, text: string): JsonObject {
  let patch: Json
  try {
    patch = JSON.parse(text) as Json
  } catch (error) {
    throw badRequest(`error decoding patch: ${(error as Error).message}`)
  }
  const result = Array.isArray(patch) ? applyJsonPatch(scale, patch) : mergePatch(scale, patch)
  return isObject(result) ? result : scale
}

function scaleOf(object: ApiObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const spec = objectAt(object, 'spec')
  const selector = selectorOf(objectAt(spec, 'selector') as LabelSelector)
  const replicas = numberAt(spec, 'replicas')
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: JSON.parse(JSON.stringify({ name, namespace, uid, resourceVersion, creationTimestamp })) as JsonObject,
    spec: replicas ? { replicas } : {},
    status: {
      replicas: numberAt(objectAt(object, 'status'), 'replicas') ?? 0,
      ...(selector && selector.length > 0 ? { selector: printSelector(selector) } : {}),
    },
  }
}
