// Which services have changed EndpointSlices since the last accepted ruleset. The whole object is compared: any
// difference counts, even if the rules stay the same. Source: kube-proxy 1.36 pkg/proxy/endpointslicecache.go.

import { deepEqual, type EndpointSlice, type IpFamily, keyOf } from '@kubewire/kube-model'
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

/** Starts with nothing applied. */
export function createSliceChanges(family: IpFamily): SliceChanges {
  // Most Services have one slice: a short list takes less memory than a map of it.
  const applied = new Map<string, readonly EndpointSlice[]>()
  /** By Service, then by name; `undefined`: deleted. */
  const pending = new Map<string, Map<string, EndpointSlice | undefined>>()
  return {
    concerns: (slice) => sliceServiceKey(slice, family) !== undefined,
    update(slice, isDeleted = false) {
      const service = sliceServiceKey(slice, family)
      if (service === undefined) return false
      const name = keyOf(slice)
      const changes = pending.get(service) ?? new Map<string, EndpointSlice | undefined>()
      const known = changes.has(name) ? changes.get(name) : applied.get(service)?.find((one) => keyOf(one) === name)
      if (isDeleted ? known === undefined : deepEqual(known, slice)) return false
      pending.set(service, changes.set(name, isDeleted ? undefined : slice))
      return true
    },
    get pending() {
      return pending.size
    },
    slicesOf(service) {
      return applied.get(service) ?? none
    },
    accept() {
      const services = [...pending.keys()]
      let touchesUdp = false
      for (const [service, changes] of pending) {
        const before = applied.get(service) ?? none
        touchesUdp ||= before.some(hasUdpEndpoints) || [...changes.values()].some(hasUdpEndpoints)
        const after = changedSlices(before, changes)
        if (after.length === 0) applied.delete(service)
        else applied.set(service, after)
      }
      pending.clear()
      return { services, touchesUdp }
    },
  }
}

const none: readonly EndpointSlice[] = []

function changedSlices(
  before: readonly EndpointSlice[],
  changes: ReadonlyMap<string, EndpointSlice | undefined>,
): readonly EndpointSlice[] {
  const slices = new Map<string, EndpointSlice>(before.map((slice) => [keyOf(slice), slice]))
  for (const [name, slice] of changes) {
    if (slice === undefined) slices.delete(name)
    else slices.set(name, slice)
  }
  return [...slices.values()]
}

function hasUdpEndpoints(slice: EndpointSlice | undefined): boolean {
  return (
    slice !== undefined &&
    (slice.endpoints ?? []).some((endpoint) => (endpoint.addresses ?? []).length > 0) &&
    (slice.ports ?? []).some((port) => port.protocol === 'UDP')
  )
}
