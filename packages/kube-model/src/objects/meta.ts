// Object identity: the part of every Kubernetes object that says which object it is.
// Structural and readonly, so parsed JSON or YAML and client-node's classes fit without copying.

/** `metadata` of an object, only the fields we read (Kubernetes apimachinery `meta/v1` ObjectMeta). */
export interface ObjectMeta {
  readonly name?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  /** RFC 3339 text in plain JSON; client-node's classes carry a `Date`. Read it with `creationTimeMs`. */
  readonly creationTimestamp?: string | Date
  readonly deletionTimestamp?: string | Date
  readonly labels?: { readonly [key: string]: string }
  readonly annotations?: { readonly [key: string]: string }
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
}

/** One entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly name?: string
  readonly uid?: string
  readonly controller?: boolean
}

/** What every Kubernetes object has. */
export interface KubeObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: ObjectMeta
}

/** Names one object, or a file when `kind` is a file kind such as `Corefile`; what problems and traces point at. */
export interface ObjectRef {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}

/** `namespace/name`, or `name` for objects without a namespace. Made by `objectKey` and nowhere else. */
export type ObjectKey = string & { readonly __brand: 'ObjectKey' }

/** The key of an object in stores and snapshots (client-go `cache.MetaNamespaceKeyFunc`). */
export function objectKey(namespace: string | undefined, name: string): ObjectKey {
  return (namespace ? `${namespace}/${name}` : name) as ObjectKey
}

/** `objectKey` of an object's own metadata; missing parts count as empty. */
export function keyOf(object: KubeObject): ObjectKey {
  return objectKey(object.metadata?.namespace, object.metadata?.name ?? '')
}

/** The reference that problems and traces use for `object`. */
export function refOf(object: KubeObject, kind: string = object.kind ?? 'Object'): ObjectRef {
  const { namespace, name = '' } = object.metadata ?? {}
  return namespace ? { kind, namespace, name } : { kind, name }
}

/** `Kind namespace/name`, as kubectl users read it. */
export function printRef(ref: ObjectRef): string {
  return `${ref.kind} ${ref.namespace ? `${ref.namespace}/` : ''}${ref.name}`
}

/** Milliseconds since the epoch of `metadata.creationTimestamp`; `undefined` when it is absent or no date. */
export function creationTimeMs(object: KubeObject): number | undefined {
  const stamp = object.metadata?.creationTimestamp
  if (stamp === undefined) return undefined
  const ms = stamp instanceof Date ? stamp.getTime() : Date.parse(stamp)
  return Number.isNaN(ms) ? undefined : ms
}
