// Names and addresses → objects, kept up to date one object at a time. No clock: the time of a change is handed in.

import type { EndpointSlice, KubeObject, Namespace, Pod, Service, ServiceImport } from '@kubewire/kube-model'
import {
  type ClusterPod,
  type ClusterService,
  type ClusterSlice,
  clusterPod,
  clusterService,
  clusterSlice,
  importedService,
} from './cluster-objects.ts'
import type { WatchedKind } from './cluster-view.ts'
import { GroupedStore } from './grouped-store.ts'
import { importUpdateMoves, podUpdateMoves, type Serials, serviceUpdateMoves, sliceUpdateMoves } from './serials.ts'

/** One change of one object: `object` is absent when it is gone. */
export interface ClusterChange {
  readonly kind: WatchedKind
  readonly namespace: string
  readonly name: string
  readonly object?: KubeObject
}

/** What a change touched: a service's names, addresses with reverse names; or everything. */
export interface ChangedNames {
  /** `NAMESPACE/NAME` of the service whose names may answer differently. */
  readonly service?: string
  readonly addresses: readonly string[]
  readonly isEverything: boolean
}

/** The cluster as names see it. */
export interface ZoneIndex {
  apply(change: ClusterChange, nowMs: number): void
  /** All first lists are in. */
  markSynced(): void
  hasSynced(): boolean
  onChange(listener: (changed: ChangedNames) => void): void
  readonly serials: Readonly<Serials>
  hasNamespace(name: string): boolean
  namespaceNames(): Iterable<string>
  service(namespace: string, name: string): ClusterService | undefined
  services(): Iterable<ClusterService>
  servicesByAddress(address: string): Iterable<ClusterService>
  servicesByExternalAddress(address: string): Iterable<ClusterService>
  slices(namespace: string, service: string): Iterable<ClusterSlice>
  slicesByAddress(address: string): Iterable<ClusterSlice>
  podsByAddress(address: string): Iterable<ClusterPod>
  imported(namespace: string, name: string): ClusterService | undefined
  imports(): Iterable<ClusterService>
  importedSlices(namespace: string, service: string): Iterable<ClusterSlice>
}

interface Stores {
  readonly namespaces: Set<string>
  readonly services: GroupedStore<ClusterService>
  readonly slices: GroupedStore<ClusterSlice>
  readonly pods: GroupedStore<ClusterPod>
  readonly imports: GroupedStore<ClusterService>
  readonly importedSlices: GroupedStore<ClusterSlice>
  readonly serials: Serials
  readonly keepsZones: boolean
}

/** An index without objects, not synchronised. `keepsZones` where zonal names are on. */
export function createZoneIndex(options: { readonly keepsZones?: boolean } = {}): ZoneIndex {
  const sliceGroups = (slice: ClusterSlice): string[] => [
    `${slice.namespace}/${slice.service}`,
    ...new Set(slice.addresses.map((a) => a.address)),
  ]
  const stores: Stores = {
    namespaces: new Set(),
    services: new GroupedStore((s) => [
      ...s.addresses.filter((a) => a !== '' && a !== 'None'),
      ...s.externalAddresses.map((a) => `external ${a}`),
    ]),
    slices: new GroupedStore(sliceGroups),
    pods: new GroupedStore((pod) => pod.addresses),
    imports: new GroupedStore(() => []),
    importedSlices: new GroupedStore(sliceGroups),
    serials: { internal: 0, external: 0, multicluster: 0 },
    keepsZones: options.keepsZones ?? false,
  }
  const listeners: ((changed: ChangedNames) => void)[] = []
  let isSynced = false
  const tell = (changed: ChangedNames): void => {
    for (const listener of listeners) listener(changed)
  }
  return {
    apply(change, nowMs) {
      const changed = applyChange(stores, change, Math.floor(nowMs / 1000))
      if (changed !== undefined) tell(changed)
    },
    markSynced() {
      isSynced = true
      tell({ addresses: [], isEverything: true })
    },
    hasSynced: () => isSynced,
    onChange: (listener) => listeners.push(listener),
    serials: stores.serials,
    hasNamespace: (name) => stores.namespaces.has(name),
    namespaceNames: () => stores.namespaces,
    service: (namespace, name) => stores.services.get(`${namespace}/${name}`),
    services: () => stores.services.all(),
    servicesByAddress: (address) => stores.services.group(address),
    servicesByExternalAddress: (address) => stores.services.group(`external ${address}`),
    slices: (namespace, service) => stores.slices.group(`${namespace}/${service}`),
    slicesByAddress: (address) => stores.slices.group(address),
    podsByAddress: (address) => stores.pods.group(address),
    imported: (namespace, name) => stores.imports.get(`${namespace}/${name}`),
    imports: () => stores.imports.all(),
    importedSlices: (namespace, service) => stores.importedSlices.group(`${namespace}/${service}`),
  }
}

function applyChange(stores: Stores, change: ClusterChange, seconds: number): ChangedNames | undefined {
  const key = `${change.namespace}/${change.name}`
  switch (change.kind) {
    case 'Namespace': {
      const known = stores.namespaces.has(change.name)
      if ((change.object as Namespace | undefined) === undefined) stores.namespaces.delete(change.name)
      else stores.namespaces.add(change.name)
      return known === stores.namespaces.has(change.name) ? undefined : { addresses: [], isEverything: true }
    }
    case 'Service': {
      const after = change.object && clusterService(change.object as Service)
      const moves = (a: ClusterService, b: ClusterService): readonly (keyof Serials)[] => serviceUpdateMoves(a, b)
      return replace(stores.services, key, after, stores.serials, seconds, moves, serviceNames)
    }
    case 'EndpointSlice': {
      const after =
        change.object &&
        clusterSlice(change.object as EndpointSlice, { isImported: false, keepsZones: stores.keepsZones })
      const moves = (a: ClusterSlice, b: ClusterSlice): readonly (keyof Serials)[] =>
        sliceUpdateMoves(a, b) ? ['internal'] : []
      return replace(stores.slices, key, after, stores.serials, seconds, moves, sliceNames)
    }
    case 'ImportedSlice': {
      const after =
        change.object && clusterSlice(change.object as EndpointSlice, { isImported: true, keepsZones: false })
      const moves = (a: ClusterSlice, b: ClusterSlice): readonly (keyof Serials)[] =>
        sliceUpdateMoves(a, b) ? ['multicluster'] : []
      return replace(stores.importedSlices, key, after, stores.serials, seconds, moves, sliceNames)
    }
    case 'ServiceImport': {
      const after = change.object && importedService(change.object as ServiceImport)
      const moves = (a: ClusterService, b: ClusterService): readonly (keyof Serials)[] =>
        importUpdateMoves(a, b) ? ['multicluster'] : []
      return replace(stores.imports, key, after, stores.serials, seconds, moves, serviceNames)
    }
    case 'Pod':
      return applyPod(stores, key, change.object as Pod | undefined, seconds)
  }
}

function applyPod(stores: Stores, key: string, object: Pod | undefined, seconds: number): ChangedNames | undefined {
  const after = object && clusterPod(object)
  // COMPAT: a terminating pod stays as it was until it is deleted; one first seen terminating is never added
  // (CoreDNS plugin/kubernetes/object/pod.go).
  if (after?.isTerminating) return undefined
  const moves = (a: ClusterPod, b: ClusterPod): readonly (keyof Serials)[] => (podUpdateMoves(a, b) ? ['internal'] : [])
  return replace(stores.pods, key, after, stores.serials, seconds, moves, () => [undefined, []])
}

function replace<T extends { readonly version: string }>(
  store: GroupedStore<T>,
  key: string,
  after: T | undefined,
  serials: Serials,
  seconds: number,
  updateMoves: (before: T, after: T) => readonly (keyof Serials)[],
  namesOf: (value: T) => readonly [service: string | undefined, addresses: readonly string[]],
): ChangedNames | undefined {
  const before = store.get(key)
  if (before === undefined && after === undefined) return undefined
  if (before !== undefined && after !== undefined) {
    if (before.version !== '' && before.version === after.version) return undefined
    for (const serial of updateMoves(before, after)) serials[serial] = seconds
  } else serials.internal = seconds
  store.set(key, after)
  const touched = [before, after].flatMap((value) => (value === undefined ? [] : [namesOf(value)]))
  const services = new Set(touched.map(([service]) => service))
  const [service] = services
  return {
    ...(service === undefined ? {} : { service }),
    addresses: touched.flatMap(([, addresses]) => addresses),
    isEverything: services.size > 1,
  }
}

function serviceNames(service: ClusterService): [string, readonly string[]] {
  return [`${service.namespace}/${service.name}`, service.addresses]
}

function sliceNames(slice: ClusterSlice): [string, readonly string[]] {
  return [`${slice.namespace}/${slice.service}`, slice.addresses.map((a) => a.address)]
}
