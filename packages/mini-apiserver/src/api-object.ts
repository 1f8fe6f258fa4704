// An object as it is stored and sent: plain JSON with identity. Handlers change copies of it, storage freezes them.

import type { JsonObject } from './json.ts'

/** `metadata` of a stored object. */
export interface Meta extends JsonObject {
  name?: string
  generateName?: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: { [key: string]: string }
  annotations?: { [key: string]: string }
  finalizers?: string[]
  ownerReferences?: JsonObject[]
  managedFields?: JsonObject[]
}

/** A stored object. */
export interface ApiObject extends JsonObject {
  apiVersion: string
  kind: string
  metadata: Meta
}

/** The key of an object in its collection: `namespace/name`, or `name` for cluster scope. */
export function storageKey(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name
}

/** The key of an object. */
export function keyOfObject(object: ApiObject): string {
  return storageKey(object.metadata.namespace, object.metadata.name ?? '')
}

/** The time as the API writes it: whole seconds, UTC. */
export function printTime(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z`
}

/** Drops keys whose value is `undefined`, so that equality and printing see what is there. */
export function withoutUndefined<T extends JsonObject>(object: T): T {
  for (const key of Object.keys(object)) if (object[key] === undefined) delete object[key]
  return object
}
