// A consistent set of objects at one moment: what every generator reads. A store of the informer fits
// `ObjectCollection` as it is, so taking a snapshot in a daemon copies nothing.

import { compareText } from './deep-equal.ts'
import type { ConfigMap } from './objects/config-map.ts'
import type { EndpointSlice } from './objects/endpoint-slice.ts'
import type { Ingress } from './objects/ingress.ts'
import type { IngressClass } from './objects/ingress-class.ts'
import { type KubeObject, keyOf, type ObjectKey, objectKey } from './objects/meta.ts'
import type { Namespace } from './objects/namespace.ts'
import type { Node } from './objects/node.ts'
import type { Pod } from './objects/pod.ts'
import type { Secret } from './objects/secret.ts'
import type { Service } from './objects/service.ts'
import type { ServiceCidr } from './objects/service-cidr.ts'
import type { ServiceImport } from './objects/service-import.ts'

/** Objects of one kind by name; iteration order is not defined, use `sortedObjects` where output is text. */
export interface ObjectCollection<T extends KubeObject> extends Iterable<T> {
  readonly size: number
  get(name: string, namespace?: string): T | undefined
}

/** Every kind a generator may read. */
export interface ClusterSnapshot {
  readonly configMaps: ObjectCollection<ConfigMap>
  readonly endpointSlices: ObjectCollection<EndpointSlice>
  readonly ingressClasses: ObjectCollection<IngressClass>
  readonly ingresses: ObjectCollection<Ingress>
  readonly namespaces: ObjectCollection<Namespace>
  readonly nodes: ObjectCollection<Node>
  readonly pods: ObjectCollection<Pod>
  readonly secrets: ObjectCollection<Secret>
  readonly serviceCidrs: ObjectCollection<ServiceCidr>
  readonly serviceImports: ObjectCollection<ServiceImport>
  readonly services: ObjectCollection<Service>
}

/** The collection of a snapshot that holds objects of this kind. */
export const snapshotKinds: { readonly [kind: string]: keyof ClusterSnapshot } = {
  ConfigMap: 'configMaps',
  EndpointSlice: 'endpointSlices',
  Ingress: 'ingresses',
  IngressClass: 'ingressClasses',
  Namespace: 'namespaces',
  Node: 'nodes',
  Pod: 'pods',
  Secret: 'secrets',
  Service: 'services',
  ServiceCIDR: 'serviceCidrs',
  ServiceImport: 'serviceImports',
}

/**
 * Builds a snapshot from objects of any kind, in any order. Of two objects with one key the later counts;
 * kinds that no generator reads are left out.
 */
export function snapshotOf(objects: Iterable<KubeObject>): ClusterSnapshot {
  const maps = new Map<keyof ClusterSnapshot, Map<ObjectKey, KubeObject>>()
  for (const object of objects) {
    const name = snapshotKinds[object.kind ?? '']
    if (name === undefined) continue
    const map = maps.get(name) ?? new Map<ObjectKey, KubeObject>()
    maps.set(name, map.set(keyOf(object), object))
  }
  const entries = Object.values(snapshotKinds).map((name) => [name, collectionOf(maps.get(name) ?? new Map())])
  return Object.fromEntries(entries) as unknown as ClusterSnapshot
}

/** A snapshot with no object at all. */
export const emptySnapshot: ClusterSnapshot = snapshotOf([])

/** The objects of a collection ordered by namespace, then name: the order of everything we print. */
export function sortedObjects<T extends KubeObject>(collection: ObjectCollection<T>): T[] {
  return [...collection].sort(compareObjects)
}

/** Order of two objects by namespace, then name. */
export function compareObjects(a: KubeObject, b: KubeObject): number {
  return (
    compareText(a.metadata?.namespace ?? '', b.metadata?.namespace ?? '') ||
    compareText(a.metadata?.name ?? '', b.metadata?.name ?? '')
  )
}

function collectionOf<T extends KubeObject>(map: ReadonlyMap<ObjectKey, T>): ObjectCollection<T> {
  return {
    size: map.size,
    get: (name, namespace) => map.get(objectKey(namespace, name)),
    [Symbol.iterator]: () => map.values(),
  }
}
