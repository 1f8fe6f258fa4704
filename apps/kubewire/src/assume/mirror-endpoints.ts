// v1 Endpoints of files as the EndpointSlices that a cluster makes of them. Whether they count is decided by
// assume-slices.ts: slices of the files come first, then pods that the Service selects.
// Source: Kubernetes pkg/controller/endpointslicemirroring (addressToEndpoint, epPortsToEpsPorts, shouldMirror).

import { type Endpoint, type EndpointSlice, type KubeObject, keyOf, serviceNameLabel } from '@kubewire/kube-model'

interface Endpoints extends KubeObject {
  readonly subsets?: readonly EndpointSubset[]
}

interface EndpointSubset {
  readonly addresses?: readonly EndpointAddress[]
  readonly notReadyAddresses?: readonly EndpointAddress[]
  readonly ports?: EndpointSlice['ports']
}

type EndpointAddress = Pick<Endpoint, 'hostname' | 'nodeName' | 'targetRef'> & { readonly ip?: string }

/** The mirrored slices by the key of their Service: one for each subset and family. */
export function mirrorEndpoints(objects: readonly KubeObject[]): ReadonlyMap<string, readonly EndpointSlice[]> {
  const mirrored = objects.filter((object): object is Endpoints => object.kind === 'Endpoints' && isMirrored(object))
  return new Map(mirrored.map((endpoints) => [keyOf(endpoints), slicesOf(endpoints)]))
}

// Leader locks of old are Endpoints that mean no endpoints.
function isMirrored({ metadata = {} }: Endpoints): boolean {
  const isLock = Object.hasOwn(metadata.annotations ?? {}, 'control-plane.alpha.kubernetes.io/leader')
  return !isLock && metadata.labels?.['endpointslice.kubernetes.io/skip-mirror'] !== 'true'
}

function slicesOf({ metadata = {}, subsets = [] }: Endpoints): readonly EndpointSlice[] {
  const { namespace, name = '' } = metadata
  const parts = subsets.flatMap((subset) => (['IPv4', 'IPv6'] as const).map((family) => partOf(subset, family)))
  return parts
    .filter(({ endpoints }) => endpoints.length > 0)
    .map((part, at) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        ...(namespace === undefined ? {} : { namespace }),
        name: `${name}-mirrored-${at}`,
        labels: { ...metadata.labels, [serviceNameLabel]: name },
      },
      ...part,
    }))
}

function partOf(
  { addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset,
  family: 'IPv4' | 'IPv6',
): Pick<EndpointSlice, 'addressType' | 'ports'> & { readonly endpoints: readonly Endpoint[] } {
  const endpoints = (list: readonly EndpointAddress[], ready: boolean): Endpoint[] =>
    list
      .filter(({ ip = '' }) => ip !== '' && ip.includes(':') === (family === 'IPv6'))
      .map(({ ip = '', ...place }) => ({ addresses: [ip], conditions: { ready }, ...place }))
  return {
    addressType: family,
    ports: ports.map((port) => ({ ...port, name: port.name ?? '', protocol: port.protocol ?? 'TCP' })),
    endpoints: [...endpoints(addresses, true), ...endpoints(notReadyAddresses, false)],
  }
}
