// Checks of a Service in the order and words of the original.
// Source: kube-apiserver 1.37 `pkg/apis/core/validation` (ValidateService, ValidateServiceClusterIPsRelatedFields).

import { parseCidr, parseIp, parseIpSloppy } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { duplicate, forbiddenField, invalidValue, notSupported, required } from '../field-error.ts'
import { type JsonObject, numberAt, objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import { specialAddressProblem } from './endpoint-slice.ts'
import { dnsLabelProblem, labelCauses, qualifiedNameProblem, subdomainProblem } from './validate-meta.ts'

const protocols = ['SCTP', 'TCP', 'UDP']
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const ipRule = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const portRule = 'must be between 1 and 65535, inclusive'

/** Causes for a complete Service. */
export function validateService(service: ApiObject, _context: unknown, old?: ApiObject): Cause[] {
  const spec = objectAt(service, 'spec')
  const type = textAt(spec, 'type')
  const isHeadless = spec['clusterIP'] === 'None'
  const ports = objectsAt(spec, 'ports')
  const causes: Cause[] = []
  if (ports.length === 0 && !isHeadless && type !== 'ExternalName') causes.push(required('spec.ports'))
  if (isHeadless && (type === 'LoadBalancer' || type === 'NodePort')) {
    causes.push(invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`))
  }
  if (type === 'ExternalName') causes.push(...externalNameCauses(spec))
  causes.push(...portsCauses(ports))
  causes.push(...labelCauses(objectAt(spec, 'selector') as { [key: string]: string }, 'spec.selector'))
  causes.push(...affinityCauses(spec))
  causes.push(...externalIpCauses(spec))
  if (!types.includes(type)) causes.push(notSupported('spec.type', type, types))
  if (type !== 'ExternalName') causes.push(...clusterIpCauses(spec))
  causes.push(...balancerCauses(spec, type), ...policyCauses(spec, type))
  if (old) causes.push(...changedAddressCauses(spec, objectAt(old, 'spec')))
  return causes
}

function externalNameCauses(spec: JsonObject): Cause[] {
  const name = textAt(spec, 'externalName').replace(/\.$/, '')
  const causes: Cause[] = []
  if (textsAt(spec, 'clusterIPs').length > 0) {
    causes.push(forbiddenField('spec.clusterIPs', 'may not be set for ExternalName services'))
  }
  if (textsAt(spec, 'ipFamilies').length > 0) {
    causes.push(forbiddenField('spec.ipFamilies', 'may not be set for ExternalName services'))
  }
  if (spec['ipFamilyPolicy'] !== undefined) {
    causes.push(forbiddenField('spec.ipFamilyPolicy', 'may not be set for ExternalName services'))
  }
  if (name === '') causes.push(required('spec.externalName'))
  else {
    const problem = subdomainProblem(name)
    if (problem !== undefined) causes.push(invalidValue('spec.externalName', textAt(spec, 'externalName'), problem))
  }
  return causes
}

function portsCauses(ports: readonly JsonObject[]): Cause[] {
  const names = new Set<string>()
  const causes = ports.flatMap((port, i) => portCauses(port, `spec.ports[${i}]`, ports.length > 1, names))
  const pairs = new Set<string>()
  for (const [i, { port = 0, protocol = '' }] of ports.entries()) {
    const pair = `${port}/${protocol}`
    // COMPAT: the duplicate is shown as the Go structure that was compared.
    const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 }
    if (pairs.has(pair)) causes.push(duplicate(`spec.ports[${i}]`, shown))
    pairs.add(pair)
  }
  return causes
}

function portCauses(port: JsonObject, path: string, needsName: boolean, names: Set<string>): Cause[] {
  const name = textAt(port, 'name')
  const causes: Cause[] = []
  if (needsName && name === '') causes.push(required(`${path}.name`))
  if (name !== '') {
    const problem = name.includes('.') ? 'must not contain dots' : dnsLabelProblem(name)
    if (problem !== undefined) causes.push(invalidValue(`${path}.name`, name, problem))
    else if (names.has(name)) causes.push(duplicate(`${path}.name`, name))
    names.add(name)
  }
  const number = numberAt(port, 'port') ?? 0
  if (!isPort(number)) causes.push(invalidValue(`${path}.port`, number, portRule))
  const protocol = textAt(port, 'protocol')
  if (!protocols.includes(protocol)) causes.push(notSupported(`${path}.protocol`, protocol, protocols))
  const target = port['targetPort']
  if (typeof target === 'number' && !isPort(target)) causes.push(invalidValue(`${path}.targetPort`, target, portRule))
  if (typeof target === 'string') {
    for (const problem of portNameProblems(target)) causes.push(invalidValue(`${path}.targetPort`, target, problem))
  }
  const appProtocol = textAt(port, 'appProtocol')
  const appProblem = appProtocol === '' ? undefined : qualifiedNameProblem(appProtocol)
  if (appProblem !== undefined) causes.push(invalidValue(`${path}.appProtocol`, appProtocol, appProblem))
  return causes
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 65535
}

/** Why a text is no port name (apimachinery `IsValidPortName`). */
export function portNameProblems(name: string): string[] {
  const problems: string[] = []
  if (name.length > 15) problems.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  }
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)')
  if (name.includes('--')) problems.push('must not contain consecutive hyphens')
  if (/^-|-$/.test(name)) problems.push('must not begin or end with a hyphen')
  return problems
}

function affinityCauses(spec: JsonObject): Cause[] {
  const affinity = textAt(spec, 'sessionAffinity')
  if (affinity !== 'None' && affinity !== 'ClientIP') {
    return [notSupported('spec.sessionAffinity', affinity, ['ClientIP', 'None'])]
  }
  if (affinity === 'None') return []
  const timeout = numberAt(objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds') ?? 0
  if (timeout > 0 && timeout <= 86400) return []
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds'
  return [invalidValue(field, timeout, 'must be greater than 0 and less than 86400')]
}

function addressProblem(address: string): string | undefined {
  if (parseIp(address)) return undefined
  return parseIpSloppy(address) && !address.includes(':') ? 'must not have leading 0s' : ipRule
}

function externalIpCauses(spec: JsonObject): Cause[] {
  return textsAt(spec, 'externalIPs').flatMap((address, i) => {
    const problem = addressProblem(address) ?? specialAddressProblem(address)
    return problem === undefined ? [] : [invalidValue(`spec.externalIPs[${i}]`, address, problem)]
  })
}

const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

function clusterIpCauses(spec: JsonObject): Cause[] {
  const addresses = textsAt(spec, 'clusterIPs')
  const families = textsAt(spec, 'ipFamilies')
  const policy = spec['ipFamilyPolicy']
  const first = textAt(spec, 'clusterIP')
  const causes: Cause[] = []
  families.forEach((family, i) => {
    if (family !== 'IPv4' && family !== 'IPv6') {
      causes.push(notSupported(`spec.ipFamilies[${i}]`, family, ['IPv4', 'IPv6']))
    } else if (families.indexOf(family) < i) causes.push(duplicate(`spec.ipFamilies[${i}]`, family))
  })
  if (policy !== undefined && !policies.includes(String(policy))) {
    causes.push(notSupported('spec.ipFamilyPolicy', policy, policies))
  }
  if (addresses.length > 2) {
    causes.push({
      reason: 'FieldValueTooMany',
      field: 'spec.clusterIPs',
      message: `Too many: ${addresses.length}: must have at most 2 items`,
    })
  }
  if (first === '' && addresses.length > 0) {
    causes.push(invalidValue('spec.clusterIPs', addresses, 'must be empty when `clusterIP` is not specified'))
  } else if (addresses.length > 0 && addresses[0] !== first) {
    causes.push(invalidValue('spec.clusterIPs', addresses, 'first value must match `clusterIP`'))
  }
  addresses.forEach((address, i) => {
    if (address === 'None') {
      if (addresses.length > 1)
        causes.push(invalidValue(`spec.clusterIPs[${i}]`, address, "'None' must be the first and only value"))
      return
    }
    const problem = address === '' ? undefined : addressProblem(address)
    if (problem !== undefined) causes.push(invalidValue(`spec.clusterIPs[${i}]`, address, problem))
  })
  return causes
}

function balancerCauses(spec: JsonObject, type: string): Cause[] {
  const isBalancer = type === 'LoadBalancer'
  const only = "may only be used when `type` is 'LoadBalancer'"
  const causes: Cause[] = []
  const ranges = textsAt(spec, 'loadBalancerSourceRanges')
  if (ranges.length > 0 && !isBalancer) causes.push(forbiddenField('spec.LoadBalancerSourceRanges', only))
  else {
    ranges.forEach((range, i) => {
      if (parseCidr(range.trim())) return
      const rule = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
      causes.push(invalidValue(`spec.LoadBalancerSourceRanges[${i}]`, range, rule))
    })
  }
  if (!isBalancer && spec['allocateLoadBalancerNodePorts'] !== undefined) {
    causes.push(forbiddenField('spec.allocateLoadBalancerNodePorts', only))
  }
  const className = spec['loadBalancerClass']
  if (typeof className === 'string') {
    const problem = qualifiedNameProblem(className)
    if (!isBalancer) causes.push(forbiddenField('spec.loadBalancerClass', only))
    else if (problem !== undefined) causes.push(invalidValue('spec.loadBalancerClass', className, problem))
  }
  return causes
}

const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']

function policyCauses(spec: JsonObject, type: string): Cause[] {
  const causes: Cause[] = []
  const internal = spec['internalTrafficPolicy']
  if (internal !== undefined && internal !== 'Cluster' && internal !== 'Local') {
    causes.push(notSupported('spec.internalTrafficPolicy', internal, ['Cluster', 'Local']))
  }
  const external = spec['externalTrafficPolicy']
  const isExternal = type === 'NodePort' || type === 'LoadBalancer' || textsAt(spec, 'externalIPs').length > 0
  if (external !== undefined && !isExternal) {
    const detail = 'may only be set for externally-accessible services'
    causes.push(invalidValue('spec.externalTrafficPolicy', external, detail))
  } else if (external !== undefined && external !== 'Cluster' && external !== 'Local') {
    causes.push(notSupported('spec.externalTrafficPolicy', external, ['Cluster', 'Local']))
  }
  const healthPort = numberAt(spec, 'healthCheckNodePort') ?? 0
  if (healthPort !== 0 && !(type === 'LoadBalancer' && external === 'Local')) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
    causes.push(invalidValue('spec.healthCheckNodePort', healthPort, detail))
  }
  const distribution = spec['trafficDistribution']
  if (typeof distribution === 'string' && !distributions.includes(distribution)) {
    const list = distributions.map((word) => JSON.stringify(word)).join(', ')
    const message = `Unsupported value: ${JSON.stringify(distribution)}: supported values: ${list}`
    causes.push({ reason: 'FieldValueNotSupported', message, field: 'spec.trafficDistribution' })
  }
  return causes
}

function changedAddressCauses(spec: JsonObject, old: JsonObject): Cause[] {
  if (textAt(old, 'type') === 'ExternalName' || textAt(spec, 'type') === 'ExternalName') return []
  const before = textsAt(old, 'clusterIPs')
  const after = textsAt(spec, 'clusterIPs')
  if (before[0] === undefined || after.length === 0) return []
  return after.flatMap((address, i) =>
    i < before.length && address !== before[i]
      ? [invalidValue(`spec.clusterIPs[${i}]`, after, 'may not change once set')]
      : [],
  )
}

/** Causes for the status of a Service. */
export function validateServiceStatus(service: ApiObject): Cause[] {
  const ingress = objectsAt(objectAt(objectAt(service, 'status'), 'loadBalancer'), 'ingress')
  const path = 'status.loadBalancer.ingress'
  if (ingress.length === 0) return []
  if (textAt(objectAt(service, 'spec'), 'type') !== 'LoadBalancer') {
    return [forbiddenField(path, 'may only be used when `spec.type` is "LoadBalancer"')]
  }
  return ingress.flatMap((entry, i) => ingressCauses(entry, `${path}[${i}]`))
}

function ingressCauses(entry: JsonObject, path: string): Cause[] {
  const [ip, hostname, mode] = [textAt(entry, 'ip'), textAt(entry, 'hostname'), entry['ipMode']]
  const causes: Cause[] = []
  const problem = ip === '' ? undefined : addressProblem(ip)
  if (problem !== undefined) causes.push(invalidValue(`${path}.ip`, ip, problem))
  if (ip !== '' && mode === undefined) causes.push(required(`${path}.ipMode`, 'must be specified when `ip` is set'))
  if (ip === '' && mode !== undefined)
    causes.push(forbiddenField(`${path}.ipMode`, 'may not be specified when `ip` is not set'))
  if (mode !== undefined && mode !== 'VIP' && mode !== 'Proxy') {
    causes.push(notSupported(`${path}.ipMode`, mode, ['Proxy', 'VIP']))
  }
  if (hostname === '') return causes
  if (parseIp(hostname))
    causes.push(invalidValue(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address'))
  const hostProblem = subdomainProblem(hostname)
  if (hostProblem !== undefined) causes.push(invalidValue(`${path}.hostname`, hostname, hostProblem))
  return causes
}

/** Words for `Warning` headers. */
export function serviceWarnings(service: ApiObject): string[] {
  const spec = objectAt(service, 'spec')
  const isHeadless = spec['clusterIP'] === 'None'
  const words: string[] = []
  if (isHeadless && textAt(spec, 'loadBalancerIP') !== '')
    words.push('spec.loadBalancerIP is ignored for headless services')
  if (isHeadless && textsAt(spec, 'externalIPs').length > 0)
    words.push('spec.externalIPs is ignored for headless services')
  if (isHeadless && spec['sessionAffinity'] !== 'None')
    words.push('spec.SessionAffinity is ignored for headless services')
  if (textsAt(spec, 'externalIPs').length > 0) {
    words.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters')
  }
  if (spec['trafficDistribution'] === 'PreferClose') {
    words.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"')
  }
  return words
}
