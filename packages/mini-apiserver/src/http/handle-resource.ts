// Requests for objects: finds the kind, checks the method, runs the verb.

import { type ApiObject, storageKey } from '../api-object.ts'
import { internalError, invalid, methodNotAllowed, notFound, resourceNotFound } from '../api-status.ts'
import { forbiddenField } from '../field-error.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { decodeBody } from '../request/decode-body.ts'
import { parseListOptions } from '../request/list-options.ts'
import type { ResourceRoute } from '../request/route.ts'
import { type DeleteOptions, parseDeleteOptions, parseWriteOptions } from '../request/write-options.ts'
import type { ServerState } from '../server-state.ts'
import { findSubresource } from '../subresources/registry.ts'
import { applyObject } from '../verbs/apply.ts'
import { createObject, requireName, type WriteRequest } from '../verbs/create.ts'
import { deleteObject } from '../verbs/delete.ts'
import { listObjects, waitForVersion } from '../verbs/list.ts'
import { applyType, patchObject, patchType } from '../verbs/patch.ts'
import { requireObject } from '../verbs/require-object.ts'
import { parseSelection } from '../verbs/selection.ts'
import { updateObject } from '../verbs/update.ts'
import { watchObjects } from '../verbs/watch.ts'
import { type Answer, warningHeaders } from './answer.ts'
import { parseOptionsBody } from './options-body.ts'
import type { ApiRequest } from './request.ts'

/** The verb of a request, as access rules and messages name it. */
export function verbOf(method: string, route: ResourceRoute, query: URLSearchParams): string {
  const isCollection = route.name === ''
  switch (method) {
    case 'GET': {
      const watch = query.get('watch')
      const isWatch = route.isLegacyWatch || (watch !== null && watch !== 'false' && watch !== '0')
      return isWatch && (isCollection || route.isLegacyWatch) ? 'watch' : isCollection ? 'list' : 'get'
    }
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return isCollection ? 'deletecollection' : 'delete'
    default:
      return method.toLowerCase()
  }
}

/** Answers a request for objects of a kind. */
export async function handleResource(state: ServerState, request: ApiRequest, route: ResourceRoute): Promise<Answer> {
  const kind = state.kinds.find(route.group, route.version, route.plural)
  if (!kind) throw resourceNotFound()
  if (!kind.isNamespaced && route.namespace !== '') throw resourceNotFound()
  if (route.subresource !== '') return handleSubresource(state, request, route, kind)
  const verb = verbOf(request.method, route, request.query)
  checkMethod(kind, route, verb)
  switch (verb) {
    case 'list':
    case 'watch':
      return listOrWatch(state, request, route, kind)
    case 'get':
      await checkGetVersion(state, request.query.get('resourceVersion') ?? '')
      return { kind: 'object', status: 200, of: kind, object: requireObject(state, kind, route) }
    case 'create':
      return create(state, request, route, kind)
    case 'update':
      return update(state, request, route, kind, '')
    case 'patch':
      return patch(state, request, route, kind, '')
    case 'delete':
      return remove(state, request, route, kind)
    default:
      return removeMany(state, request, route, kind)
  }
}

// A GET of one object may ask for a version at least; newer than all is waited for.
async function checkGetVersion(state: ServerState, version: string): Promise<void> {
  if (!/^[0-9]*$/.test(version)) {
    const found = JSON.stringify(version)
    throw internalError(`resourceVersion: Invalid value: ${found}: strconv.ParseUint: parsing ${found}: invalid syntax`)
  }
  if (Number(version) > state.storage.version()) await waitForVersion(state, Number(version))
}

function checkMethod(kind: ApiKind, { namespace, name }: ResourceRoute, verb: string): void {
  const isCollection = name === ''
  const isEverywhere = kind.isNamespaced && namespace === ''
  const fits =
    verb === 'list' || verb === 'watch'
      ? isCollection || verb === 'watch'
      : verb === 'create' || verb === 'deletecollection'
        ? isCollection && (!isEverywhere || kind.review !== undefined)
        : !isCollection && !isEverywhere
  if (!kind.verbs.includes(verb) || !fits) throw methodNotAllowed()
}

async function handleSubresource(
  state: ServerState,
  request: ApiRequest,
  route: ResourceRoute,
  kind: ApiKind,
): Promise<Answer> {
  const subresource = kind.subresources.find(({ name }) => name === route.subresource)
  if (!subresource) throw resourceNotFound()
  const verb = verbOf(request.method, route, request.query)
  if (!subresource.verbs.includes(verb)) throw methodNotAllowed()
  const own = findSubresource(kind, route.subresource)
  if (own) return own(state, request, route, kind)
  if (verb === 'get') return { kind: 'object', status: 200, of: kind, object: requireObject(state, kind, route) }
  return verb === 'update'
    ? update(state, request, route, kind, route.subresource)
    : patch(state, request, route, kind, route.subresource)
}

async function listOrWatch(
  state: ServerState,
  request: ApiRequest,
  route: ResourceRoute,
  kind: ApiKind,
): Promise<Answer> {
  const options = parseListOptions(request.query, route.isLegacyWatch)
  if (!state.hasWatchList && options.sendsInitialEvents !== undefined) throw watchListDisabled()
  const selection = parseSelection(kind, route, options.labelSelector, options.fieldSelector)
  if (!options.isWatch) return { kind: 'list', list: await listObjects(state, kind, selection, options) }
  return { kind: 'watch', of: kind, start: (sink) => watchObjects(state, kind, selection, options, sink) }
}

// What servers say whose feature gate WatchList is off (1.33).
function watchListDisabled(): Error {
  const detail = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'
  return invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [forbiddenField('sendInitialEvents', detail)])
}

async function create(state: ServerState, request: ApiRequest, route: ResourceRoute, kind: ApiKind): Promise<Answer> {
  const options = parseWriteOptions(request.query, 'CreateOptions', request.userAgent)
  const { object, warnings } = decodeBody(await request.body(), request.contentType, kind, options.fieldValidation)
  if (kind.review) {
    const answered = kind.review(object as ApiObject, request.user, state)
    return { kind: 'object', status: 201, of: kind, object: answered, headers: warningHeaders(warnings) }
  }
  const created = createObject(state, kind, object, writeRequest(request, route, options, ''))
  const words = [...warnings, ...(kind.rules.warn?.(created) ?? [])]
  return { kind: 'object', status: 201, of: kind, object: created, headers: warningHeaders(words) }
}

/** PUT of an object or a subresource that is a part of it. */
async function update(
  state: ServerState,
  request: ApiRequest,
  route: ResourceRoute,
  kind: ApiKind,
  subresource: string,
): Promise<Answer> {
  const options = parseWriteOptions(request.query, 'UpdateOptions', request.userAgent)
  const { object, warnings } = decodeBody(await request.body(), request.contentType, kind, options.fieldValidation)
  requireName(object, route.name)
  const write = writeRequest(request, route, options, route.name)
  const headers = warningHeaders(warnings)
  const stored = state.storage.collection(kind.storage).get(storageKey(route.namespace, route.name))
  if (!stored && kind.isCreatedByPut && subresource === '') {
    return { kind: 'object', status: 201, of: kind, object: createObject(state, kind, object, write), headers }
  }
  if (!stored) throw notFound(kind, route.name)
  const updated = updateObject(state, kind, kind.fromStorage(stored), object, write, { subresource, isPatch: false })
  const words = [...warnings, ...(kind.rules.warn?.(updated) ?? [])]
  return { kind: 'object', status: 200, of: kind, object: updated, headers: warningHeaders(words) }
}

async function patch(
  state: ServerState,
  request: ApiRequest,
  route: ResourceRoute,
  kind: ApiKind,
  subresource: string,
): Promise<Answer> {
  const type = patchType(request.contentType, kind)
  const options = parseWriteOptions(request.query, 'PatchOptions', request.userAgent, type === applyType)
  const body = await request.body()
  const write = writeRequest(request, route, options, route.name)
  if (type === applyType) {
    const applied = applyObject(state, kind, body, write, { ...options, subresource })
    return {
      kind: 'object',
      status: applied.isCreated ? 201 : 200,
      of: kind,
      object: applied.object,
      headers: warningHeaders(applied.warnings),
    }
  }
  const current = requireObject(state, kind, route)
  const { object, warnings } = patchObject(current, body, type, kind, options)
  requireName(object, route.name)
  const updated = updateObject(state, kind, current, object, write, { subresource, isPatch: true })
  const words = [...warnings, ...(kind.rules.warn?.(updated) ?? [])]
  return { kind: 'object', status: 200, of: kind, object: updated, headers: warningHeaders(words) }
}

async function remove(state: ServerState, request: ApiRequest, route: ResourceRoute, kind: ApiKind): Promise<Answer> {
  const options = await deleteOptions(request)
  const object = requireObject(state, kind, route)
  return { kind: 'document', status: 200, document: deleteObject(state, kind, object, options) }
}

async function removeMany(
  state: ServerState,
  request: ApiRequest,
  route: ResourceRoute,
  kind: ApiKind,
): Promise<Answer> {
  const options = await deleteOptions(request)
  const listOptions = parseListOptions(request.query, false)
  const selection = parseSelection(kind, route, listOptions.labelSelector, listOptions.fieldSelector)
  const list = await listObjects(state, kind, selection, listOptions)
  for (const object of list.items) deleteObject(state, kind, object, options)
  return { kind: 'list', list }
}

async function deleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  return parseDeleteOptions(request.query, parseOptionsBody(await request.body(), request.contentType))
}

function writeRequest(
  request: ApiRequest,
  { namespace }: ResourceRoute,
  { manager, isDryRun }: { readonly manager: string; readonly isDryRun: boolean },
  name: string,
): WriteRequest {
  return { namespace, name, user: request.user.name, manager, isDryRun }
}
