// Endpoints for a machine that has one address: each pod becomes a port of it. Loopback would not do: the controller never
// proxies there.

import { networkInterfaces } from 'node:os'
import { type EndpointSlice, joinHostPort, serviceNameLabel } from '@kubewire/kube-model'
import type { EchoEndpoint } from './echo-child.ts'

/** Slices with one endpoint each, and who listens there. */
export interface HighPortSlices {
  readonly slices: readonly EndpointSlice[]
  readonly endpoints: readonly EchoEndpoint[]
}

/** Moves the IPv4 TCP endpoints of slices to ports of `address`, counted from `firstPort`. */
export function highPortSlices(given: Iterable<EndpointSlice>, address: string, firstPort: number): HighPortSlices {
  const slices: EndpointSlice[] = []
  const endpoints: EchoEndpoint[] = []
  for (const slice of given) {
    const [port] = (slice.ports ?? []).filter(({ protocol = 'TCP' }) => protocol === 'TCP')
    if (slice.addressType !== 'IPv4' || port?.port === undefined) continue
    for (const endpoint of slice.endpoints ?? []) {
      const moved = firstPort + endpoints.length
      const name = slice.metadata?.labels?.[serviceNameLabel] ?? 'nobody'
      const shownAs = joinHostPort(endpoint.addresses?.[0] ?? '', port.port)
      endpoints.push({ name, protocol: 'TCP', address, port: moved, shownAs })
      slices.push({
        ...slice,
        metadata: { ...slice.metadata, name: `${slice.metadata?.name}-${moved}` },
        ports: [{ ...port, port: moved }],
        endpoints: [{ ...endpoint, addresses: [address] }],
      })
    }
  }
  return { slices, endpoints }
}

/** An IPv4 address of this machine other than loopback; `undefined` where there is none. */
export function ownAddress(): string | undefined {
  for (const addresses of Object.values(networkInterfaces())) {
    const found = addresses?.find(({ family, internal }) => family === 'IPv4' && !internal)
    if (found !== undefined) return found.address
  }
  return undefined
}
