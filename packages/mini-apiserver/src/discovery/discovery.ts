// Discovery: what is served, group by group or, when `Accept` asks for it, in one document per root.

import { createHash } from 'node:crypto'
import { resourceNotFound } from '../api-status.ts'
import type { Answer, AnswerHeaders } from '../http/answer.ts'
import { parseClause } from '../http/negotiate.ts'
import type { ApiRequest } from '../http/request.ts'
import type { JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { apiVersionOf } from '../kinds/kind-registry.ts'
import type { ServerState } from '../server-state.ts'

/** Answers `/api`, `/apis` and what is below them down to a group's version; `undefined` for unknown ones. */
export function discoveryAnswer(state: ServerState, request: ApiRequest, path: string): Answer | undefined {
  const segments = path.split('/').slice(1)
  const [root, ...rest] = segments
  if (root === 'api')
    return rest.length === 0 ? rootAnswer(state, request, true) : resourcesOf(state, '', rest[0] ?? '')
  if (root !== 'apis') return undefined
  if (rest.length === 0) return rootAnswer(state, request, false)
  const group = rest[0] ?? ''
  if (!state.kinds.hasGroup(group)) return undefined
  if (rest.length === 1) return document({ kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(state, group) })
  return resourcesOf(state, group, rest[1] ?? '')
}

function rootAnswer(state: ServerState, request: ApiRequest, isCore: boolean): Answer {
  const version = aggregatedVersion(request.accept)
  if (version !== undefined) return aggregatedAnswer(state, request, isCore, version)
  if (isCore) {
    return document({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: String(request.headers['host'] ?? '') }],
    })
  }
  const groups = groupNames(state).map((group) => groupEntry(state, group))
  return document({ kind: 'APIGroupList', apiVersion: 'v1', groups })
}

/** The version of aggregated discovery that the client prefers; `undefined` when it wants the old form. */
function aggregatedVersion(accept: string | undefined): string | undefined {
  for (const { parameters } of (accept ?? '').split(',').map(parseClause)) {
    const isAggregated =
      parameters.get('as') === 'APIGroupDiscoveryList' && parameters.get('g') === 'apidiscovery.k8s.io'
    const version = parameters.get('v')
    if (isAggregated && (version === 'v2' || version === 'v2beta1')) return version
    if (!parameters.has('as')) return undefined
  }
  return undefined
}

function aggregatedAnswer(state: ServerState, request: ApiRequest, isCore: boolean, version: string): Answer {
  const groups = isCore ? [''] : groupNames(state)
  const body: JsonObject = {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map((group) => aggregatedGroup(state, group)),
  }
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').toUpperCase()}"`
  const headers: AnswerHeaders = { etag, vary: 'Accept', 'cache-control': 'public' }
  if (request.headers['if-none-match'] === etag) return { kind: 'empty', status: 304, headers }
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
  return { kind: 'document', status: 200, document: body, headers: { ...headers, 'content-type': contentType } }
}

function aggregatedGroup(state: ServerState, group: string): JsonObject {
  return {
    metadata: group === '' ? {} : { name: group },
    versions: versionsOf(state, group).map((version) => ({
      version,
      resources: kindsOf(state, group, version).map(aggregatedResource),
      freshness: 'Current',
    })),
  }
}

function aggregatedResource(kind: ApiKind): JsonObject {
  const subresources = kind.subresources.map(({ name, verbs, responseKind }) => ({
    subresource: name,
    responseKind: responseKind ? { ...responseKind } : ownKind(kind),
    verbs: [...verbs],
  }))
  return {
    resource: kind.plural,
    responseKind: ownKind(kind),
    scope: kind.isNamespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: [...kind.verbs],
    ...(kind.shortNames.length === 0 ? {} : { shortNames: [...kind.shortNames] }),
    ...(kind.categories.length === 0 ? {} : { categories: [...kind.categories] }),
    ...(subresources.length === 0 ? {} : { subresources }),
  }
}

// COMPAT: group and version of the kind itself are left empty in aggregated documents.
function ownKind({ kind }: ApiKind): JsonObject {
  return { group: '', version: '', kind }
}

function resourcesOf(state: ServerState, group: string, version: string): Answer | undefined {
  const kinds = kindsOf(state, group, version)
  const groupVersion = group === '' ? version : `${group}/${version}`
  if (kinds.length === 0) throw resourceNotFound()
  const resources = kinds.flatMap((kind) => [resourceEntry(kind), ...subresourceEntries(kind)])
  return document({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources })
}

function resourceEntry(kind: ApiKind): JsonObject {
  return {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.isNamespaced,
    kind: kind.kind,
    verbs: [...kind.verbs],
    ...(kind.shortNames.length === 0 ? {} : { shortNames: [...kind.shortNames] }),
    ...(kind.categories.length === 0 ? {} : { categories: [...kind.categories] }),
    storageVersionHash: createHash('sha256')
      .update(`${apiVersionOf(kind)}/${kind.kind}`)
      .digest('base64')
      .slice(0, 12),
  }
}

function subresourceEntries(kind: ApiKind): JsonObject[] {
  return kind.subresources.map(({ name, verbs, responseKind }) => ({
    name: `${kind.plural}/${name}`,
    singularName: '',
    namespaced: kind.isNamespaced,
    ...(responseKind?.group ? { group: responseKind.group, version: responseKind.version } : {}),
    kind: responseKind?.kind ?? kind.kind,
    verbs: [...verbs],
  }))
}

function groupEntry(state: ServerState, group: string): JsonObject {
  const versions = versionsOf(state, group).map((version) => ({ groupVersion: `${group}/${version}`, version }))
  return { name: group, versions, preferredVersion: versions[0] ?? {} }
}

/** Named groups, built-in ones in the order of the registry, then custom ones. */
export function groupNames(state: ServerState): string[] {
  return [...new Set(state.kinds.all().map(({ group }) => group))].filter((group) => group !== '')
}

/** Versions of a group, the preferred one first (`v2`, `v1`, `v1beta1`, `v1alpha1`). */
export function versionsOf(state: ServerState, group: string): string[] {
  const versions = new Set(kindsOfGroup(state, group).map(({ version }) => version))
  return [...versions].sort(compareVersions)
}

/** Kinds of one group and version. */
export function kindsOf(state: ServerState, group: string, version: string): ApiKind[] {
  return kindsOfGroup(state, group).filter((kind) => kind.version === version)
}

function kindsOfGroup(state: ServerState, group: string): ApiKind[] {
  return state.kinds.all().filter((kind) => kind.group === group)
}

// Stable before beta before alpha, higher numbers first (apimachinery `version.CompareKubeAwareVersionStrings`).
function compareVersions(a: string, b: string): number {
  const rank = (text: string): readonly number[] => {
    const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(text)
    if (!match) return [0, 0, 0]
    return [match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1, Number(match[1]), Number(match[3] ?? 0)]
  }
  const [left, right] = [rank(a), rank(b)]
  for (let i = 0; i < 3; i++) if (left[i] !== right[i]) return (right[i] ?? 0) - (left[i] ?? 0)
  return a < b ? -1 : a > b ? 1 : 0
}

function document(body: JsonObject): Answer {
  return { kind: 'document', status: 200, document: body }
}
