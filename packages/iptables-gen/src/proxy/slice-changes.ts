// Which services have changed EndpointSlices since the last accepted ruleset. The whole object is compared: any
// difference counts, even if the rules stay the same. Source: kube-proxy 1.36 pkg/proxy/endpointslicecache.go.

import { deepEqual, type EndpointSlice, type IpFamily, objectKey } from '@kubewire/kube-model'
import { sliceServiceKey } from './merge-slices.ts'

/** Names of services whose slices changed. */
export interface AcceptedSlices {
  readonly services: readonly string[]
  /** One of them has a UDP port with endpoints, before or after: tracked flows must be looked at. */
  readonly touchesUdp: boolean
}

/** Pending changes of slices in one family. */
export interface SliceChanges {
  /** Whether the slice is of this family and belongs to a Service that is proxied. */
  concerns(slice: EndpointSlice): boolean
  /** A slice as it is now, or its last state with `isDeleted`. Answers whether this event changed anything. */
  update(slice: EndpointSlice, isDeleted?: boolean): boolean
  /** Number of services with changed slices. */
  readonly pending: number
  /** The slices of a service (`namespace/name`) as they were last accepted. */
  slicesOf(service: string): readonly EndpointSlice[]
  /** From now on the pending state counts as applied. Call it when the kernel accepted. */
  accept(): AcceptedSlices
}

interface ServiceSlices {
  readonly applied: Map<string, EndpointSlice>
  /** `undefined`: deleted. */
  readonly pending: Map<string, EndpointSlice | undefined>
}

const nothing: ServiceSlices = { applied: new Map(), pending: new Map() }

/** Starts with nothing applied. */
export function createSliceChanges(family: IpFamily): SliceChanges {
  const services = new Map<string, ServiceSlices>()
  const changed = new Set<string>()
  return {
    concerns: (slice) => sliceServiceKey(slice, family) !== undefined,
    update(slice, isDeleted = false) {
      const service = sliceServiceKey(slice, family)
      if (service === undefined) return false
      const slices: ServiceSlices = services.get(service) ?? { applied: new Map(), pending: new Map() }
      const name = objectKey(slice.metadata?.namespace, slice.metadata?.name ?? '')
      const known = slices.pending.has(name) ? slices.pending.get(name) : slices.applied.get(name)
      if (isDeleted ? known === undefined : deepEqual(known, slice)) return false
      services.set(service, slices)
      slices.pending.set(name, isDeleted ? undefined : slice)
      changed.add(service)
      return true
    },
    get pending() {
      return changed.size
    },
    slicesOf(service) {
      return [...(services.get(service)?.applied.values() ?? [])]
    },
    accept() {
      const names = [...changed]
      let touchesUdp = false
      for (const service of names) {
        const { applied, pending } = services.get(service) ?? nothing
        touchesUdp ||= [...applied.values(), ...pending.values()].some(hasUdpEndpoints)
        for (const [name, slice] of pending) {
          if (slice === undefined) applied.delete(name)
          else applied.set(name, slice)
        }
        pending.clear()
        if (applied.size === 0) services.delete(service)
      }
      changed.clear()
      return { services: names, touchesUdp }
    },
  }
}

function hasUdpEndpoints(slice: EndpointSlice | undefined): boolean {
  return (
    slice !== undefined &&
    (slice.endpoints ?? []).some((endpoint) => (endpoint.addresses ?? []).length > 0) &&
    (slice.ports ?? []).some((port) => port.protocol === 'UDP')
  )
}
