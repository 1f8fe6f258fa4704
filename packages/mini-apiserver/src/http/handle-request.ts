// One request from head to answer: user, faults, rights, route, handler, and failures as `Status` documents.

import { ApiStatusError, forbidden, resourceDetails } from '../api-status.ts'
import { handlePlain } from '../discovery/handle-plain.ts'
import { parseRoute, type ResourceRoute } from '../request/route.ts'
import type { ServerState } from '../server-state.ts'
import type { Answer } from './answer.ts'
import { handleResource, verbOf } from './handle-resource.ts'
import type { ApiRequest } from './request.ts'
import { mayReadPath, mayUseResource } from './users.ts'

/** Answers a request of a known user; failures are answers, too. Throws only when this server is wrong. */
export async function handleRequest(state: ServerState, request: ApiRequest): Promise<Answer> {
  try {
    return await route(state, request)
  } catch (error) {
    if (error instanceof ApiStatusError) return statusAnswer(error)
    throw error
  }
}

/** A failure as an answer. */
export function statusAnswer(error: ApiStatusError): Extract<Answer, { kind: 'document' }> {
  return { kind: 'document', status: error.code, document: error.status, headers: error.headers }
}

/** 401. */
export function unauthorized(): ApiStatusError {
  return new ApiStatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' })
}

async function route(state: ServerState, request: ApiRequest): Promise<Answer> {
  const found = parseRoute(request.path)
  if (found.kind === 'plain') {
    if (!mayReadPath(request.user, found.path)) throw forbiddenPath(request)
    return handlePlain(state, request, found.path)
  }
  const verb = verbOf(request.method, found, request.query)
  if (!mayUseResource(request.user, verb, found.plural)) throw forbiddenResource(request, found, verb)
  if (found.group !== '' && !state.kinds.hasGroup(found.group)) return pathNotFound()
  return handleResource(state, request, found)
}

/** The plain text that unknown paths get. */
function pathNotFound(): Answer {
  return { kind: 'text', status: 404, text: '404 page not found\n', headers: { 'x-content-type-options': 'nosniff' } }
}

function forbiddenPath({ user, method, path }: ApiRequest): ApiStatusError {
  const verb = method === 'GET' ? 'get' : method.toLowerCase()
  const message = `forbidden: User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(path)}`
  return new ApiStatusError({ code: 403, reason: 'Forbidden', message, details: {} })
}

function forbiddenResource({ user }: ApiRequest, found: ResourceRoute, verb: string): ApiStatusError {
  const { group, plural, name, namespace, subresource } = found
  const resource = subresource === '' ? plural : `${plural}/${subresource}`
  const place = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const why = `User "${user.name}" cannot ${verb} resource "${resource}" in API group "${group}" ${place}`
  const names = { group, plural, kind: '' }
  const error = forbidden(names, name, why)
  error.status['details'] = resourceDetails(names, name)
  return error
}
