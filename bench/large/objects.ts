// One large cluster for all three daemons: Services with ten endpoints each, an Ingress for every second Service, and two
// probes, whose only endpoint is what changes.

import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, namespace, node, service } from '@kubewire/kube-model/testing'

/** How large: `endpoints` is the number in each Service. */
export interface ClusterSize {
  readonly services: number
  readonly endpoints: number
  readonly ingresses: number
}

/** The two addresses between which the probes' endpoint moves. */
export const probeAddresses = ['10.20.3.4', '10.20.3.5'] as const
/** What reaches the probe through the service proxy, by DNS and through the ingress. */
export const probe = {
  clusterIP: '10.111.0.1',
  name: 'probe-headless.bench.svc.cluster.local',
  host: 'probe.bench.example.org',
} as const
/** The node that the proxies run on. */
export const nodeName = 'edge-1'

const namespaces = 50

/** Everything, in the order in which it is put. */
export function* clusterOf({ services, endpoints, ingresses }: ClusterSize): Iterable<KubeObject> {
  yield node(nodeName, ['192.0.2.11'])
  yield namespace('bench')
  for (let i = 0; i < namespaces; i++) yield namespace(`team-${i}`)
  yield service('bench/probe', { clusterIP: probe.clusterIP })
  yield service('bench/probe-headless', { clusterIP: 'None', clusterIPs: ['None'] })
  yield* probeSlices(probeAddresses[0])
  yield ingressOf('bench/probe', probe.host)
  for (let i = 0; i < services; i++) {
    yield service(keyAt(i), { clusterIP: addressOf(96, i + 256) })
    yield endpointSlice(
      keyAt(i),
      Array.from({ length: endpoints }, (_, j) => addressOf(128 + j, i)),
    )
  }
  for (let i = 0; i < ingresses; i++) yield ingressOf(keyAt(i), `h${i}.bench.example.org`)
}

/** The probes' slices with their one endpoint. */
export function probeSlices(address: string): readonly KubeObject[] {
  return ['bench/probe', 'bench/probe-headless'].map((key) => endpointSlice(key, [address]))
}

function keyAt(i: number): string {
  return `team-${i % namespaces}/service-${i}`
}

function ingressOf(key: string, host: string): KubeObject {
  const backend = { service: { name: key.split('/')[1] ?? '', port: { number: 80 } } }
  return ingress(key, { rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] })
}

function addressOf(first: number, i: number): string {
  return `10.${first}.${(i >> 8) & 255}.${i & 255}`
}
