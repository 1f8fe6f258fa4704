// Service → the facts that rules depend on, per port and address family. Nothing else of a Service is looked at later,
// so an equal list of facts means equal rules.

import {
  type Cidr,
  type Ip,
  type IpFamily,
  type ObjectRef,
  type Problem,
  type Protocol,
  parseCidrSloppy,
  parseIpSloppy,
  quoteFound,
  refOf,
  type Service,
  type ServicePort,
  type WithProblems,
  withProblems,
} from '@kubewire/kube-model'

/** One port of one Service in one address family. */
export interface ServicePortFacts {
  /** `namespace/name`, with `:port` when the port has a name: used in comments and hashes. */
  readonly id: string
  /** `id/PROTOCOL`: the identity. */
  readonly key: string
  readonly service: ObjectRef
  readonly namespace: string
  readonly serviceName: string
  readonly portName: string
  readonly protocol: Protocol
  readonly clusterIp: Ip
  readonly port: number
  readonly nodePort?: number
  /** Present with session affinity ClientIP. */
  readonly affinitySeconds?: number
  readonly externalIps: readonly Ip[]
  /** Load-balancer addresses with ipMode VIP. */
  readonly vips: readonly Ip[]
  /** Empty means no restriction. */
  readonly sourceRanges: readonly Cidr[]
  readonly isExternalLocal: boolean
  readonly isInternalLocal: boolean
  readonly healthCheckNodePort?: number
}

/** What of a Service is not its own business. */
export interface ServicePortOptions {
  readonly family: IpFamily
  /** Feature gate AllowServiceExternalIPs; on unless given. */
  readonly allowsExternalIps?: boolean
}

const proxyNameLabel = 'service.kubernetes.io/service-proxy-name'
const legalName = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Whether kube-proxy watches this Service at all (label and field selector of its watch). */
export function isProxiedService(service: Service): boolean {
  const spec = service.spec
  if (service.metadata?.labels?.[proxyNameLabel] !== undefined) return false
  return !!spec?.clusterIP && spec.clusterIP !== 'None' && spec.type !== 'ExternalName'
}

/**
 * Facts of every port of a Service in one family; empty when the Service has none there.
 *
 * @returns facts in the order of `spec.ports`, and problems `IPT_SERVICE_NAME`, `IPT_SERVICE_ADDRESS`,
 * `IPT_SERVICE_PORT`, `IPT_SOURCE_RANGE`; what a problem names is left out, the rest stands
 * @see kube-proxy pkg/proxy/serviceport.go
 */
export function servicePorts(service: Service, options: ServicePortOptions): WithProblems<readonly ServicePortFacts[]> {
  const clusterIpText = isProxiedService(service) ? clusterIpOf(service, options.family) : undefined
  if (clusterIpText === undefined) return withProblems(none)
  const reading = new ServiceReading(service)
  const { namespace = '', name = '' } = service.metadata ?? {}
  if (!legalName.test(name) || !legalName.test(namespace)) {
    reading.problem(
      'IPT_SERVICE_NAME',
      'metadata.name',
      `expected a DNS label, found ${quoteFound(`${namespace}/${name}`)}`,
      'the Service is left out',
    )
    return withProblems([], reading.problems)
  }
  const clusterIp = reading.addresses([clusterIpText], 'spec.clusterIP', options.family)[0]
  if (clusterIp === undefined) return withProblems([], reading.problems)
  const shared = sharedFacts(service, clusterIp, reading, options)
  const facts: ServicePortFacts[] = []
  for (const [i, port] of (service.spec?.ports ?? []).entries()) {
    if (isLegalPort(port)) facts.push(portFacts(port, shared))
    else
      reading.problem(
        'IPT_SERVICE_PORT',
        `spec.ports[${i}]`,
        `expected a legal port, found ${quoteFound(port)}`,
        'the port is left out',
      )
  }
  return withProblems(facts, reading.problems)
}

function isLegalPort({ port, protocol = 'TCP', name = '' }: ServicePort): boolean {
  return isPort(port) && protocols.includes(protocol) && (name === '' || legalName.test(name))
}

const protocols: readonly string[] = ['TCP', 'UDP', 'SCTP']

/** What all ports of a Service have in common. */
type SharedFacts = Omit<ServicePortFacts, 'id' | 'key' | 'portName' | 'protocol' | 'port' | 'nodePort'>

// Field by field: a proxy makes thousands of these at its start, when copying a record of optional fields is slow.
function portFacts(
  { name = '', protocol = 'TCP', port, nodePort }: ServicePort,
  shared: SharedFacts,
): ServicePortFacts {
  const { namespace, serviceName, affinitySeconds, healthCheckNodePort } = shared
  const id = name === '' ? `${namespace}/${serviceName}` : `${namespace}/${serviceName}:${name}`
  const facts: { -readonly [field in keyof ServicePortFacts]: ServicePortFacts[field] } = {
    id,
    key: `${id}/${protocol}`,
    service: shared.service,
    namespace,
    serviceName,
    portName: name,
    protocol: protocol as Protocol,
    clusterIp: shared.clusterIp,
    port,
    externalIps: shared.externalIps,
    vips: shared.vips,
    sourceRanges: shared.sourceRanges,
    isExternalLocal: shared.isExternalLocal,
    isInternalLocal: shared.isInternalLocal,
  }
  if (nodePort !== undefined && isPort(nodePort)) facts.nodePort = nodePort
  if (affinitySeconds !== undefined) facts.affinitySeconds = affinitySeconds
  if (healthCheckNodePort !== undefined) facts.healthCheckNodePort = healthCheckNodePort
  return facts
}

function sharedFacts(
  service: Service,
  clusterIp: Ip,
  reading: ServiceReading,
  { family, allowsExternalIps = true }: ServicePortOptions,
): SharedFacts {
  const spec = service.spec ?? {}
  const vips = (service.status?.loadBalancer?.ingress ?? none).flatMap(({ ip, ipMode }) =>
    ip !== undefined && ip !== '' && (ipMode ?? 'VIP') === 'VIP' ? [ip] : [],
  )
  // COMPAT: a ClusterIP Service has an external policy only through its external IPs.
  const hasExternalPolicy =
    spec.type === 'LoadBalancer' ||
    spec.type === 'NodePort' ||
    ((spec.type ?? 'ClusterIP') === 'ClusterIP' && (spec.externalIPs ?? none).length > 0)
  const isExternalLocal = spec.externalTrafficPolicy === 'Local' && hasExternalPolicy
  const facts: { -readonly [field in keyof SharedFacts]: SharedFacts[field] } = {
    service: refOf(service, 'Service'),
    namespace: service.metadata?.namespace ?? '',
    serviceName: service.metadata?.name ?? '',
    clusterIp,
    externalIps: allowsExternalIps ? reading.addresses(spec.externalIPs ?? none, 'spec.externalIPs', family) : none,
    vips: reading.addresses(vips, 'status.loadBalancer.ingress', family),
    sourceRanges: reading.sourceRanges(spec.loadBalancerSourceRanges ?? none, family),
    isExternalLocal,
    isInternalLocal: spec.internalTrafficPolicy === 'Local',
  }
  if (spec.sessionAffinity === 'ClientIP') facts.affinitySeconds = affinitySeconds(service)
  const healthPort = spec.healthCheckNodePort ?? 0
  if (spec.type === 'LoadBalancer' && isExternalLocal && isPort(healthPort)) facts.healthCheckNodePort = healthPort
  return facts
}

const none: readonly never[] = []

function affinitySeconds(service: Service): number {
  const seconds = service.spec?.sessionAffinityConfig?.clientIP?.timeoutSeconds
  // The API server's default and limit (3 hours, 1 day).
  return seconds !== undefined && Number.isInteger(seconds) && seconds > 0 && seconds <= 86_400 ? seconds : 10_800
}

/** The cluster IP of a family as it is spelled, `undefined` when the Service has none there. */
function clusterIpOf(service: Service, family: IpFamily): string | undefined {
  const { clusterIP = '', clusterIPs = none, ipFamilies = none } = service.spec ?? {}
  const wanted = family === 4 ? 'IPv4' : 'IPv6'
  if (ipFamilies.length > 0) {
    const text = clusterIPs[ipFamilies.indexOf(wanted)]
    return ipFamilies.includes(wanted) ? text : undefined
  }
  return (family === 6) === clusterIP.includes(':') ? clusterIP : undefined
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= 65_535
}

// Reads addresses of one Service and collects what does not parse.
class ServiceReading {
  readonly problems: Problem[] = []
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  problem(code: string, path: string, message: string, fallback: string): void {
    this.problems.push({ code, severity: 'warning', object: refOf(this.#service, 'Service'), path, message, fallback })
  }

  /** Addresses of the family, canonical; leading zeros are accepted. COMPAT: one that is named twice has its rules twice. */
  addresses(texts: readonly string[], path: string, family: IpFamily): readonly Ip[] {
    if (texts.length === 0) return none
    const found: Ip[] = []
    for (const text of texts) {
      const ip = parseIpSloppy(text)
      if (ip === undefined)
        this.problem('IPT_SERVICE_ADDRESS', path, `expected an address, found ${quoteFound(text)}`, 'it is left out')
      else if (ip.family === family) found.push(ip)
    }
    return found
  }

  /** Ranges of the family; COMPAT: one of length 0 lifts the restriction (kube-proxy 1.36 pkg/proxy/serviceport.go). */
  sourceRanges(texts: readonly string[], family: IpFamily): readonly Cidr[] {
    if (texts.length === 0) return none
    const ranges: Cidr[] = []
    for (const text of texts) {
      const trimmed = text.trim()
      const cidr = parseCidrSloppy(trimmed)
      if (cidr === undefined)
        this.problem(
          'IPT_SOURCE_RANGE',
          'spec.loadBalancerSourceRanges',
          `expected a prefix, found ${quoteFound(text)}`,
          'it is left out',
        )
      else if (cidr.family === family) ranges.push(cidr)
    }
    return ranges.some((range) => range.bits === 0) ? [] : ranges
  }
}
