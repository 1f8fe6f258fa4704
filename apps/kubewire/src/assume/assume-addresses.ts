// Cluster IPs and node ports for Services that have none, by their names, from the upper half of the usual ranges.

import { compareObjects, type KubeObject, keyOf, type Problem, refOf, type Service } from '@kubewire/kube-model'
import { stableNumber } from './stable-number.ts'

/** The objects with Services completed. */
export function assumeAddresses(objects: readonly KubeObject[]): {
  readonly objects: readonly KubeObject[]
  readonly problems: readonly Problem[]
} {
  const services = objects.filter((object): object is Service => object.kind === 'Service')
  const usedIps = new Set(services.flatMap(({ spec }) => [spec?.clusterIP ?? '', ...(spec?.clusterIPs ?? [])]))
  const usedPorts = new Set(services.flatMap(({ spec }) => (spec?.ports ?? []).map((port) => port.nodePort)))
  const problems: Problem[] = []
  const completed = new Map<KubeObject, Service>()
  for (const service of [...services].sort(compareObjects)) {
    const addressed = needsAddress(service) ? withAddresses(service, usedIps) : service
    if (addressed !== service) problems.push(addressProblem(addressed))
    completed.set(service, withNodePorts(addressed, usedPorts))
  }
  return { objects: objects.map((object) => completed.get(object) ?? object), problems }
}

function needsAddress({ spec = {} }: Service): boolean {
  return spec.type !== 'ExternalName' && (spec.clusterIP ?? '') === '' && (spec.ports ?? []).length > 0
}

function withAddresses(service: Service, used: Set<string>): Service {
  const { spec = {} } = service
  const families = familiesOf(spec)
  const clusterIPs = families.map((family) => addressOf(keyOf(service), used, family === 'IPv6' ? ipv6Of : ipv4Of))
  return { ...service, spec: { ...spec, clusterIP: clusterIPs[0] ?? '', clusterIPs, ipFamilies: families } }
}

/** Families of a Service: as it says, both when it requires both, else IPv4. */
export function familiesOf(spec: NonNullable<Service['spec']>): readonly string[] {
  if (spec.ipFamilies !== undefined && spec.ipFamilies.length > 0) return spec.ipFamilies
  return spec.ipFamilyPolicy === 'RequireDualStack' ? ['IPv4', 'IPv6'] : ['IPv4']
}

const ipv4Of = (n: number): string => `10.96.${128 + Math.floor(n / 256)}.${n % 256}`
const ipv6Of = (n: number): string => `fd00:10:96::${(0x8000 + n).toString(16)}`

// The upper half of a /16 without its last addresses.
const addressCount = 0x7f00

function addressOf(key: string, used: Set<string>, spell: (n: number) => string): string {
  const address = spell(stableNumber(key, addressCount, (n) => used.has(spell(n))))
  used.add(address)
  return address
}

// The upper band, which the API server also prefers for ports it chooses (KEP-3668).
const firstNodePort = 30_086
const nodePortCount = 32_767 - firstNodePort

function withNodePorts(service: Service, used: Set<number | undefined>): Service {
  const { spec = {} } = service
  const isExposed =
    spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)
  if (!isExposed || spec.ports === undefined) return service
  const ports = spec.ports.map((port) => {
    if (port.nodePort !== undefined) return port
    const key = `${keyOf(service)} ${port.name ?? port.port}`
    const nodePort = firstNodePort + stableNumber(key, nodePortCount, (n) => used.has(firstNodePort + n))
    used.add(nodePort)
    return { ...port, nodePort }
  })
  return { ...service, spec: { ...spec, ports } }
}

function addressProblem(service: Service): Problem {
  return {
    code: 'CLI_ASSUMED_ADDRESS',
    severity: 'warning',
    object: refOf(service),
    path: 'spec.clusterIP',
    message: 'expected an address, found none',
    fallback: `${(service.spec?.clusterIPs ?? []).join(' and ')} is assumed`,
  }
}
