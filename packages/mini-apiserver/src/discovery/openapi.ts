// OpenAPI as far as kubectl needs it: an index, and per group version one document with schemas and, per kind, the
// operations that it looks for (`fieldValidation` on PATCH says that the server checks fields).

import { createHash } from 'node:crypto'
import type { Answer } from '../http/answer.ts'
import type { ApiRequest } from '../http/request.ts'
import type { JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import type { ServerState } from '../server-state.ts'
import { groupNames, kindsOf, versionsOf } from './discovery.ts'
import { gvkKey, kindSchemaName, schemasOf } from './openapi-schemas.ts'

/** Answers paths below `/openapi`; `undefined` for others. */
export function openApiAnswer(state: ServerState, request: ApiRequest, path: string): Answer | undefined {
  if (path === '/openapi/v2') return { kind: 'document', status: 200, document: swaggerDocument(state) }
  if (path === '/openapi/v3') return indexAnswer(state, request)
  const match = /^\/openapi\/v3\/(?:api\/([^/]+)|apis\/([^/]+)\/([^/]+))$/.exec(path)
  if (!match) return undefined
  const kinds = kindsOf(state, match[2] ?? '', match[1] ?? match[3] ?? '')
  return kinds.length === 0 ? undefined : documentAnswer(kinds, request)
}

// Documents change with the kinds only, and kubectl asks for the index before every write.
const hashes = new WeakMap<ServerState, { readonly revision: number; readonly byPlace: Map<string, string> }>()

function hashOfGroup(state: ServerState, group: string, version: string): string {
  const { revision } = state.kinds
  const known = hashes.get(state)
  const cache = known?.revision === revision ? known : { revision, byPlace: new Map<string, string>() }
  hashes.set(state, cache)
  const place = `${group}/${version}`
  const hash = cache.byPlace.get(place) ?? hashOf(JSON.stringify(openApiDocument(kindsOf(state, group, version))))
  cache.byPlace.set(place, hash)
  return hash
}

function indexAnswer(state: ServerState, request: ApiRequest): Answer {
  const paths: JsonObject = {}
  for (const group of ['', ...groupNames(state)]) {
    for (const version of versionsOf(state, group)) {
      const place = group === '' ? `api/${version}` : `apis/${group}/${version}`
      paths[place] = { serverRelativeURL: `/openapi/v3/${place}?hash=${hashOfGroup(state, group, version)}` }
    }
  }
  // COMPAT: the index is JSON called plain text, revalidated by its date instead of a tag. Our date is the revision.
  const modified = new Date(Date.UTC(2026, 0, 1) + state.kinds.revision * 1000).toUTCString()
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'last-modified': modified }
  if (request.headers['if-modified-since'] === modified) return { kind: 'empty', status: 304, headers }
  return { kind: 'document', status: 200, document: { paths }, headers }
}

function documentAnswer(kinds: readonly ApiKind[], request: ApiRequest): Answer {
  const document = openApiDocument(kinds)
  const etag = `"${hashOf(JSON.stringify(document))}"`
  if (request.headers['if-none-match'] === etag) return { kind: 'empty', status: 304, headers: { etag } }
  return { kind: 'document', status: 200, document, headers: { etag, vary: 'Accept' } }
}

function openApiDocument(kinds: readonly ApiKind[]): JsonObject {
  const paths = Object.fromEntries(kinds.flatMap(pathsOf))
  const schemas = schemasOf(kinds, '#/components/schemas/')
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version: 'v1.37.2' }, paths, components: { schemas } }
}

function swaggerDocument(state: ServerState): JsonObject {
  const kinds = state.kinds.all()
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'v1.37.2' },
    paths: {},
    definitions: schemasOf(kinds, '#/definitions/'),
  }
}

function pathsOf(kind: ApiKind): [string, JsonObject][] {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  const collection = `${root}${kind.isNamespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}`
  const gvk = { group: kind.group, kind: kind.kind, version: kind.version }
  const schema = { $ref: `#/components/schemas/${kindSchemaName(kind)}` }
  const content = { 'application/json': { schema } }
  const operation = (action: string): JsonObject => ({
    [gvkKey]: gvk,
    'x-kubernetes-action': action,
    parameters: ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
      name,
      in: 'query',
      schema: { type: 'string' },
    })),
    requestBody: { content },
    responses: { '200': { description: 'OK', content } },
  })
  if (kind.review) return [[collection, { post: operation('post') }]]
  return [
    [collection, { post: operation('post') }],
    [`${collection}/{name}`, { put: operation('put'), patch: operation('patch') }],
  ]
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').toUpperCase()
}
