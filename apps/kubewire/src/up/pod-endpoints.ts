// Which addresses and listeners the demo's pods need, from the EndpointSlices: the part of a kubelet that the demo has.

import { contains, type EndpointSlice, parseCidr, parseIp, serviceNameLabel } from '@kubewire/kube-model'
import type { EchoEndpoint } from './echo-child.ts'
import { demoNetwork } from './plan.ts'

/** What the `pods` namespace shall look like. */
export interface PodEndpoints {
  /** Addresses that exist, sorted. */
  readonly addresses: readonly string[]
  /** What answers there, sorted; DNS server and ingress controller answer for themselves. */
  readonly endpoints: readonly EchoEndpoint[]
}

/** Addresses outside the pod networks (an API server's, for example) are left to whoever has them. */
export function podEndpoints(slices: Iterable<EndpointSlice>): PodEndpoints {
  const networks = demoNetwork.podNetworks.map(parseCidr)
  const own = new Set<string>([demoNetwork.dnsPod, demoNetwork.ingressPod])
  const addresses = new Set<string>(own)
  const endpoints = new Map<string, EchoEndpoint>()
  for (const slice of slices) {
    const name = slice.metadata?.labels?.[serviceNameLabel] ?? slice.metadata?.name ?? 'nobody'
    for (const address of (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? [])) {
      const ip = parseIp(address)
      if (ip === undefined || !networks.some((network) => network !== undefined && contains(network, ip))) continue
      addresses.add(address)
      if (own.has(address)) continue
      for (const { port, protocol = 'TCP' } of slice.ports ?? []) {
        if (port === undefined || (protocol !== 'TCP' && protocol !== 'UDP')) continue
        // Two Services may share a pod: the first by name speaks for it.
        const key = `${protocol} ${address} ${port}`
        const before = endpoints.get(key)
        if (before === undefined || name < before.name) endpoints.set(key, { name, protocol, address, port })
      }
    }
  }
  return {
    addresses: [...addresses].sort(),
    endpoints: [...endpoints].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, endpoint]) => endpoint),
  }
}
