// Random but legal clusters for the proxy, and random changes of them: Services of every kind, slices with every
// condition and hint, the node's zone. Everything comes from one seed.

import type { CaseConfig, CaseStep, Manifest } from '../conformance/proxy/case-file.ts'
import type { Seeded } from './seeded.ts'

/** A cluster with its configuration, and the changes to make one after the other. */
export interface RandomCluster {
  readonly config: CaseConfig
  readonly cluster: readonly Manifest[]
  readonly steps: readonly CaseStep[]
}

const nodes = ['node-a', 'node-b', 'node-c']
const zones = ['z1', 'z2', 'z3']

/** A cluster of up to eight Services with two to five changes. */
export function randomProxyCluster(random: Seeded, mode: 'iptables' | 'nftables'): RandomCluster {
  const isDual = random.chance(0.3)
  const world: World = { random, isDual, services: new Map(), slices: new Map(), count: 0 }
  for (let i = random.integer(1, 8); i > 0; i--) addService(world)
  const config = randomConfig(random, mode, isDual)
  const node = (): Manifest => nodeObject(random, isDual)
  const cluster = [node(), ...world.services.values(), ...world.slices.values()]
  const steps = Array.from({ length: random.integer(2, 5) }, () => randomStep(world, node))
  return { config, cluster, steps }
}

interface World {
  readonly random: Seeded
  readonly isDual: boolean
  readonly services: Map<string, Manifest>
  readonly slices: Map<string, Manifest>
  count: number
}

function randomConfig(random: Seeded, mode: string, isDual: boolean): CaseConfig {
  const detectors: readonly Readonly<Record<string, unknown>>[] = [
    { clusterCIDR: isDual ? '10.244.0.0/16,fd00:244::/56' : '10.244.0.0/16' },
    { detectLocalMode: 'BridgeInterface', detectLocal: { bridgeInterface: 'cni0' } },
    { detectLocalMode: 'InterfaceNamePrefix', detectLocal: { interfaceNamePrefix: 'veth' } },
    { detectLocalMode: 'NodeCIDR' },
    {},
  ]
  const section = {
    minSyncPeriod: '1s',
    masqueradeAll: random.chance(0.2),
    masqueradeBit: random.pick([0, 14, 14, 14, 31]),
    ...(mode === 'iptables' ? { localhostNodePorts: random.chance(0.7) } : {}),
  }
  const addresses = random.pick([
    undefined,
    ['primary'],
    ['192.168.60.0/24'],
    ['127.0.0.0/8', '192.168.50.0/24'],
    ['0.0.0.0/0'],
  ])
  return {
    nodeName: 'node-a',
    nodeIPs: isDual ? ['192.168.50.11', 'fd00:50::11'] : ['192.168.50.11'],
    localAddresses: ['192.168.60.11'],
    mode,
    [mode]: section,
    ...random.pick(detectors),
    ...(addresses === undefined ? {} : { nodePortAddresses: addresses }),
  }
}

function nodeObject(random: Seeded, isDual: boolean): Manifest {
  const labels = random.chance(0.7) ? { 'topology.kubernetes.io/zone': random.pick(zones) } : {}
  const addresses = ['192.168.50.11', ...(isDual ? ['fd00:50::11'] : [])].map((address) => ({
    type: 'InternalIP',
    address,
  }))
  const podCIDRs = ['10.244.1.0/24', ...(isDual ? ['fd00:244:0:1::/64'] : [])]
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-a', labels },
    spec: { podCIDR: podCIDRs[0], podCIDRs },
    status: { addresses },
  } as unknown as Manifest
}

function addService(world: World): void {
  world.count += 1
  const name = `s${world.count}`
  world.services.set(name, serviceObject(world, name, world.count))
  const families = world.isDual ? (['IPv4', 'IPv6'] as const) : (['IPv4'] as const)
  for (const family of families)
    for (let i = world.random.integer(0, 2); i > 0; i--)
      world.slices.set(`${name}-${family}-${i}`, sliceObject(world, name, family, i))
}

function portsOf(random: Seeded, number: number, hasNodePorts: boolean) {
  const all = [
    { name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 },
    { name: 'dns', port: 53, protocol: 'UDP', targetPort: 5353 },
    { name: 'sig', port: 5060, protocol: 'SCTP', targetPort: 5060 },
  ]
  const some = random.some(all, 0.5)
  return (some.length > 0 ? some : all.slice(0, 1)).map((port, i) => ({
    ...port,
    ...(hasNodePorts ? { nodePort: 30_000 + number * 3 + i } : {}),
  }))
}

function serviceObject({ random, isDual }: World, name: string, number: number): Manifest {
  const type = random.pick(['ClusterIP', 'NodePort', 'LoadBalancer', 'LoadBalancer'])
  const isDualService = isDual && random.chance(0.6)
  const clusterIPs = [`10.96.7.${number}`, ...(isDualService ? [`fd00:10:96::7:${number}`] : [])]
  const external = random.chance(0.4) ? { externalIPs: [`198.18.0.${number}`] } : {}
  const hasPolicy = type !== 'ClusterIP' || 'externalIPs' in external
  const ranges = ['203.0.113.0/24', '192.168.50.0/24', '198.51.100.7/32', '2001:db8::/32', '0.0.0.0/0']
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: {
      type,
      clusterIP: clusterIPs[0],
      clusterIPs,
      ipFamilies: isDualService ? ['IPv4', 'IPv6'] : ['IPv4'],
      ipFamilyPolicy: isDualService ? 'RequireDualStack' : 'SingleStack',
      ports: portsOf(random, number, type !== 'ClusterIP'),
      sessionAffinity: random.chance(0.3) ? 'ClientIP' : 'None',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: random.pick([10, 300, 10_800]) } },
      internalTrafficPolicy: random.chance(0.3) ? 'Local' : 'Cluster',
      ...(hasPolicy ? { externalTrafficPolicy: random.chance(0.5) ? 'Local' : 'Cluster' } : {}),
      ...external,
      ...(type === 'LoadBalancer' && random.chance(0.5) ? { loadBalancerSourceRanges: random.some(ranges, 0.4) } : {}),
      ...(type === 'LoadBalancer' ? { healthCheckNodePort: 32_000 + number } : {}),
    },
    ...(type === 'LoadBalancer' && random.chance(0.8)
      ? {
          status: {
            loadBalancer: {
              ingress: [{ ip: `198.51.100.${100 + number}`, ipMode: random.pick(['VIP', 'VIP', 'Proxy']) }],
            },
          },
        }
      : {}),
  } as unknown as Manifest
}

function sliceObject({ random }: World, service: string, addressType: 'IPv4' | 'IPv6', index: number): Manifest {
  const address = (): string =>
    addressType === 'IPv4'
      ? `10.244.${random.integer(1, 3)}.${random.integer(1, 40)}`
      : `fd00:244:0:${random.integer(1, 3)}::${random.integer(1, 40).toString(16)}`
  const hasHints = random.chance(0.4)
  const endpoints = Array.from({ length: random.integer(0, 5) }, () => ({
    addresses: [address()],
    conditions: random.pick([
      { ready: true, serving: true, terminating: false },
      { ready: true, serving: true, terminating: false },
      { ready: false, serving: true, terminating: true },
      { ready: false, serving: false, terminating: true },
      { ready: false, serving: false, terminating: false },
      {},
    ]),
    ...(random.chance(0.9) ? { nodeName: random.pick(nodes) } : {}),
    ...(hasHints
      ? {
          hints: {
            forZones: [{ name: random.pick(zones) }],
            ...(random.chance(0.5) ? { forNodes: [{ name: random.pick(nodes) }] } : {}),
          },
        }
      : {}),
  }))
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${service}-${addressType.toLowerCase()}-${index}`,
      namespace: 'shop',
      labels: { 'kubernetes.io/service-name': service },
    },
    addressType,
    // One address twice with opposite conditions in two slices is undefined in the original: ports tell slices apart.
    ports: [
      { name: 'http', port: 8080 + index, protocol: 'TCP' },
      { name: 'dns', port: 5353 + index, protocol: 'UDP' },
      { name: 'sig', port: 5060 + index, protocol: 'SCTP' },
    ],
    endpoints: endpoints.filter(
      (one, i) => endpoints.findIndex((other) => other.addresses[0] === one.addresses[0]) === i,
    ),
  } as unknown as Manifest
}

function randomStep(world: World, node: () => Manifest): CaseStep {
  const { random, services, slices } = world
  const apply: Manifest[] = []
  const gone: { kind: string; namespace: string; name: string }[] = []
  for (let i = random.integer(1, 4); i > 0; i--) {
    const kind = random.integer(0, 5)
    const [sliceKey, slice] = slices.size > 0 ? random.pick([...slices]) : []
    const [serviceKey, service] = services.size > 0 ? random.pick([...services]) : []
    if (kind <= 2 && sliceKey !== undefined && slice !== undefined) {
      const [name = '', family, index] = sliceKey.split('-')
      const next = sliceObject(world, name, family as 'IPv4' | 'IPv6', Number(index))
      slices.set(sliceKey, next)
      apply.push(next)
    } else if (kind === 3 && serviceKey !== undefined && service !== undefined) {
      services.delete(serviceKey)
      gone.push({ kind: 'Service', namespace: 'shop', name: serviceKey })
    } else if (kind === 4 && sliceKey !== undefined && slice !== undefined) {
      slices.delete(sliceKey)
      gone.push({ kind: 'EndpointSlice', namespace: 'shop', name: slice.metadata.name })
    } else if (kind === 5 && random.chance(0.3)) {
      apply.push(node())
    } else {
      const before = new Set([...services.keys(), ...slices.keys()])
      addService(world)
      for (const [key, object] of [...services, ...slices]) if (!before.has(key)) apply.push(object)
    }
  }
  const deleted = new Set(gone.map((one) => `${one.kind} ${one.name}`))
  return { delete: gone, apply: apply.filter((object) => !deleted.has(`${object.kind} ${object.metadata.name}`)) }
}
