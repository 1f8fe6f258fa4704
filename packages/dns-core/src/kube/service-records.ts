// Services, their endpoints and ports → entries (CoreDNS plugin/kubernetes/kubernetes.go findServices).

import type { Name } from '../name.ts'
import { joinName } from '../name.ts'
import type { ClusterService, ClusterSlice, EndpointAddress, NamedPort } from './cluster-objects.ts'
import { endpointName } from './endpoint-name.ts'
import { type Entry, type Found, foundOrMissing, missing } from './entries.ts'
import { recordFamily } from './go-ip.ts'
import type { ServiceRequest, ZonalRequest } from './request-name.ts'
import type { ZoneIndex } from './zone-index.ts'
import { isMulticlusterZone, type ZoneOptions } from './zone-options.ts'

/** Entries of a service request. `zone` is folded, `askedZone` the same in the letters of the question. */
export function serviceEntries(
  index: ZoneIndex,
  options: ZoneOptions,
  request: ServiceRequest,
  zone: Name,
  askedZone: Name,
): Found {
  const { namespace, service: name } = request
  const isMulticluster = isMulticlusterZone(options, zone)
  const service = isMulticluster ? index.imported(namespace, name) : index.service(namespace, name)
  if (service === undefined) return missing
  const target = serviceTarget(service, askedZone)
  const slices = isMulticluster ? index.importedSlices(namespace, name) : index.slices(namespace, name)
  if (request.zonal !== undefined) return zonalEntries(service, [...slices], request.zonal, options, target)
  if (options.ignoresEmptyServices && service.kind === 'clusterIP' && isEmpty(slices)) return missing
  if (service.kind === 'externalName') return externalEntries(service, request, target)
  if (service.kind === 'headless' || request.endpoint !== '') {
    const naming = { options, target, isMulticluster }
    return foundOrMissing([...slices].flatMap((slice) => endpointEntries(slice, request, naming)))
  }
  return foundOrMissing(clusterIpEntries(service, request, target))
}

/** `SVC.NS.svc.ZONE` */
export function serviceTarget(service: Pick<ClusterService, 'name' | 'namespace'>, zone: Name): Name {
  return joinName(`${service.name}.${service.namespace}.svc`, zone)
}

function clusterIpEntries(service: ClusterService, request: ServiceRequest, target: Name): Entry[] {
  return service.ports
    .filter((port) => matchesPort(request, port))
    .flatMap(({ port }) => service.addresses.map((host) => ({ host, family: recordFamily(host), port, target })))
}

function externalEntries(service: ClusterService, request: ServiceRequest, target: Name): Found {
  const hasLabels = request.endpoint !== '' || request.port !== '' || request.protocol !== ''
  // COMPAT: an external name that parses as an address makes the service disappear.
  if (hasLabels || recordFamily(service.externalName) !== 'name') return missing
  return { kind: 'entries', entries: [{ host: service.externalName, family: 'name', port: 0, target }] }
}

interface Naming {
  readonly options: ZoneOptions
  readonly target: Name
  readonly isMulticluster: boolean
}

function endpointEntries(slice: ClusterSlice, request: ServiceRequest, naming: Naming): Entry[] {
  const { options, target, isMulticluster } = naming
  // An endpoint of another cluster is only found with its cluster's label.
  const wantedCluster = request.cluster.toLowerCase()
  if (isMulticluster && request.endpoint !== '' && slice.cluster.toLowerCase() !== wantedCluster) return []
  const ports = slice.ports.filter((port) => matchesPort(request, port))
  const entries: Entry[] = []
  for (const address of slice.addresses) {
    const label = endpointName(address, options.usesPodNames)
    if (request.endpoint !== '' && label.toLowerCase() !== request.endpoint) continue
    const below = isMulticluster ? `${label}.${slice.cluster}` : label
    for (const { port } of ports) entries.push(endpointEntry(address, port, `${below}.${target}`))
  }
  return entries
}

function zonalEntries(
  service: ClusterService,
  slices: readonly ClusterSlice[],
  zonal: ZonalRequest,
  options: ZoneOptions,
  target: Name,
): Found {
  if (service.kind !== 'headless') return missing
  const all = slices.flatMap((slice) =>
    slice.addresses.flatMap((address) =>
      slice.ports.map(({ port }) => ({
        zone: address.zone,
        entry: endpointEntry(address, port, `${endpointName(address, options.usesPodNames)}.${target}`),
      })),
    ),
  )
  const here = all.filter(({ zone }) => zone !== '' && zone === zonal.topologyZone)
  const chosen = here.length === 0 && zonal.directive === 'prefer' ? all : here
  return { kind: 'entries', entries: chosen.map(({ entry }) => entry) }
}

function endpointEntry({ address, family }: EndpointAddress, port: number, target: Name): Entry {
  return { host: address, family, port, target }
}

function matchesPort(request: ServiceRequest, port: NamedPort): boolean {
  return (
    (request.port === '' || request.port === port.name.toLowerCase()) &&
    (request.protocol === '' || request.protocol === port.protocol.toLowerCase())
  )
}

function isEmpty(slices: Iterable<ClusterSlice>): boolean {
  for (const slice of slices) if (slice.addresses.length > 0) return false
  return true
}
