// Writing objects without a request, as an administrator would: for programs, tests and manifests.

import type { KubeObject } from '@kubewire/kube-model'
import { type ApiObject, keyOfObject, storageKey } from './api-object.ts'
import { isObject, type JsonObject } from './json.ts'
import type { ApiKind } from './kinds/define-kind.ts'
import { decodeRaw } from './request/decode-body.ts'
import type { ServerState } from './server-state.ts'
import { createObject, type WriteRequest } from './verbs/create.ts'
import { updateObject } from './verbs/update.ts'

/** No kind of that name is served. */
export class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError'
}

/** The kind of an object; throws `UnknownKindError`. */
export function kindOfObject(state: ServerState, { apiVersion = 'v1', kind = '' }: KubeObject): ApiKind {
  const found = state.kinds.ofObject(apiVersion, kind)
  if (!found)
    throw new UnknownKindError(`no kind ${JSON.stringify(kind)} in ${JSON.stringify(apiVersion)} is served here`)
  return found
}

/** The kind called `Service` or `services`; throws `UnknownKindError`. */
export function kindNamed(state: ServerState, name: string): ApiKind {
  const found = state.kinds.all().find(({ kind, plural }) => kind === name || plural === name)
  if (!found) throw new UnknownKindError(`no kind ${JSON.stringify(name)} is served here`)
  return found
}

/** Namespace and name under which an object will be stored. */
export function placeOf(
  kind: ApiKind,
  { metadata }: KubeObject,
): { readonly namespace: string; readonly name: string } {
  return { namespace: kind.isNamespaced ? (metadata?.namespace ?? 'default') : '', name: metadata?.name ?? '' }
}

/**
 * Creates or replaces an object. Its namespace is made when it is missing; a status that the object brings is written,
 * too; addresses outside the server's ranges are taken as they are.
 *
 * @throws ApiStatusError when the API would refuse it, UnknownKindError
 */
export function applyDirectly(state: ServerState, given: KubeObject): void {
  const kind = kindOfObject(state, given)
  const raw = JSON.parse(JSON.stringify(given)) as JsonObject
  const { object } = decodeRaw(raw, [], kind, 'Ignore')
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  delete metadata['resourceVersion']
  delete metadata['uid']
  delete metadata['managedFields']
  const { namespace, name } = placeOf(kind, given)
  const request: WriteRequest = {
    namespace,
    name,
    user: 'admin',
    manager: 'mini-apiserver',
    isDryRun: false,
    trustsAddresses: true,
  }
  if (namespace !== '' && !state.storage.collection('namespaces').get(namespace)) {
    applyDirectly(state, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  }
  const old = state.storage.collection(kind.storage).get(storageKey(namespace, name))
  const written = old
    ? updateObject(state, kind, kind.fromStorage(old), object, request, { subresource: '', isPatch: true })
    : createObject(state, kind, object, request)
  writeStatus(state, kind, written, raw, request)
}

function writeStatus(
  state: ServerState,
  kind: ApiKind,
  written: ApiObject,
  raw: JsonObject,
  request: WriteRequest,
): void {
  const hasStatus = kind.subresources.some(({ name }) => name === 'status')
  const given = raw['status']
  if (!hasStatus || !isObject(given) || Object.keys(given).length === 0 || kind.storage === 'namespaces') return
  const latest = state.storage.collection(kind.storage).get(keyOfObject(kind.toStorage(written)))
  if (!latest) return
  const current = kind.fromStorage(latest)
  const wanted = { ...current, status: { ...(isObject(current['status']) ? current['status'] : {}), ...given } }
  const { object } = decodeRaw(wanted, [], kind, 'Ignore')
  updateObject(state, kind, current, object, request, { subresource: 'status', isPatch: true })
}

/** Stores an object as it is, unchecked; only the resource version is given here. Throws `UnknownKindError`. */
export function putUnchecked(state: ServerState, given: KubeObject): void {
  const kind = kindOfObject(state, given)
  state.storage.put(kind.storage, kind.toStorage(JSON.parse(JSON.stringify(given)) as ApiObject))
}
