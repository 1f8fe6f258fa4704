// What a resource is: where the API serves it and, when attached, the projection applied before anything is stored.

import type { KubeObject } from '@kubewire/kube-model'

/** A kind of objects the API serves. `defineResource` and `transformed` make them; identity is what factories share by. */
export interface Resource<T extends KubeObject> {
  /** API group, empty for core. */
  readonly group: string
  readonly version: string
  /** Lower-case plural, as in the path. */
  readonly plural: string
  readonly kind: string
  readonly isNamespaced: boolean
  /** Set by `transformed`. */
  readonly transform?: (raw: never) => T | undefined
  /** Never set; carries the object type. */
  readonly __type?: T
}

/** Names a resource, for instance a custom one. */
export function defineResource<T extends KubeObject>(definition: Resource<T>): Resource<T> {
  return definition
}

/**
 * The same resource with every object projected before it is stored, indexed or handed out; keep what you read and
 * drop the rest (most of a Pod is `managedFields`). `undefined` keeps the object out of the store; one that was stored
 * is removed. The projection runs once per object as received and must keep `metadata.name` and `namespace`;
 * `uid` and `resourceVersion` are carried along by the
 * library, which takes over the object it is given. Transforms stack: the last one sees the output of the
 * first. Call it once, at module level: factories recognise shared informers by the identity of the resource.
 */
export function transformed<T extends KubeObject, S extends KubeObject>(
  resource: Resource<T>,
  transform: (object: T) => S | undefined,
): Resource<S> {
  const first = resource.transform as ((raw: unknown) => T | undefined) | undefined
  const both = (raw: T): S | undefined => {
    const object = first ? first(raw) : raw
    return object === undefined ? undefined : transform(object)
  }
  const { group, version, plural, kind, isNamespaced } = resource
  return { group, version, plural, kind, isNamespaced, transform: both }
}

/**
 * Applies the resource's projection and puts `uid` and `resourceVersion` back when it dropped them, because the store
 * compares them. Throws what the projection throws.
 */
export function projectObject<T extends KubeObject>(resource: Resource<T>, raw: KubeObject): T | undefined {
  const transform = resource.transform as ((raw: KubeObject) => T | undefined) | undefined
  if (transform === undefined) return raw as T
  const object = transform(raw)
  if (object === undefined || object === (raw as unknown)) return object
  const { uid, resourceVersion } = raw.metadata ?? {}
  const kept = object.metadata
  if (kept !== undefined && kept.uid === uid && kept.resourceVersion === resourceVersion) return object
  const identity = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) }
  // What a transform made belongs to the store; copying it a hundred thousand times would be half of a list's cost.
  if (kept === undefined || kept === raw.metadata || !Object.isExtensible(kept)) {
    return { ...object, metadata: { ...kept, ...identity } }
  }
  Object.assign(kept, identity)
  return object
}

/** What identifies an object when its content is not wanted: name, namespace, uid and version. */
export function identityOf<T extends KubeObject>(raw: KubeObject): T {
  const { name, namespace, uid, resourceVersion } = raw.metadata ?? {}
  const metadata = { ...(name ? { name } : {}), ...(namespace ? { namespace } : {}), ...(uid ? { uid } : {}) }
  return { metadata: { ...metadata, ...(resourceVersion ? { resourceVersion } : {}) } } as T
}

/** Where a resource or one object of it is served. */
export interface ResourceAddress {
  readonly namespace?: string
  readonly name?: string
  readonly subresource?: string
}

/** The URL path of a collection, an object or a subresource, each part escaped. */
export function resourcePath(
  resource: Pick<Resource<KubeObject>, 'group' | 'version' | 'plural' | 'isNamespaced'>,
  address: ResourceAddress = {},
): string {
  const { group, version, plural, isNamespaced } = resource
  const root = group === '' ? ['api', version] : ['apis', group, version]
  const place = isNamespaced && address.namespace ? ['namespaces', address.namespace] : []
  const rest = [plural, address.name, address.subresource].filter((part) => part !== undefined)
  return `/${[...root, ...place, ...rest].map(encodeURIComponent).join('/')}`
}
