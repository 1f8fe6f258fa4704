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
  return [...snapshot.endpointSlices].filter(
    ({ metadata }) => metadata?.namespace === namespace && metadata?.labels?.[serviceNameLabel] === name,
  )
}

/** Endpoints that get traffic: an absent condition means ready (discovery.k8s.io/v1 EndpointConditions). */
export function readyEndpoints(slices: readonly EndpointSlice[]): readonly Endpoint[] {
  return slices.flatMap(({ endpoints = [] }) => endpoints).filter(({ conditions }) => conditions?.ready !== false)
}
