// Service: defaults, checks, and what a change of type takes away. Addresses and ports: `service-allocation.ts`.
// Source: kube-apiserver 1.37 `pkg/registry/core/service`, `pkg/apis/core/validation` (Service).

import { parseIp } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { duplicate, forbiddenField, invalidValue, notSupported, required } from '../field-error.ts'
import { type JsonObject, numberAt, objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import { type ApiKind, ageColumn, type Column, defineKind, nameColumn } from './define-kind.ts'
import { allocateService, dropUnneeded } from './service-allocation.ts'
import { dnsLabelProblem, labelCauses, subdomainProblem } from './validate-meta.ts'

function setServiceDefaults(service: ApiObject): void {
  const spec = objectAt(service, 'spec')
  service['spec'] = spec
  spec['type'] ??= 'ClusterIP'
  spec['sessionAffinity'] ??= 'None'
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig']
  if (spec['sessionAffinity'] === 'ClientIP') {
    const timeout = numberAt(objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds')
    spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: timeout ?? 10800 } }
  }
  for (const port of objectsAt(spec, 'ports')) {
    port['protocol'] ??= 'TCP'
    if (port['targetPort'] === undefined || port['targetPort'] === 0 || port['targetPort'] === '') {
      port['targetPort'] = port['port'] ?? 0
    }
  }
  if (spec['type'] === 'ExternalName') return
  spec['internalTrafficPolicy'] ??= 'Cluster'
  const isExternal = spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer'
  if (isExternal || textsAt(spec, 'externalIPs').length > 0) spec['externalTrafficPolicy'] ??= 'Cluster'
  if (spec['type'] === 'LoadBalancer') spec['allocateLoadBalancerNodePorts'] ??= true
}

const protocols = ['SCTP', 'TCP', 'UDP']
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']

function validateService(service: ApiObject, _context: unknown, old?: ApiObject): Cause[] {
  const spec = objectAt(service, 'spec')
  const type = textAt(spec, 'type')
  const isHeadless = spec['clusterIP'] === 'None'
  const causes: Cause[] = []
  const ports = objectsAt(spec, 'ports')
  if (ports.length === 0 && !isHeadless && type !== 'ExternalName') causes.push(required('spec.ports'))
  if (type === 'LoadBalancer' && isHeadless) {
    causes.push(invalidValue('spec.clusterIPs[0]', 'None', "may not be set to 'None' for LoadBalancer services"))
  }
  if (type === 'NodePort' && isHeadless) {
    causes.push(invalidValue('spec.clusterIPs[0]', 'None', "may not be set to 'None' for NodePort services"))
  }
  if (type === 'ExternalName') causes.push(...externalNameCauses(spec))
  causes.push(...portCauses(ports, isHeadless))
  causes.push(...labelCauses(objectAt(spec, 'selector') as { [key: string]: string }, 'spec.selector'))
  const affinity = textAt(spec, 'sessionAffinity')
  if (affinity !== 'None' && affinity !== 'ClientIP') {
    causes.push(notSupported('spec.sessionAffinity', affinity, ['ClientIP', 'None']))
  }
  if (!types.includes(type)) causes.push(notSupported('spec.type', type, types))
  causes.push(...addressCauses(spec), ...policyCauses(spec, type))
  if (old) causes.push(...changedAddressCauses(spec, objectAt(old, 'spec')))
  return causes
}

function externalNameCauses(spec: JsonObject): Cause[] {
  const name = textAt(spec, 'externalName').replace(/\.$/, '')
  const causes: Cause[] = []
  if (textsAt(spec, 'clusterIPs').length > 0) {
    causes.push(forbiddenField('spec.clusterIPs', 'may not be set for ExternalName services'))
  }
  if (name === '') causes.push(required('spec.externalName'))
  else {
    const problem = subdomainProblem(name)
    if (problem !== undefined) causes.push(invalidValue('spec.externalName', textAt(spec, 'externalName'), problem))
  }
  return causes
}

function portCauses(ports: readonly JsonObject[], isHeadless: boolean): Cause[] {
  const names = new Set<string>()
  const pairs = new Set<string>()
  return ports.flatMap((port, i) => {
    const path = `spec.ports[${i}]`
    const name = textAt(port, 'name')
    const causes: Cause[] = []
    if (ports.length > 1 && name === '') causes.push(required(`${path}.name`))
    if (name !== '') {
      const problem = dnsLabelProblem(name)
      if (problem !== undefined) causes.push(invalidValue(`${path}.name`, name, problem))
      else if (names.has(name)) causes.push(duplicate(`${path}.name`, name))
      names.add(name)
    }
    const number = numberAt(port, 'port') ?? 0
    if (!isPort(number)) causes.push(invalidValue(`${path}.port`, number, portRule))
    const protocol = textAt(port, 'protocol')
    if (!protocols.includes(protocol)) causes.push(notSupported(`${path}.protocol`, protocol, protocols))
    causes.push(...targetPortCauses(port, path, isHeadless))
    const pair = `${number}/${protocol}`
    if (pairs.has(pair)) causes.push(duplicate(path, { port: number, protocol }))
    pairs.add(pair)
    return causes
  })
}

const portRule = 'must be between 1 and 65535, inclusive'

function isPort(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 65535
}

function targetPortCauses(port: JsonObject, path: string, _isHeadless: boolean): Cause[] {
  const target = port['targetPort']
  if (typeof target === 'number') return isPort(target) ? [] : [invalidValue(`${path}.targetPort`, target, portRule)]
  if (typeof target !== 'string') return []
  return portNameProblems(target).map((problem) => invalidValue(`${path}.targetPort`, target, problem))
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

function addressCauses(spec: JsonObject): Cause[] {
  const check = (field: string, rule: string) =>
    textsAt(spec, field).flatMap((address, i) =>
      parseIp(address) ? [] : [invalidValue(`spec.${field}[${i}]`, address, rule)],
    )
  const clusterIps = textsAt(spec, 'clusterIPs').flatMap((address, i) =>
    address === 'None' || parseIp(address)
      ? []
      : [
          invalidValue(
            `spec.clusterIPs[${i}]`,
            address,
            'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
          ),
        ],
  )
  return [...clusterIps, ...check('externalIPs', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
}

function policyCauses(spec: JsonObject, type: string): Cause[] {
  const causes: Cause[] = []
  const internal = spec['internalTrafficPolicy']
  if (internal !== undefined && internal !== 'Cluster' && internal !== 'Local') {
    causes.push(notSupported('spec.internalTrafficPolicy', internal, ['Cluster', 'Local']))
  }
  const external = spec['externalTrafficPolicy']
  if (external === undefined) return causes
  const isExternal = type === 'NodePort' || type === 'LoadBalancer' || textsAt(spec, 'externalIPs').length > 0
  if (!isExternal) {
    const detail = 'may only be set for externally-accessible services'
    causes.push(invalidValue('spec.externalTrafficPolicy', external, detail))
  } else if (external !== 'Cluster' && external !== 'Local') {
    causes.push(notSupported('spec.externalTrafficPolicy', external, ['Cluster', 'Local']))
  }
  return causes
}

function changedAddressCauses(spec: JsonObject, old: JsonObject): Cause[] {
  if (textAt(old, 'type') === 'ExternalName' || textAt(spec, 'type') === 'ExternalName') return []
  const before = textsAt(old, 'clusterIPs')[0]
  const after = textsAt(spec, 'clusterIPs')
  if (before === undefined || before === after[0]) return []
  return [invalidValue('spec.clusterIPs[0]', after, 'may not change once set')]
}

function prepareServiceStatus(service: ApiObject): void {
  const balancer = objectAt(objectAt(service, 'status'), 'loadBalancer')
  if (textAt(objectAt(service, 'spec'), 'type') !== 'LoadBalancer') return
  for (const entry of objectsAt(balancer, 'ingress')) if (textAt(entry, 'ip') !== '') entry['ipMode'] ??= 'VIP'
}

function validateServiceStatus(service: ApiObject): Cause[] {
  const ingress = objectsAt(objectAt(objectAt(service, 'status'), 'loadBalancer'), 'ingress')
  const path = 'status.loadBalancer.ingress'
  if (ingress.length === 0) return []
  if (textAt(objectAt(service, 'spec'), 'type') !== 'LoadBalancer') {
    return [forbiddenField(path, 'may only be used when `spec.type` is "LoadBalancer"')]
  }
  return ingress.flatMap((entry, i) => {
    const ip = textAt(entry, 'ip')
    const hostname = textAt(entry, 'hostname')
    const causes: Cause[] = []
    if (ip !== '' && !parseIp(ip))
      causes.push(invalidValue(`${path}[${i}].ip`, ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'))
    if (ip === '' && entry['ipMode'] !== undefined)
      causes.push(forbiddenField(`${path}[${i}].ipMode`, 'may not be specified when `ip` is not set'))
    if (hostname !== '' && parseIp(hostname))
      causes.push(invalidValue(`${path}[${i}].hostname`, hostname, 'must be a DNS name, not an IP address'))
    return causes
  })
}

/** `EXTERNAL-IP` of kubectl. */
function externalAddress(service: ApiObject): string {
  const spec = objectAt(service, 'spec')
  const external = textsAt(spec, 'externalIPs')
  const balancer = objectsAt(objectAt(objectAt(service, 'status'), 'loadBalancer'), 'ingress')
  const status = balancer.map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
  if (textAt(spec, 'type') === 'ExternalName') return textAt(spec, 'externalName')
  const all = [...status, ...external]
  if (all.length > 0) return all.join(',')
  return textAt(spec, 'type') === 'LoadBalancer' ? '<pending>' : '<none>'
}

function printPorts(service: ApiObject): string {
  const ports = objectsAt(objectAt(service, 'spec'), 'ports').map((port) => {
    const nodePort = numberAt(port, 'nodePort')
    return `${numberAt(port, 'port')}${nodePort ? `:${nodePort}` : ''}/${textAt(port, 'protocol')}`
  })
  return ports.length === 0 ? '<none>' : ports.join(',')
}

function printSelectorOf(service: ApiObject): string {
  const pairs = Object.entries(objectAt(objectAt(service, 'spec'), 'selector')).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',')
}

const specText = (key: string) => (object: ApiObject) => textAt(objectAt(object, 'spec'), key)

const columns: readonly Column[] = [
  nameColumn,
  { name: 'Type', type: 'string', cell: specText('type') },
  { name: 'Cluster-IP', type: 'string', cell: (object) => specText('clusterIP')(object) || '<none>' },
  { name: 'External-IP', type: 'string', cell: externalAddress },
  { name: 'Port(s)', type: 'string', cell: printPorts },
  ageColumn,
  { name: 'Selector', type: 'string', priority: 1, cell: printSelectorOf },
]

/** Service (v1). */
export const service: ApiKind = defineKind({
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  type: 'core.Service',
  hasStatus: true,
  isCreatedByPut: true,
  answersDeleteWithObject: true,
  selectable: { 'spec.clusterIP': specText('clusterIP'), 'spec.type': specText('type') },
  columns,
  rules: {
    prepareCreate: (object) => {
      object['status'] = { loadBalancer: {} }
    },
    prepareUpdate: (object, old) => dropUnneeded(object, old),
    prepareStatus: prepareServiceStatus,
    setDefaults: setServiceDefaults,
    validate: validateService,
    validateStatus: validateServiceStatus,
    allocate: allocateService,
    validateName: dnsLabelProblem,
  },
})
