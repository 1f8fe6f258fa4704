// The EndpointSlices of a Service, and its ready endpoints.

import {
  type ClusterSnapshot,
  type Endpoint,
  type EndpointSlice,
  type Service,
  serviceNameLabel,
} from '@kubewire/kube-model'

/** Slices that belong to the Service, in any order. */
export function slicesOf(snapshot: ClusterSnapshot, service: Service): readonly EndpointSlice[] {
  const { namespace, name } = service.metadata ?? {}
  return slicesByService(snapshot).get(`${namespace}/${name}`) ?? []
}

const indexes = new WeakMap<ClusterSnapshot, ReadonlyMap<string, readonly EndpointSlice[]>>()

/** The slices of a snapshot by their Service, sorted out once for all rules. */
function slicesByService(snapshot: ClusterSnapshot): ReadonlyMap<string, readonly EndpointSlice[]> {
  const known = indexes.get(snapshot)
  if (known !== undefined) return known
  const index = new Map<string, EndpointSlice[]>()
  for (const slice of snapshot.endpointSlices) {
    const key = `${slice.metadata?.namespace}/${slice.metadata?.labels?.[serviceNameLabel]}`
    const group = index.get(key) ?? []
    group.push(slice)
    index.set(key, group)
  }
  indexes.set(snapshot, index)
  return index
}

/**
 * Endpoints that kube-proxy sends to: the ready ones, and where there is none those that serve while they end
 * (KEP-1669).
 */
export function usableEndpoints(slices: readonly EndpointSlice[]): readonly Endpoint[] {
  const ready = readyEndpoints(slices)
  if (ready.length > 0) return ready
  return slices
    .flatMap(({ endpoints = [] }) => endpoints)
    .filter(({ conditions }) => conditions?.serving === true && conditions.terminating === true)
}

/** Endpoints that get traffic: an absent condition means ready (discovery.k8s.io/v1 EndpointConditions). */
export function readyEndpoints(slices: readonly EndpointSlice[]): readonly Endpoint[] {
  return slices.flatMap(({ endpoints = [] }) => endpoints).filter(({ conditions }) => conditions?.ready !== false)
}
