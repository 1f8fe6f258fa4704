// The few fields that names depend on, taken out of API objects when they arrive (reference: CoreDNS
// plugin/kubernetes/object). Small values, so that a store of 50,000 endpoints stays small.

import { type EndpointSlice, type Pod, type Service, type ServiceImport, serviceNameLabel } from '@kubewire/kube-model'
import { foldName } from '../name.ts'
import type { RecordFamily } from './go-ip.ts'
import { recordFamily } from './go-ip.ts'

/** Port number that stands for "no port declared": it has addresses but no SRV record. */
export const noPort = -1

/** A named port; empty texts where the object says nothing. */
export interface NamedPort {
  readonly name: string
  readonly port: number
  readonly protocol: string
}

/** A Service or a ServiceImport. */
export interface ClusterService {
  readonly name: string
  readonly namespace: string
  readonly kind: 'clusterIP' | 'headless' | 'externalName'
  readonly addresses: readonly string[]
  readonly externalAddresses: readonly string[]
  readonly externalName: string
  readonly ports: readonly NamedPort[]
  readonly version: string
}

/** One ready address of a slice. */
export interface EndpointAddress {
  readonly address: string
  readonly family: RecordFamily
  readonly hostname: string
  readonly targetName: string
  readonly zone: string
}

/** A slice: its ready addresses, each with all ports. */
export interface ClusterSlice {
  readonly name: string
  readonly namespace: string
  readonly service: string
  /** The cluster an imported slice comes from. */
  readonly cluster: string
  readonly addresses: readonly EndpointAddress[]
  readonly ports: readonly NamedPort[]
  readonly version: string
}

/** A running pod. */
export interface ClusterPod {
  readonly name: string
  readonly namespace: string
  readonly addresses: readonly string[]
  readonly labels: { readonly [key: string]: string }
  readonly version: string
  readonly isTerminating: boolean
}

/** Label that names the Service of an imported slice (KEP-1645). */
export const importedServiceLabel = 'multicluster.kubernetes.io/service-name'
const sourceClusterLabel = 'multicluster.kubernetes.io/source-cluster'

const placeholder: readonly NamedPort[] = [{ name: '', port: noPort, protocol: '' }]

/** Projects a Service. */
export function clusterService(service: Service): ClusterService {
  const { spec = {}, status } = service
  const all = spec.clusterIPs?.length ? spec.clusterIPs : [spec.clusterIP ?? '']
  const balancers = status?.loadBalancer?.ingress ?? []
  const kind = spec.type === 'ExternalName' ? 'externalName' : all[0] === 'None' ? 'headless' : 'clusterIP'
  return {
    name: service.metadata?.name ?? '',
    namespace: service.metadata?.namespace ?? '',
    kind,
    addresses: all,
    externalAddresses: [...(spec.externalIPs ?? []), ...balancers.map((b) => b.ip || b.hostname || '')],
    externalName: spec.externalName ?? '',
    ports: namedPorts(spec.ports),
    version: service.metadata?.resourceVersion ?? '',
  }
}

/** Projects a ServiceImport; one without ports has no records at all. */
export function importedService(object: ServiceImport): ClusterService {
  const { spec = {} } = object
  return {
    name: object.metadata?.name ?? '',
    namespace: object.metadata?.namespace ?? '',
    kind: spec.type === 'Headless' ? 'headless' : 'clusterIP',
    addresses: spec.ips ?? [],
    externalAddresses: [],
    externalName: '',
    ports: (spec.ports ?? []).length === 0 ? [] : namedPorts(spec.ports),
    version: object.metadata?.resourceVersion ?? '',
  }
}

/** How slices are read: by the labels of the multi-cluster API, with the topology zones of their endpoints. */
export interface SliceReading {
  readonly isImported: boolean
  /** COMPAT: zones are kept only where zonal names are on, so elsewhere a change of them is none. */
  readonly keepsZones: boolean
}

/** Projects an EndpointSlice. */
export function clusterSlice(slice: EndpointSlice, { isImported, keepsZones }: SliceReading): ClusterSlice {
  const labels = slice.metadata?.labels ?? {}
  const addresses: EndpointAddress[] = []
  const readyEndpoints = (slice.endpoints ?? []).filter((endpoint) => endpoint.conditions?.ready !== false)
  // An address that stands twice has the zone of the last endpoint that names one.
  const zones = new Map(
    readyEndpoints.flatMap(({ zone, addresses: own = [] }) =>
      zone === undefined ? [] : own.map((address) => [address, foldName(zone)] as const),
    ),
  )
  for (const endpoint of readyEndpoints) {
    const targetName = endpoint.targetRef?.name ?? ''
    for (const address of endpoint.addresses ?? []) {
      addresses.push({
        address,
        family: recordFamily(address),
        hostname: endpoint.hostname ?? '',
        // COMPAT: names that are too long for a label are dropped (CoreDNS plugin/kubernetes/object/endpoint.go).
        targetName: targetName.length < 64 ? targetName : '',
        zone: keepsZones ? (zones.get(address) ?? '') : '',
      })
    }
  }
  const ports = (slice.ports ?? []).map((p) => ({
    name: p.name ?? '',
    port: p.port ?? noPort,
    protocol: p.protocol ?? '',
  }))
  return {
    name: slice.metadata?.name ?? '',
    namespace: slice.metadata?.namespace ?? '',
    service: labels[isImported ? importedServiceLabel : serviceNameLabel] ?? '',
    cluster: isImported ? (labels[sourceClusterLabel] ?? '') : '',
    addresses,
    ports: ports.length === 0 ? placeholder : ports,
    version: slice.metadata?.resourceVersion ?? '',
  }
}

/** Projects a Pod. Since 1.15 only `status.podIPs` counts. */
export function clusterPod(pod: Pod): ClusterPod {
  return {
    name: pod.metadata?.name ?? '',
    namespace: pod.metadata?.namespace ?? '',
    addresses: (pod.status?.podIPs ?? []).flatMap(({ ip }) => (ip ? [ip] : [])),
    labels: pod.metadata?.labels ?? {},
    version: pod.metadata?.resourceVersion ?? '',
    isTerminating: pod.metadata?.deletionTimestamp !== undefined,
  }
}

function namedPorts(
  ports: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[] | undefined,
): readonly NamedPort[] {
  if (ports === undefined || ports.length === 0) return placeholder
  return ports.map((p) => ({ name: p.name ?? '', port: p.port, protocol: p.protocol ?? '' }))
}
