// What the cluster of the soak holds: a few probed Services, whose endpoints answer with their names, and many others
// that only change.

import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, node, service } from '@kubewire/kube-model/testing'

/** Where things are. The node forwards between the client and the endpoints. */
export const places = {
  node: '198.51.100.1',
  client: '198.51.100.2',
  endpointGateway: '10.244.0.1',
  endpoints: '10.244.0.2',
  dns: '10.96.0.10',
} as const

/** Ports of every endpoint: HTTP for the ingress, lines over TCP, datagrams over UDP. */
export const ports = { http: 8080, tcp: 8081, udp: 8082 } as const

/** Endpoints that a probed Service chooses from. */
export const endpointsPerService = 3

/** The endpoint `at` of probed Service `index`: its address, which is its name too. */
export function endpointAddress(index: number, at: number): string {
  return `10.244.1.${index * endpointsPerService + at + 1}`
}

/** Address of a probed Service. */
export function serviceAddress(index: number): string {
  return `10.96.1.${index + 1}`
}

const servicePorts = [
  { name: 'http', port: 80, targetPort: ports.http, protocol: 'TCP' as const },
  { name: 'tcp', port: 81, targetPort: ports.tcp, protocol: 'TCP' as const },
  { name: 'udp', port: 82, targetPort: ports.udp, protocol: 'UDP' as const },
]
const slicePorts = servicePorts.map(({ name, targetPort, protocol }) => ({ name, port: targetPort, protocol }))

/** What never changes: the node, the class, the DNS Service, the probed Services and their Ingresses. */
export function fixedObjects(probed: number): KubeObject[] {
  const objects: KubeObject[] = [
    node('node-1', [places.node]),
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'nginx' },
      spec: { controller: 'k8s.io/ingress-nginx' },
    } as KubeObject,
    service('kube-system/kube-dns', {
      clusterIP: places.dns,
      ports: [{ name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' }],
    }),
    endpointSlice('kube-system/kube-dns', [places.node], { ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] }),
  ]
  for (let index = 0; index < probed; index += 1) {
    objects.push(
      service(`soak/tea-${index}`, { clusterIP: serviceAddress(index), ports: servicePorts }),
      service(`soak/bare-${index}`, { clusterIP: 'None', ports: servicePorts }),
      ingress(`soak/tea-${index}`, ingressSpec(`tea-${index}.example.org`, `tea-${index}`)),
    )
  }
  return objects
}

/** The slices of a probed Service: the addressed one and the headless one have the same endpoints. */
export function probedSlices(index: number, addresses: readonly string[]): KubeObject[] {
  return [`soak/tea-${index}`, `soak/bare-${index}`].map((key) => endpointSlice(key, addresses, { ports: slicePorts }))
}

/** A Service that nobody asks, and its slice; every fifth has an Ingress. */
export function bulkObjects(index: number, addresses: readonly string[]): KubeObject[] {
  const name = `bulk-${index}`
  const own = [service(`soak/${name}`, { clusterIP: bulkAddress(index) }), endpointSlice(`soak/${name}`, addresses)]
  return index % 5 === 0 ? [...own, ingress(`soak/${name}`, ingressSpec(`${name}.example.org`, name))] : own
}

function bulkAddress(index: number): string {
  return `10.97.${index >> 8}.${index & 255}`
}

function ingressSpec(host: string, name: string) {
  const backend = { service: { name, port: { number: 80 } } }
  return {
    ingressClassName: 'nginx',
    rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix' as const, backend }] } }],
  }
}
