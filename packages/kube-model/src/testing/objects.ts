// Short builders for tests: complete, legal objects with the few fields that a test is about.

import type { Endpoint, EndpointPort, EndpointSlice } from '../objects/endpoint-slice.ts'
import type { Ingress, IngressSpec } from '../objects/ingress.ts'
import type { Namespace } from '../objects/namespace.ts'
import type { Node } from '../objects/node.ts'
import type { Pod } from '../objects/pod.ts'
import type { Service, ServiceSpec } from '../objects/service.ts'

/** A Service from `namespace/name`; a ClusterIP Service with one TCP port 80 unless `spec` says otherwise. */
export function service(key: string, spec: ServiceSpec = {}, extra: Partial<Service> = {}): Service {
  const [namespace, name] = splitKey(key)
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name },
    spec: { type: 'ClusterIP', ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }], ...spec },
    ...extra,
  }
}

/** An endpoint as tests write it: an address, or an address with conditions and topology. */
export type TestEndpoint = string | Endpoint

/** An EndpointSlice of the Service `namespace/name`; addresses alone mean ready endpoints. */
export function endpointSlice(
  serviceKey: string,
  endpoints: readonly TestEndpoint[],
  options: { readonly ports?: readonly EndpointPort[]; readonly suffix?: string } = {},
): EndpointSlice {
  const [namespace, name] = splitKey(serviceKey)
  const list = endpoints.map((e) => (typeof e === 'string' ? { addresses: [e], conditions: { ready: true } } : e))
  const isIpv6 = list.some((e) => e.addresses?.some((address) => address.includes(':')))
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace, name: `${name}-${options.suffix ?? 'a'}`, labels: { 'kubernetes.io/service-name': name } },
    addressType: isIpv6 ? 'IPv6' : 'IPv4',
    endpoints: list,
    ports: options.ports ?? [{ name: 'http', port: 8080, protocol: 'TCP' }],
  }
}

/** An Ingress from `namespace/name`. */
export function ingress(
  key: string,
  spec: IngressSpec,
  annotations: { readonly [name: string]: string } = {},
): Ingress {
  const [namespace, name] = splitKey(key)
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { namespace, name, annotations }, spec }
}

/** A Namespace with labels. */
export function namespace(name: string, labels: { readonly [key: string]: string } = {}): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
}

/** A Node with internal addresses and labels. */
export function node(
  name: string,
  addresses: readonly string[],
  labels: { readonly [key: string]: string } = {},
): Node {
  const list = addresses.map((address) => ({ type: 'InternalIP', address }))
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status: { addresses: list } }
}

/** A running Pod with its addresses, from `namespace/name`. */
export function pod(key: string, addresses: readonly string[], labels: { readonly [key: string]: string } = {}): Pod {
  const [namespace, name] = splitKey(key)
  const podIP = addresses[0]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels },
    status: { phase: 'Running', podIPs: addresses.map((ip) => ({ ip })), ...(podIP === undefined ? {} : { podIP }) },
  }
}

function splitKey(key: string): [string, string] {
  const slash = key.indexOf('/')
  return slash < 0 ? ['default', key] : [key.slice(0, slash), key.slice(slash + 1)]
}
