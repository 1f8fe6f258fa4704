// Random Services and EndpointSlices: every type, policy, condition and hint, and spellings that API servers let pass.

import type { Manifest } from '@kubewire/iptables-gen/cases'
import { type Stack, zones } from './proxy-config.ts'
import type { Seeded } from './seeded.ts'

const nodes = ['node-a', 'node-b', 'node-c']

/** The name of a Service: every fifth is as long as names may be. */
export function serviceName(number: number): string {
  return number % 5 === 4 ? `s${number}`.padEnd(63, 'x') : `s${number}`
}

/** The number in the name of a Service. */
export function serviceNumber(name: string): number {
  return Number.parseInt(name.slice(1), 10)
}

/** A Service whose addresses and ports follow from its number, so that no two share one. */
export function randomService(random: Seeded, stack: Stack, number: number): Manifest {
  const without = random.chance(0.06) ? random.pick(['headless', 'external']) : undefined
  if (without !== undefined) return serviceWithoutAddress(number, without)
  const type = random.pick(['ClusterIP', 'NodePort', 'LoadBalancer', 'LoadBalancer'])
  const isSingle = stack.length > 1 && random.chance(0.4)
  const families = isSingle ? [random.pick(stack)] : random.chance(0.2) ? stack.toReversed() : stack
  const clusterIPs = families.map((family) => (family === 'IPv4' ? `10.96.7.${number}` : `fd00:10:96::7:${number}`))
  const external = random.chance(0.4) ? { externalIPs: externalIps(random, stack, number) } : {}
  const hasPolicy = type !== 'ClusterIP' || 'externalIPs' in external
  const isHidden = random.chance(0.04)
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: serviceName(number),
      namespace: 'shop',
      ...(isHidden ? { labels: { 'service.kubernetes.io/service-proxy-name': 'other' } } : {}),
    },
    spec: {
      type,
      clusterIP: clusterIPs[0],
      clusterIPs,
      ipFamilies: families,
      ipFamilyPolicy: families.length > 1 ? 'RequireDualStack' : 'SingleStack',
      ports: servicePorts(random, number, type !== 'ClusterIP' && random.chance(0.9)),
      sessionAffinity: random.chance(0.3) ? 'ClientIP' : 'None',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: random.pick([10, 300, 10_800]) } },
      internalTrafficPolicy: random.chance(0.3) ? 'Local' : 'Cluster',
      ...(hasPolicy ? { externalTrafficPolicy: random.chance(0.5) ? 'Local' : 'Cluster' } : {}),
      ...external,
      // Means nothing to a proxy: the hints do.
      ...(random.chance(0.2) ? { trafficDistribution: random.pick(['PreferSameZone', 'PreferSameNode']) } : {}),
      ...(type === 'LoadBalancer' && random.chance(0.5)
        ? { loadBalancerSourceRanges: random.some(sourceRanges, 0.35) }
        : {}),
      ...(type === 'LoadBalancer' ? { healthCheckNodePort: random.pick([32_000, 32_000, 32_300]) + number } : {}),
    },
    ...(type === 'LoadBalancer' && random.chance(0.8)
      ? { status: { loadBalancer: { ingress: ingress(random, stack, number) } } }
      : {}),
  } as unknown as Manifest
}

function serviceWithoutAddress(number: number, kind: string): Manifest {
  const spec =
    kind === 'headless'
      ? { type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'] }
      : { type: 'ExternalName', externalName: 'tea.example.org' }
  const ports = [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }]
  const metadata = { name: serviceName(number), namespace: 'shop' }
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { ...spec, ports } } as unknown as Manifest
}

const sourceRanges = [
  '203.0.113.0/24',
  ' 203.0.113.77/25 ',
  '192.168.50.0/24',
  '198.51.100.7/32',
  '2001:db8::/32',
  'fd00:50::/64',
  '0.0.0.0/0',
]

function externalIps(random: Seeded, stack: Stack, number: number): readonly string[] {
  const all = [
    `198.18.0.${number}`,
    `198.018.001.${number}`,
    // Also one of its load-balancer addresses, and the first once more.
    ...(random.chance(0.15) ? [`198.51.100.${100 + number}`] : []),
    ...(random.chance(0.15) ? [`198.18.0.${number}`] : []),
    ...(stack.includes('IPv6') ? [`2001:db8:e::${number}`] : []),
  ]
  const some = random.some(all, 0.6)
  return some.length > 0 ? some : all.slice(0, 1)
}

function ingress(random: Seeded, stack: Stack, number: number): readonly unknown[] {
  const mode = (): object => random.pick([{ ipMode: 'VIP' }, { ipMode: 'VIP' }, {}, { ipMode: 'Proxy' }])
  const all = [
    { ip: `198.51.100.${100 + number}`, ...mode() },
    ...(random.chance(0.2) ? [{ ip: `198.51.101.${100 + number}`, ...mode() }] : []),
    ...(stack.includes('IPv6') ? [{ ip: `2001:db8:f::${number}`, ...mode() }] : []),
    ...(random.chance(0.2) ? [{ hostname: 'lb.example.org' }] : []),
    ...(random.chance(0.1) ? [{ ip: `198.51.100.${100 + number}` }] : []),
  ]
  return all
}

function servicePorts(random: Seeded, number: number, hasNodePorts: boolean) {
  const all = [
    { name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 },
    { name: 'dns', port: 53, protocol: 'UDP', targetPort: 5353 },
    { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 5353 },
    { name: 'sig', port: 5060, protocol: 'SCTP', targetPort: 5060 },
  ]
  const some = random.some(all, 0.5)
  const chosen = some.length > 0 ? some : all.slice(0, 1)
  // One number for two protocols is legal.
  const sharesNodePort = random.chance(0.15)
  const isNameless = chosen.length === 1 && random.chance(0.1)
  return chosen.map(({ name, ...port }, i) => ({
    ...(isNameless ? {} : { name }),
    ...port,
    ...(hasNodePorts
      ? { nodePort: 30_000 + number * 4 + (sharesNodePort && port.protocol !== 'SCTP' ? nodePortShare(port) : i) }
      : {}),
  }))
}

// TCP and UDP of port 53 get the same node port.
function nodePortShare({ port }: { readonly port: number }): number {
  return port === 53 ? 1 : 0
}

/** A slice of a Service; `index` tells the slices of one Service apart. */
export function randomSlice(random: Seeded, service: string, addressType: 'IPv4' | 'IPv6', index: number): Manifest {
  const address = (): string =>
    addressType === 'IPv4'
      ? `10.244.${random.integer(1, 3)}.${random.integer(1, 40)}`
      : `fd00:244:0:${random.integer(1, 3)}::${random.integer(1, 40).toString(16)}`
  const hints = random.chance(0.4) ? random.pick(['zones', 'nodes', 'mixed']) : 'none'
  const count = random.chance(0.05) ? 24 : random.integer(0, 5)
  const endpoints = Array.from({ length: count }, () => ({
    addresses: random.chance(0.05) ? [address(), address()] : [address()],
    conditions: random.pick(conditions),
    ...(random.chance(0.9) ? { nodeName: random.pick(nodes) } : {}),
    ...randomHints(random, hints),
  }))
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${service}-${addressType.toLowerCase()}-${index}`,
      namespace: 'shop',
      labels: {
        'kubernetes.io/service-name': service,
        ...(random.chance(0.03) ? { 'service.kubernetes.io/headless': '' } : {}),
      },
    },
    addressType: random.chance(0.03) ? 'FQDN' : addressType,
    ports: slicePorts(random, index),
    endpoints: endpoints.filter(
      (one, i) => endpoints.findIndex((other) => other.addresses[0] === one.addresses[0]) === i,
    ),
  } as unknown as Manifest
}

const conditions = [
  { ready: true, serving: true, terminating: false },
  { ready: true, serving: true, terminating: false },
  { ready: true },
  { ready: false, serving: true, terminating: true },
  { ready: false, serving: false, terminating: true },
  { ready: false, serving: false, terminating: false },
  { ready: false, serving: true },
  {},
]

// Every endpoint with hints, or some without: then the hints of all are ignored.
function randomHints(random: Seeded, kind: string): object {
  if (kind === 'none') return random.chance(0.05) ? { hints: {} } : {}
  if (kind === 'mixed' && random.chance(0.15)) return {}
  if (random.chance(0.05)) return { hints: { forNodes: [{ name: random.pick(nodes) }] } }
  if (random.chance(0.05)) return { hints: { forZones: zones.map((name) => ({ name })) } }
  const forNodes = kind === 'zones' ? {} : { forNodes: [{ name: random.pick(nodes) }] }
  return { hints: { forZones: [{ name: random.pick(zones) }], ...forNodes } }
}

// One address twice with opposite conditions in two slices is undefined in the original: ports tell slices apart.
function slicePorts(random: Seeded, index: number): readonly object[] {
  const all = [
    { name: 'http', port: 8080 + index, protocol: 'TCP' },
    { name: 'dns', port: 5353 + index, protocol: 'UDP' },
    { name: 'dns-tcp', port: 5353 + index, protocol: 'TCP' },
    { name: 'sig', port: 5060 + index, protocol: 'SCTP' },
    { name: '', port: 8080 + index, protocol: 'TCP' },
  ]
  return random.chance(0.1) ? random.some(all, 0.7) : all
}
