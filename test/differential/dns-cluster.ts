// Random clusters for DNS: awkward names, every type of Service, slices in all states, pods, imports. Every object is one
// that an API server accepts.

import type { KubeObject } from '@kubewire/kube-model'
import type { Seeded } from './seeded.ts'

/** A cluster with the words that questions are made of. */
export interface RandomCluster {
  readonly objects: readonly KubeObject[]
  readonly namespaces: readonly string[]
  readonly services: readonly { readonly namespace: string; readonly name: string }[]
  readonly addresses: readonly string[]
  readonly hostnames: readonly string[]
  readonly pods: readonly { readonly namespace: string; readonly address: string }[]
}

const namespaceNames = [
  'shop',
  'data',
  'svc',
  'pod',
  'dns',
  'any',
  'team-blue',
  '7th',
  '0',
  'x--x',
  'cluster',
  'in-addr',
]
const serviceNames = [
  'web',
  'db',
  'api',
  'dns',
  'svc',
  'pod',
  'any',
  'pin',
  'tcp',
  'http',
  'queue',
  'metrics',
  'x-y',
  'cache',
]
const portNames = ['http', 'https', 'dns', 'dns-tcp', 'metrics', 'a', 'tcp', 'x-y', 'pin']
const labelSets = [
  {},
  { app: 'web' },
  { app: 'db', expose: 'yes' },
  { expose: 'yes' },
  { tier: '1', app: 'x' },
  { env: 'qa' },
]
const zones = ['zone-a', 'zone-b', 'Zone-C', 'eu.west-1']
const longLabel = 'h'.repeat(63)

/** Makes a cluster of some ten services. */
export function randomCluster(random: Seeded): RandomCluster {
  const namespaces = [...new Set(Array.from({ length: random.integer(2, 6) }, () => random.pick(namespaceNames)))]
  const made: Making = { random, objects: [], services: [], addresses: [], hostnames: [], pods: [], used: new Set() }
  for (const name of namespaces) {
    const labels = { ...random.pick(labelSets), ...(random.chance(0.5) ? { 'kubernetes.io/metadata.name': name } : {}) }
    made.objects.push({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
  }
  for (let i = random.integer(4, 14); i > 0; i--) addService(made, namespaces)
  for (let i = random.integer(0, 5); i > 0; i--) addPod(made, random.pick(namespaces))
  for (let i = random.integer(0, 4); i > 0; i--) addImport(made, random.pick(namespaces))
  if (random.chance(0.3)) addSlice(made, random.pick(namespaces), 'orphan', {})
  return { ...made, namespaces }
}

interface Making {
  readonly random: Seeded
  readonly objects: KubeObject[]
  readonly services: { readonly namespace: string; readonly name: string }[]
  readonly addresses: string[]
  readonly hostnames: string[]
  readonly pods: { readonly namespace: string; readonly address: string }[]
  readonly used: Set<string>
}

function addService(made: Making, namespaces: readonly string[]): void {
  const { random } = made
  const [namespace, name] = [random.pick(namespaces), random.pick(serviceNames)]
  if (made.used.has(`${namespace}/${name}`)) return
  made.used.add(`${namespace}/${name}`)
  made.services.push({ namespace, name })
  const metadata = { name, namespace, labels: random.pick(labelSets) }
  const kind = random.pick([
    'ClusterIP',
    'ClusterIP',
    'headless',
    'headless',
    'NodePort',
    'LoadBalancer',
    'ExternalName',
  ])
  const spec =
    kind === 'ExternalName'
      ? externalSpec(made, namespaces)
      : { ...addressSpec(made, kind), ports: randomPorts(random) }
  const status =
    kind === 'LoadBalancer' && random.chance(0.7)
      ? { status: { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } } }
      : {}
  const object = { apiVersion: 'v1', kind: 'Service', metadata, spec, ...status }
  made.objects.push(object as KubeObject)
  if (kind === 'ExternalName' && random.chance(0.8)) return
  for (let i = random.integer(0, 3); i > 0; i--) addSlice(made, namespace, name, random.pick(labelSets), i)
}

function externalSpec({ random }: Making, namespaces: readonly string[]): object {
  const externalName = random.pick([
    `${random.pick(serviceNames)}.${random.pick(namespaces)}.svc.cluster.local`,
    `${random.pick(serviceNames)}.${random.pick(namespaces)}.svc.cluster.local`,
    'www.partner.example',
    'WWW.Partner.Example',
    'mixed.partner.example',
    'gone.dead.example',
    'printer.cluster.local',
    '192.0.2.7',
    'svc.cluster.local',
    `${random.pick(serviceNames)}.${random.pick(namespaces)}.svc.clusterset.local`,
    'dns-version.cluster.local',
  ])
  const ports = random.chance(0.5) ? { ports: randomPorts(random).slice(0, 2) } : {}
  return { type: 'ExternalName', externalName, ...ports }
}

function addressSpec(made: Making, kind: string): object {
  const { random } = made
  const type = kind === 'headless' ? 'ClusterIP' : kind
  const families = random.pick([['IPv4'], ['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']])
  const policy = families.length === 1 ? 'SingleStack' : 'RequireDualStack'
  if (kind === 'headless') {
    return { type, clusterIP: 'None', clusterIPs: ['None'], ipFamilies: families, ipFamilyPolicy: policy }
  }
  const clusterIPs = families.map((family) => freeAddress(made, family))
  made.addresses.push(...clusterIPs)
  const external = random.chance(0.2) ? { externalIPs: ['203.0.113.44'] } : {}
  const publishes = random.chance(0.1) ? { publishNotReadyAddresses: true } : {}
  return {
    type,
    clusterIP: clusterIPs[0],
    clusterIPs,
    ipFamilies: families,
    ipFamilyPolicy: policy,
    ...external,
    ...publishes,
  }
}

/** No API server gives an address twice, and which of two such Services CoreDNS names is the order of a Go map. */
function freeAddress({ random, addresses }: Making, family: string): string {
  for (;;) {
    const address =
      family === 'IPv4'
        ? `10.96.${random.integer(1, 250)}.${random.integer(1, 250)}`
        : `fd00:10:96::${random.integer(16, 65000).toString(16)}`
    if (!addresses.includes(address)) return address
  }
}

function randomPorts(random: Seeded): { name?: string; port: number; protocol: string; targetPort: number }[] {
  const count = random.pick([1, 1, 1, 2, 2, 3])
  if (count === 1 && random.chance(0.3))
    return [{ port: 5432, protocol: random.pick(['TCP', 'UDP']), targetPort: 5432 }]
  const names = [...new Set(Array.from({ length: count }, () => random.pick(portNames)))]
  return names.map((name, i) => {
    const port = name.startsWith('dns') ? 53 : 80 + i
    // Two ports may share a number only with different protocols.
    return { name, port: name === 'dns-tcp' ? 53 : port, protocol: name === 'dns' ? 'UDP' : 'TCP', targetPort: port }
  })
}

function addSlice(made: Making, namespace: string, service: string, labels: object, index = 0): void {
  const { random } = made
  const isIpv6 = random.chance(0.3)
  const endpoints = Array.from({ length: random.integer(0, 5) }, () => randomEndpoint(made, isIpv6, service))
  const ports = random.pick([
    [],
    [{ name: random.pick(portNames), port: 8080, protocol: 'TCP' }],
    [{ name: random.pick(portNames), port: 8080, protocol: 'TCP' }],
    [
      { name: 'http', port: 8080, protocol: 'TCP' },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ],
    [{ name: '', port: 5432, protocol: 'TCP' }],
    [{ name: 'a', protocol: 'TCP' }],
  ])
  // Always with its label: without one the original sends no reply at all to reverse questions.
  const owner = { 'kubernetes.io/service-name': service }
  made.objects.push({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${service}-${index}`, namespace, labels: { ...owner, ...labels } },
    addressType: isIpv6 ? 'IPv6' : 'IPv4',
    endpoints,
    ports,
  } as KubeObject)
}

function randomEndpoint(made: Making, isIpv6: boolean, service: string): object {
  const { random } = made
  const fresh = isIpv6
    ? random.pick([
        `fd00:10:244:${random.integer(0, 3)}::${random.integer(1, 65000).toString(16)}`,
        'fd00::',
        'fd00:10:244::1',
      ])
    : `10.244.${random.integer(0, 3)}.${random.integer(1, 254)}`
  const known = made.addresses.filter((address) => address.includes(':') === isIpv6)
  const address = known.length > 0 && random.chance(0.15) ? random.pick(known) : fresh
  made.addresses.push(address)
  const hostname = random.pick([undefined, undefined, `${service}-0`, 'db-0', '10-244-1-5', longLabel, '1st', service])
  if (hostname !== undefined) made.hostnames.push(hostname)
  const targetName = random.pick([undefined, `${service}-x7k`, 't'.repeat(63), 't'.repeat(64), 'pod.with.dots'])
  const conditions = random.pick([
    { ready: true },
    { ready: true },
    { ready: true },
    {},
    { ready: false },
    { ready: false, serving: true, terminating: true },
  ])
  return {
    addresses: [address],
    conditions,
    ...(hostname === undefined ? {} : { hostname }),
    ...(targetName === undefined ? {} : { targetRef: { kind: 'Pod', name: targetName, namespace: 'shop' } }),
    ...(random.chance(0.5) ? { zone: random.pick(zones) } : {}),
  }
}

function addPod(made: Making, namespace: string): void {
  const { random } = made
  const name = `pod-${made.pods.length}`
  const ipv4 = `10.244.${random.integer(0, 3)}.${random.integer(1, 254)}`
  const ipv6 = `fd00:10:244::${random.integer(1, 65000).toString(16)}`
  const podIPs = random.pick([[ipv4], [ipv6], [ipv4, ipv6], []]).map((ip) => ({ ip }))
  const [first] = podIPs
  for (const { ip } of podIPs) made.pods.push({ namespace, address: ip })
  const phase = random.pick(['Running', 'Running', 'Running', 'Succeeded', 'Failed', 'Pending'])
  made.objects.push({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: random.pick(labelSets) },
    spec: { containers: [{ name: 'main', image: 'none' }] },
    status: { phase, podIPs, ...(first === undefined ? {} : { podIP: first.ip }) },
  } as KubeObject)
}

function addImport(made: Making, namespace: string): void {
  const { random } = made
  const name = random.pick(serviceNames)
  if (made.used.has(`import ${namespace}/${name}`)) return
  made.used.add(`import ${namespace}/${name}`)
  made.services.push({ namespace, name })
  const isHeadless = random.chance(0.5)
  const ports = random.chance(0.85) ? randomPorts(random).map(({ targetPort: _, ...port }) => port) : []
  const ips = isHeadless ? [] : [`10.96.${random.integer(1, 250)}.7`]
  made.objects.push({
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ServiceImport',
    metadata: { name, namespace, labels: random.pick(labelSets) },
    spec: { type: isHeadless ? 'Headless' : 'ClusterSetIP', ips, ports },
  } as KubeObject)
  // Always one: the original cannot pack the names of endpoints without and sends no reply at all.
  const cluster = random.pick(['east', 'west'])
  made.objects.push({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `imported-${name}`,
      namespace,
      labels: {
        'multicluster.kubernetes.io/service-name': name,
        'multicluster.kubernetes.io/source-cluster': cluster,
        // Without a local service label the original sends no reply at all to reverse questions.
        'kubernetes.io/service-name': `derived-${name}`,
      },
    },
    addressType: 'IPv4',
    endpoints: Array.from({ length: random.integer(0, 3) }, () => randomEndpoint(made, false, name)),
    ports: ports.map((port) => ({ ...port, name: port.name ?? '' })),
  } as KubeObject)
}
