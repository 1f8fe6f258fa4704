// Services of the proxy benchmarks and their slices, and the smallest changes of them.

import type { EndpointSlice, KubeObject, Service } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'

const address = (first: number, i: number): string => `10.${first + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`

/** Name of a Service. */
export function keyOfService(i: number): string {
  return `ns-${i % 50}/service-${i}`
}

/** One Service. */
export function serviceAt(i: number): Service {
  return service(keyOfService(i), { clusterIP: address(96, i + 256) })
}

/** Its slice; another `round` has another first endpoint. */
export function sliceAt(i: number, endpoints: number, round = 0): EndpointSlice {
  const rest = Array.from({ length: endpoints - 1 }, (_, j) => address(210 + j, i))
  return endpointSlice(keyOfService(i), [address(round === 0 ? 200 : 220 + round, i), ...rest])
}

/** All of them. */
export function clusterOf(services: number, endpoints: number): readonly KubeObject[] {
  return Array.from({ length: services }, (_, i) => [serviceAt(i), sliceAt(i, endpoints)]).flat()
}
