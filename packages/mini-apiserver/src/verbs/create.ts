// Creating an object: identity, preparation, defaults, checks, addresses, storing. Every other way in (PUT of an absent
// Service, apply, manifests) ends here.

import { type ApiObject, keyOfObject, printTime } from '../api-object.ts'
import {
  type ApiStatusError,
  alreadyExists,
  badRequest,
  forbidden,
  internalError,
  invalid,
  notFound,
} from '../api-status.ts'
import { createCustomKinds } from '../custom/define-custom-kinds.ts'
import { copyJson, type JsonObject, textAt } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { validateMeta } from '../kinds/validate-meta.ts'
import { ownAllFields } from '../patch/managed-fields.ts'
import { makeName, makeUid, type ServerState, writeContext } from '../server-state.ts'

/** One write: who, where, and how. */
export interface WriteRequest {
  readonly namespace: string
  /** Name in the URL; `''` for a POST to a collection. */
  readonly name: string
  readonly user: string
  readonly manager: string
  readonly isDryRun: boolean
  /** Service addresses and ports outside the ranges are taken as they are (manifests made for another cluster). */
  readonly trustsAddresses?: boolean
  /** Owners that an apply has worked out; other writes own what they set. */
  readonly managedFields?: readonly JsonObject[]
}

/**
 * Creates an object from a decoded body.
 *
 * @returns the object as this kind shows it; without version when rehearsed
 * @throws ApiStatusError
 */
export function createObject(state: ServerState, kind: ApiKind, body: JsonObject, request: WriteRequest): ApiObject {
  const object = copyJson(body) as ApiObject
  object.metadata ??= {}
  const { metadata } = object
  checkUrl(object, kind, request)
  checkNamespace(state, kind, metadata.name ?? '', request.namespace)
  if ((metadata.resourceVersion ?? '') !== '') {
    throw internalError('resourceVersion should not be set on objects to be created')
  }
  if (!metadata.name && metadata.generateName) metadata.name = makeName(metadata.generateName, state.random)
  object.metadata = newMetadata(state, kind, object, request)
  const context = writeContext(state, request)
  kind.rules.setDefaults?.(object, context)
  // Ownership is that of what was sent; what the next steps add belongs to nobody.
  const managedFields = request.managedFields ?? ownAllFields(object, kind, request.manager, context.nowMs)
  if (kind.rules.prepareCreate) kind.rules.prepareCreate(object, context)
  else if (kind.subresources.some(({ name }) => name === 'status')) resetStatus(object, kind)
  const causes = [...validateMeta(object, kind), ...(kind.rules.validate?.(object, context) ?? [])]
  if (causes.length > 0) throw invalid(kind.checkedAs ?? kind, metadata.name ?? '', causes)
  const stored = kind.toStorage(object)
  const exists = state.storage.collection(kind.storage).get(keyOfObject(stored)) !== undefined
  if (exists) throw alreadyExists(kind, object.metadata.name ?? '')
  const refused = kind.rules.allocate?.(object, context) ?? []
  if (refused.length > 0) throw invalid(kind.checkedAs ?? kind, metadata.name ?? '', refused)
  if (managedFields.length > 0) object.metadata.managedFields = [...managedFields]
  const complete = inOrder(object, kind)
  if (request.isDryRun) return complete
  const written = kind.fromStorage(state.storage.put(kind.storage, kind.toStorage(complete)))
  createCustomKinds(state, written)
  return written
}

/** The object with its fields in the order of its type, without those that are empty. */
export function inOrder(object: ApiObject, kind: ApiKind): ApiObject {
  if (kind.typeName === undefined) return object
  const { kind: kindName, apiVersion } = object
  return { kind: kindName, apiVersion, ...kind.decode(object).object } as ApiObject
}

/** The status a kind starts with: what its type writes for an empty one. */
function resetStatus(object: ApiObject, kind: ApiKind): void {
  const status = kind.emptyBody['status']
  if (status === undefined) delete object['status']
  else object['status'] = copyJson(status)
}

function checkUrl(object: ApiObject, kind: ApiKind, { namespace, name }: WriteRequest): void {
  const { metadata } = object
  if (name !== '' && (metadata.name ?? '') !== '' && metadata.name !== name)
    throw nameMismatch(metadata.name ?? '', name)
  if (name !== '') metadata.name = name
  if (!kind.isNamespaced) {
    delete metadata.namespace
    return
  }
  if ((metadata.namespace ?? '') !== '' && metadata.namespace !== namespace) throw namespaceMismatch()
  metadata.namespace = namespace
}

/** 400: body and URL name different objects. */
function nameMismatch(inBody: string, inUrl: string): ApiStatusError {
  return badRequest(`the name of the object (${inBody}) does not match the name on the URL (${inUrl})`)
}

/** 400: body and URL name different namespaces. */
export function namespaceMismatch(): ApiStatusError {
  return badRequest('the namespace of the provided object does not match the namespace sent on the request')
}

function checkNamespace(state: ServerState, kind: ApiKind, name: string, namespace: string): void {
  if (!kind.isNamespaced) return
  const found = state.storage.collection('namespaces').get(namespace)
  if (!found) {
    throw notFound({ group: '', plural: 'namespaces', kind: 'Namespace' }, namespace)
  }
  if (found.metadata.deletionTimestamp === undefined) return
  const why = `namespace ${namespace} is being terminated`
  throw forbidden(kind, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    { reason: 'NamespaceTerminating', message: why, field: 'metadata.namespace' },
  ])
}

function newMetadata(
  state: ServerState,
  kind: ApiKind,
  { metadata }: ApiObject,
  { namespace }: WriteRequest,
): ApiObject['metadata'] {
  const { name, generateName, generation, labels, annotations, ownerReferences, finalizers } = metadata
  return {
    ...(name ? { name } : {}),
    ...(generateName ? { generateName } : {}),
    ...(kind.isNamespaced ? { namespace } : {}),
    uid: makeUid(state.random),
    // COMPAT: kinds without a generation keep what the client sent.
    ...(kind.hasGeneration ? { generation: 1 } : generation === undefined ? {} : { generation }),
    creationTimestamp: printTime(state.clock.nowMs()),
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
    ...(ownerReferences ? { ownerReferences } : {}),
    ...(finalizers ? { finalizers } : {}),
  }
}

/** Name in a body, checked against the one in the URL. */
export function requireName(body: JsonObject, inUrl: string): void {
  const name = textAt(body['metadata'] as JsonObject | undefined, 'name')
  if (name === '') {
    throw badRequest('the name of the object (based on URL) was undeterminable: name must be provided')
  }
  if (name !== inUrl) throw nameMismatch(name, inUrl)
}
