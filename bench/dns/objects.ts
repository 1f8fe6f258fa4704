// The cluster of the DNS benchmarks and the questions about it: Services with five endpoints each, one in ten headless.

import type { EndpointSlice, KubeObject, Service } from '@kubewire/kube-model'
import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'

const endpointsPerService = 5

const namespaces = 20
const zone = 'cluster.local'

/** `NAMESPACE/NAME` of a Service. */
export function keyOfService(i: number): string {
  return `team-${i % namespaces}/service-${i}`
}

/** Whether a Service has no address of its own. */
export function isHeadless(i: number): boolean {
  return i % 10 === 9
}

/** One Service. */
function serviceAt(i: number): Service {
  const clusterIP = isHeadless(i) ? 'None' : clusterAddress(i)
  return service(keyOfService(i), { clusterIP, clusterIPs: [clusterIP] })
}

/** Its slice; another `round` has another first endpoint. */
export function sliceAt(i: number, round = 0): EndpointSlice {
  const [, name = ''] = keyOfService(i).split('/')
  const endpoints = Array.from({ length: endpointsPerService }, (_, j) => ({
    addresses: [endpointAddress(i, j === 0 ? round : 0, j)],
    conditions: { ready: true, serving: true, terminating: false },
    nodeName: `node-${(i + j) % 100}`,
    targetRef: { kind: 'Pod', namespace: `team-${i % namespaces}`, name: `${name}-7c9d8f-${j}` },
  }))
  return endpointSlice(keyOfService(i), endpoints)
}

/** All objects. */
export function* clusterOf(services: number): Iterable<KubeObject> {
  for (let i = 0; i < namespaces; i++) yield namespace(`team-${i}`)
  for (let i = 0; i < services; i++) yield serviceAt(i)
  for (let i = 0; i < services; i++) yield sliceAt(i)
}

/** What is asked, as lines of dnsperf. */
export type QuestionSet = 'a' | 'mix'

/** Lines `NAME TYPE` in an order that walks through the whole cluster. */
export function questionLines(set: QuestionSet, services: number): readonly string[] {
  const order = Array.from({ length: services }, (_, i) => (i * 7919) % services)
  if (set === 'a') return order.filter((i) => !isHeadless(i)).map((i) => `${nameOfService(i)} A`)
  return order.flatMap((i) => {
    const [own = ''] = keyOfService(i).split('/')
    const searched = `${nameOfService(i)}.${own}.svc.${zone}`
    const service = `_http._tcp.${nameOfService(i)} SRV`
    // A client with a search list asks both families and misses once before it hits; SRV is rare.
    const asked = [`${searched} A`, `${searched} AAAA`, `${nameOfService(i)} A`, `${nameOfService(i)} AAAA`]
    return i % 4 === 1 ? [...asked, service] : asked
  })
}

/** The same names and addresses as a zone file: `OWNER TTL IN TYPE DATA` a line, absolute owners. */
export function* zoneLines(services: number): Iterable<string> {
  yield `${zone}. 30 IN SOA ns.dns.${zone}. hostmaster.${zone}. 1 7200 1800 86400 30`
  yield `${zone}. 30 IN NS ns.dns.${zone}.`
  yield `ns.dns.${zone}. 30 IN A 10.96.0.10`
  for (let i = 0; i < services; i++) {
    const name = `${nameOfService(i)}.`
    const hosts = Array.from({ length: endpointsPerService }, (_, j) => endpointAddress(i, 0, j))
    for (const address of isHeadless(i) ? hosts : [clusterAddress(i)]) yield `${name} 30 IN A ${address}`
    yield `_http._tcp.${name} 30 IN SRV 0 100 80 ${name}`
  }
}

function nameOfService(i: number): string {
  const [own = '', name = ''] = keyOfService(i).split('/')
  return `${name}.${own}.svc.${zone}`
}

function clusterAddress(i: number): string {
  return `10.${97 + (i >> 15)}.${(i >> 7) & 255}.${((i << 1) & 254) + 1}`
}

function endpointAddress(i: number, round: number, j: number): string {
  return `10.${128 + j * 8 + (round % 8)}.${(i >> 8) & 255}.${i & 255}`
}
