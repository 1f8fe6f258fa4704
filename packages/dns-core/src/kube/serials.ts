// Which changes move the SOA serial. The rules are the original's, surprises included: some visible changes do not
// count and some invisible ones do (CoreDNS plugin/kubernetes/controller.go).

import { deepEqual } from '@kubewire/kube-model'
import type { ClusterPod, ClusterService, ClusterSlice } from './cluster-objects.ts'

/** Serial numbers: Unix seconds of the last relevant change; 0 before anything happened. */
export interface Serials {
  internal: number
  external: number
  multicluster: number
}

/** Which serials an update of a Service moves. */
export function serviceUpdateMoves(before: ClusterService, after: ClusterService): readonly (keyof Serials)[] {
  const moved: (keyof Serials)[] = []
  if (!deepEqual([before.externalName, before.ports], [after.externalName, after.ports])) moved.push('internal')
  const external = (s: ClusterService): unknown => [s.externalAddresses, s.externalAddresses.length > 0 ? s.ports : []]
  if (!deepEqual(external(before), external(after))) moved.push('external')
  return moved
}

/** Whether an update of an import moves the multi-cluster serial; changed addresses do not count. */
export function importUpdateMoves(before: ClusterService, after: ClusterService): boolean {
  return before.kind !== after.kind || !deepEqual(before.ports, after.ports)
}

/** Whether an update of a slice moves a serial: ready addresses, host names, ports, zones or cluster, by position. */
export function sliceUpdateMoves(before: ClusterSlice, after: ClusterSlice): boolean {
  const visible = (slice: ClusterSlice): unknown => [
    slice.addresses.map(({ address, hostname, zone }) => [address, hostname, zone]),
    slice.ports,
    slice.cluster,
  ]
  return !deepEqual(visible(before), visible(after))
}

/** Whether an update of a pod moves the serial. */
export function podUpdateMoves(before: ClusterPod, after: ClusterPod): boolean {
  return !deepEqual(before.addresses, after.addresses)
}
