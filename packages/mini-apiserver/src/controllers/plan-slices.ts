// A Service with a selector and its Pods → the EndpointSlices that should be there. Pure.
// Source: k8s.io/endpointslice 0.37 (reconciler.go, utils.go) and KEP-752.

import { deepEqual, familyOf } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import { type JsonObject, numberAt, objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import { distributeEndpoints } from './distribute-endpoints.ts'

/** Label that marks slices as the controller's. */
export const managedBy = 'endpointslice.kubernetes.io/managed-by'
/** Its value for our controller, the same as the original's. */
export const controllerName = 'endpointslice-controller.k8s.io'
/** Label with the name of the Service that a slice belongs to. */
export const serviceNameLabel = 'kubernetes.io/service-name'

/** What the controller wants to exist: a slice that is there (`old`) with other contents, or a new one. */
export interface WantedSlice {
  readonly addressType: string
  readonly ports: readonly JsonObject[]
  readonly endpoints: readonly JsonObject[]
  readonly old?: ApiObject
}

/** What is to be done about a Service's slices. */
export interface SlicePlan {
  /** Slices as they should be; some may be so already. */
  readonly wanted: readonly WantedSlice[]
  readonly removed: readonly ApiObject[]
}

/** Whether the controller looks after this Service. */
export function isSelecting(service: ApiObject): boolean {
  const spec = objectAt(service, 'spec')
  return textAt(spec, 'type') !== 'ExternalName' && Object.keys(objectAt(spec, 'selector')).length > 0
}

/**
 * The slices that a Service should have, per address family and set of ports.
 *
 * @param pods - those that it selects
 * @param slices - those that the controller made for it
 * @param zoneOf - zone of a node by its name
 */
export function planSlices(
  service: ApiObject,
  pods: readonly ApiObject[],
  slices: readonly ApiObject[],
  zoneOf: (node: string) => string | undefined,
): SlicePlan {
  const spec = objectAt(service, 'spec')
  const wanted: WantedSlice[] = []
  const free = new Set(slices)
  for (const addressType of textsAt(spec, 'ipFamilies')) {
    for (const { ports, endpoints } of groupsOf(service, pods, addressType, zoneOf)) {
      const own = [...free].filter(
        (each) => each['addressType'] === addressType && deepEqual(each['ports'] ?? [], ports),
      )
      const { kept, added } = distributeEndpoints(own, endpoints)
      for (const [at, old] of own.entries()) {
        const share = kept[at] ?? []
        if (share.length === 0) continue
        free.delete(old)
        wanted.push({ addressType, ports, endpoints: share, old })
      }
      for (const share of added) wanted.push({ addressType, ports, endpoints: share })
    }
  }
  const removed = [...free]
  // The last slice stays, empty, so that watchers see endpoints go rather than slices.
  const last = wanted.length === 0 ? removed.shift() : undefined
  if (last) wanted.push({ addressType: textAt(last, 'addressType'), ports: [], endpoints: [], old: last })
  return { wanted, removed }
}

interface EndpointGroup {
  readonly ports: JsonObject[]
  readonly endpoints: JsonObject[]
}

// Pods may give a named port different numbers; slices have one set of ports each.
function groupsOf(
  service: ApiObject,
  pods: readonly ApiObject[],
  addressType: string,
  zoneOf: (node: string) => string | undefined,
): EndpointGroup[] {
  const groups: EndpointGroup[] = []
  for (const pod of pods) {
    const endpoint = endpointOf(pod, service, addressType, zoneOf)
    if (!endpoint) continue
    const ports = portsFor(pod, objectAt(service, 'spec'))
    const group = groups.find((each) => deepEqual(each.ports, ports))
    if (group) group.endpoints.push(endpoint)
    else groups.push({ ports, endpoints: [endpoint] })
  }
  return groups
}

/** Labels of a Service's slices: its own, and those that say whose they are. */
export function sliceLabels(service: ApiObject): { [key: string]: string } {
  const isHeadless = textAt(objectAt(service, 'spec'), 'clusterIP') === 'None'
  return {
    ...service.metadata.labels,
    [managedBy]: controllerName,
    [serviceNameLabel]: service.metadata.name ?? '',
    ...(isHeadless ? { 'service.kubernetes.io/headless': '' } : {}),
  }
}

function endpointOf(
  pod: ApiObject,
  service: ApiObject,
  addressType: string,
  zoneOf: (node: string) => string | undefined,
): JsonObject | undefined {
  const status = objectAt(pod, 'status')
  const phase = textAt(status, 'phase')
  const family = addressType === 'IPv6' ? 6 : 4
  const address = addressesOf(status).find((text) => familyOf(text) === family)
  if (address === undefined || phase === 'Succeeded' || phase === 'Failed') return undefined
  const serviceSpec = objectAt(service, 'spec')
  const podSpec = objectAt(pod, 'spec')
  const isTerminating = pod.metadata.deletionTimestamp !== undefined
  const isServing = objectsAt(status, 'conditions').some(({ type, status: is }) => type === 'Ready' && is === 'True')
  const publishesAll = serviceSpec['publishNotReadyAddresses'] === true
  const nodeName = textAt(podSpec, 'nodeName')
  const zone = zoneOf(nodeName)
  const hostname = textAt(podSpec, 'subdomain') === service.metadata.name ? textAt(podSpec, 'hostname') : ''
  const { namespace = '', name = '', uid = '' } = pod.metadata
  return {
    addresses: [address],
    conditions: {
      ready: publishesAll || (isServing && !isTerminating),
      serving: isServing,
      terminating: isTerminating,
    },
    ...(hostname === '' ? {} : { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(nodeName === '' ? {} : { nodeName }),
    ...(zone === undefined ? {} : { zone }),
    ...hintsFor(textAt(serviceSpec, 'trafficDistribution'), nodeName, zone),
  }
}

// KEP-3015: each endpoint is kept for its own zone, or first for its own node.
function hintsFor(distribution: string, nodeName: string, zone: string | undefined): JsonObject {
  const zones = zone === undefined ? {} : { forZones: [{ name: zone }] }
  if (distribution === 'PreferClose' || distribution === 'PreferSameZone')
    return zone === undefined ? {} : { hints: zones }
  if (distribution !== 'PreferSameNode' || nodeName === '') return {}
  return { hints: { ...zones, forNodes: [{ name: nodeName }] } }
}

function addressesOf(status: JsonObject): string[] {
  const list = objectsAt(status, 'podIPs').map((entry) => textAt(entry, 'ip'))
  const single = textAt(status, 'podIP')
  return list.length > 0 || single === '' ? list : [single]
}

// A named target port that the pod does not have is left out, and with it the endpoint's reachability by that port.
function portsFor(pod: ApiObject, serviceSpec: JsonObject): JsonObject[] {
  return objectsAt(serviceSpec, 'ports').flatMap((port) => {
    const protocol = textAt(port, 'protocol') || 'TCP'
    const number = targetPort(pod, port, protocol)
    if (number === undefined) return []
    const appProtocol = textAt(port, 'appProtocol')
    return [{ name: textAt(port, 'name'), protocol, port: number, ...(appProtocol === '' ? {} : { appProtocol }) }]
  })
}

function targetPort(pod: ApiObject, port: JsonObject, protocol: string): number | undefined {
  const target = port['targetPort'] ?? port['port']
  if (typeof target === 'number') return target === 0 ? numberAt(port, 'port') : target
  const podSpec = objectAt(pod, 'spec')
  const containers = [
    ...objectsAt(podSpec, 'containers'),
    ...objectsAt(podSpec, 'initContainers').filter((each) => each['restartPolicy'] === 'Always'),
  ]
  for (const container of containers) {
    const found = objectsAt(container, 'ports').find(
      (each) => each['name'] === target && (textAt(each, 'protocol') || 'TCP') === protocol,
    )
    if (found) return numberAt(found, 'containerPort')
  }
  return undefined
}
