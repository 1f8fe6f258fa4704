// A packet that does not arrive: what the Service says about it, and on which other node it would. The rules were asked
// first; this reads the objects and asks the rules of other nodes the same. Pure.

import { buildRuleset, explainPacket, type Packet, simulatePacket } from '@kubewire/iptables-gen'
import {
  type ClusterSnapshot,
  contains,
  type Explanation,
  type Ip,
  type IpFamily,
  parseCidr,
  refOf,
  type Service,
  sortedObjects,
} from '@kubewire/kube-model'
import { localAddresses, nodeOf, type ProxyValues, proxyOptionsOf } from '../input/proxy-input.ts'
import { slicesOf } from '../lint/slices-of.ts'

/** Steps to add to the explanation of a packet; none when no Service is concerned. */
export function dropReasons(snapshot: ClusterSnapshot, values: ProxyValues, packet: Packet): readonly Explanation[] {
  const service = sortedObjects(snapshot.services).find((candidate) => isAskedFor(candidate, packet, snapshot))
  if (service === undefined) return []
  const origin = [refOf(service, 'Service')]
  const { family } = packet.destination
  const nodes = nodesWithEndpoints(snapshot, service, family)
  if (nodes.count === 0) {
    const other = nodesWithEndpoints(snapshot, service, family === 4 ? 6 : 4).count
    const kind = other === 0 ? '' : ` IPv${family}`
    return [{ where: 'why', what: `the Service has no ready${kind} endpoint on any node`, origin }]
  }
  const portless = withoutPort(snapshot, service, packet)
  if (portless !== undefined) return [{ where: 'why', what: portless, origin }]
  const closed = sourceRanges(service, packet)
  if (closed !== undefined) return [{ where: 'why', what: closed, origin }]
  const here = nodeOf(snapshot, values)?.metadata?.name ?? ''
  const others = nodes.names.filter((name) => name !== here).slice(0, mostNodes)
  return [
    ...localPolicy(service, here, nodes.names).map((what) => ({ where: 'why', what, origin })),
    ...others.flatMap((node) => elsewhere(snapshot, { ...values, node }, packet)),
  ]
}

/** A packet to an address of a Service that no rule translated: the Service has no such port. */
export function unknownPort(snapshot: ClusterSnapshot, packet: Packet): readonly Explanation[] {
  const { destination, destinationPort, protocol } = packet
  const service = sortedObjects(snapshot.services).find((one) => addressesOf(one).includes(destination.text))
  if (service === undefined || service.spec?.type === 'ExternalName') return []
  const ports = service.spec?.ports ?? []
  const isPort = ports.some((one) => one.port === destinationPort && (one.protocol ?? 'TCP').toLowerCase() === protocol)
  if (isPort) return []
  const has = ports.map((one) => `${one.port}/${(one.protocol ?? 'TCP').toLowerCase()}`).join(', ')
  const asked = destinationPort === undefined ? protocol : `${destinationPort}/${protocol}`
  const what = `the Service has no port ${asked}, only ${has || 'none'}: nobody answers there`
  return [{ where: 'why', what, origin: [refOf(service, 'Service')] }]
}

// Each node's rules are built anew.
const mostNodes = 3

function isAskedFor(service: Service, { destination, destinationPort }: Packet, snapshot: ClusterSnapshot): boolean {
  const ports = service.spec?.ports ?? []
  if (addressesOf(service).includes(destination.text)) return ports.some(({ port }) => port === destinationPort)
  return isNodeAddress(snapshot, destination) && ports.some(({ nodePort }) => nodePort === destinationPort)
}

function addressesOf({ spec = {}, status }: Service): readonly (string | undefined)[] {
  const balancers = (status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip)
  return [...(spec.clusterIPs ?? []), spec.clusterIP, ...(spec.externalIPs ?? []), ...balancers]
}

function isNodeAddress(snapshot: ClusterSnapshot, ip: Ip): boolean {
  return [...snapshot.nodes].some(({ status }) => status?.addresses?.some(({ address }) => address === ip.text))
}

function nodesWithEndpoints(
  snapshot: ClusterSnapshot,
  service: Service,
  family: IpFamily,
): { readonly count: number; readonly names: readonly string[] } {
  const slices = slicesOf(snapshot, service).filter(({ addressType }) => addressType === `IPv${family}`)
  const ready = slices.flatMap(({ endpoints = [] }) =>
    endpoints.filter(({ conditions }) => conditions?.ready !== false),
  )
  const names = new Set(ready.flatMap(({ nodeName }) => (nodeName === undefined ? [] : [nodeName])))
  return { count: ready.length, names: [...names].sort() }
}

// Ports of Services and endpoints meet by their names.
function withoutPort(snapshot: ClusterSnapshot, service: Service, { destinationPort }: Packet): string | undefined {
  const asked = service.spec?.ports?.find(
    ({ port, nodePort }) => port === destinationPort || nodePort === destinationPort,
  )
  const names = slicesOf(snapshot, service).flatMap(({ ports = [] }) => ports.map(({ name }) => name ?? ''))
  if (asked === undefined || names.includes(asked.name ?? '')) return undefined
  const { targetPort } = asked
  const wanted = typeof targetPort === 'string' ? `: no container names a port ${targetPort}` : ''
  return `no endpoint has the port ${asked.name ?? asked.port}${wanted}`
}

function sourceRanges({ spec }: Service, { source }: Packet): string | undefined {
  const ranges = spec?.loadBalancerSourceRanges ?? []
  if (ranges.length === 0) return undefined
  const isOpen = ranges.flatMap((text) => parseCidr(text.trim()) ?? []).some((cidr) => contains(cidr, source))
  return isOpen ? undefined : `${source.text} is in none of spec.loadBalancerSourceRanges: ${ranges.join(', ')}`
}

function localPolicy({ spec }: Service, here: string, names: readonly string[]): readonly string[] {
  const policies = (['externalTrafficPolicy', 'internalTrafficPolicy'] as const).filter(
    (key) => spec?.[key] === 'Local',
  )
  if (policies.length === 0 || names.includes(here)) return []
  const where =
    names.length === 0 ? 'no Pod says yet on which node it runs' : `ready endpoints are on ${names.join(', ')} alone`
  return [`spec.${policies.join(' and spec.')} is Local, and ${where}`]
}

function elsewhere(snapshot: ClusterSnapshot, values: ProxyValues, packet: Packet): Explanation[] {
  const { ruleset } = buildRuleset(snapshot, proxyOptionsOf(snapshot, values, packet.destination.family))
  const trace = simulatePacket(ruleset, packet, { localAddresses: localAddresses(nodeOf(snapshot, values)) })
  if (!trace.outcomes.every(({ verdict }) => verdict === 'accept')) return []
  return [{ where: `on node ${values.node}`, what: explainPacket(trace).what }]
}
