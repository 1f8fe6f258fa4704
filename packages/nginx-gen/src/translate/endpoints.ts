// Endpoints of a Service port, as the balancer gets them.
// Source: ingress-nginx 1.15 internal/ingress/controller/endpointslices.go and serviceEndpoints.

import {
  type ClusterSnapshot,
  compareObjects,
  type EndpointSlice,
  parseIp,
  type Service,
  type ServicePort,
  serviceNameLabel,
} from '@kubewire/kube-model'
import type { BackendEndpoint } from '../model/backend.ts'
import type { ControllerOptions } from '../snapshot/controller-options.ts'

/** Finds slices by Service; built once per translation. */
export type SlicesOf = (namespace: string, service: string) => readonly EndpointSlice[]

/** Indexes the slices of a snapshot by the Service they belong to. */
export function indexSlices(snapshot: ClusterSnapshot): SlicesOf {
  const index = new Map<string, EndpointSlice[]>()
  for (const slice of snapshot.endpointSlices) {
    const service = slice.metadata?.labels?.[serviceNameLabel]
    if (service === undefined) continue
    const key = `${slice.metadata?.namespace ?? 'default'}/${service}`
    const slices = index.get(key)
    if (slices === undefined) index.set(key, [slice])
    else slices.push(slice)
  }
  for (const slices of index.values()) if (slices.length > 1) slices.sort(compareObjects)
  return (namespace, service) => index.get(`${namespace}/${service}`) ?? noSlices
}

const noSlices: readonly EndpointSlice[] = []

/** The Service port that an Ingress's port number or name means: first equal number, target port, or name. */
export function findServicePort(service: Service, port: string): ServicePort | undefined {
  return service.spec?.ports?.find(
    (candidate) => String(candidate.port) === port || targetText(candidate) === port || (candidate.name ?? '') === port,
  )
}

/** Ready endpoints of a Service port, without duplicates, in order of slices. */
export function endpointsOf(
  service: Service,
  port: ServicePort,
  protocol: 'TCP' | 'UDP',
  slicesOf: SlicesOf,
  options: ControllerOptions,
): readonly BackendEndpoint[] {
  if (service.spec?.type === 'ExternalName') return externalEndpoint(service, port)
  const zone = hintedZone(service, options)
  const found = new Map<string, BackendEndpoint>()
  const { namespace = 'default', name = '' } = service.metadata ?? {}
  for (const slice of slicesOf(namespace, name)) {
    const ports = slicePorts(slice, port, protocol)
    for (const endpoint of hintedEndpoints(slice, zone, service)) {
      if (endpoint.conditions?.ready === false) continue
      for (const number of ports) {
        for (const address of endpoint.addresses ?? []) {
          if (isForbidden(address)) continue
          found.set(`${address} ${number}`, { address, port: number })
        }
      }
    }
  }
  return [...found.values()]
}

/** A loopback or wildcard address: nothing of ours may be reached by proxying (reference: control socket). */
function isForbidden(address: string): boolean {
  const ip = parseIp(address)
  return ip === undefined || /^(?:127\.|0\.|::1$|::$)/.test(ip.text)
}

function externalEndpoint(service: Service, port: ServicePort): readonly BackendEndpoint[] {
  const name = (service.spec?.externalName ?? '').replace(/\.$/, '')
  const target = Number(port.targetPort ?? port.port)
  const number = Number.isInteger(target) && target > 0 ? target : port.port
  if (parseIp(name) !== undefined) return isForbidden(name) ? [] : [{ address: name, port: number }]
  const isName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(name)
  return !isName || name === 'localhost' || /^[0-9.]+$/.test(name) ? [] : [{ address: name, port: number }]
}

function slicePorts(slice: EndpointSlice, port: ServicePort, protocol: 'TCP' | 'UDP'): readonly number[] {
  const target = typeof port.targetPort === 'number' ? port.targetPort : undefined
  const ports = slice.ports ?? []
  if (ports.length === 0) return target === undefined ? [] : [target]
  const numbers = ports
    .filter((candidate) => (candidate.protocol ?? 'TCP') === protocol)
    .map((candidate) => {
      const isNamed = (port.name ?? '') === '' || port.name === (candidate.name ?? '')
      return isNamed ? (candidate.port ?? target) : target
    })
  return [...new Set(numbers.filter((number) => number !== undefined && number > 0))] as number[]
}

function hintedZone(service: Service, options: ControllerOptions): string | undefined {
  if (!options.topologyAwareRouting || options.zone === undefined) return undefined
  const mode = service.metadata?.annotations?.['service.kubernetes.io/topology-mode']
  const wantsHints = mode?.toLowerCase() === 'auto' || service.spec?.trafficDistribution === 'PreferClose'
  return wantsHints ? options.zone : undefined
}

function hintedEndpoints(
  slice: EndpointSlice,
  zone: string | undefined,
  service: Service,
): NonNullable<EndpointSlice['endpoints']> {
  const endpoints = slice.endpoints ?? []
  const zonesOf = (endpoint: (typeof endpoints)[number]): readonly string[] =>
    (endpoint.hints?.forZones ?? []).map(({ name }) => name)
  if (zone === undefined || endpoints.some((endpoint) => zonesOf(endpoint).length === 0)) return endpoints
  const inZone = endpoints.filter((endpoint) => zonesOf(endpoint).includes(zone))
  // With a traffic distribution a zone without endpoints falls back to all of them.
  return inZone.length === 0 && service.spec?.trafficDistribution === 'PreferClose' ? endpoints : inZone
}

function targetText(port: ServicePort): string {
  return port.targetPort === undefined ? '0' : String(port.targetPort)
}
