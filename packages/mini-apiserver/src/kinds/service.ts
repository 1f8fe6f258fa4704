// Service: defaults and columns. Checks: `validate-service.ts`; addresses, ports and what a change of type takes away:
// `service-allocation.ts`.
// Source: kube-apiserver 1.37 `pkg/registry/core/service`, `pkg/apis/core/validation` (Service).

import type { ApiObject } from '../api-object.ts'
import { numberAt, objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import { type ApiKind, ageColumn, type Column, defineKind, nameColumn } from './define-kind.ts'
import { allocateService, dropUnneeded } from './service-allocation.ts'
import { dnsLabelProblem } from './validate-meta.ts'
import { serviceWarnings, validateService, validateServiceStatus } from './validate-service.ts'

/** What the server fills in. */
export function setServiceDefaults(service: ApiObject): void {
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

// COMPAT: the mode of an address is filled in when the *body* says that the Service is a load balancer.
function prepareServiceStatus(service: ApiObject, _old: ApiObject, _context: unknown, sent: ApiObject): void {
  const balancer = objectAt(objectAt(service, 'status'), 'loadBalancer')
  if (textAt(objectAt(sent, 'spec'), 'type') !== 'LoadBalancer') return
  for (const entry of objectsAt(balancer, 'ingress')) if (textAt(entry, 'ip') !== '') entry['ipMode'] ??= 'VIP'
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
      const spec = objectAt(object, 'spec')
      const first = textAt(spec, 'clusterIP')
      if (spec['clusterIPs'] === undefined && first !== '') spec['clusterIPs'] = [first]
    },
    prepareUpdate: (object, old) => dropUnneeded(object, old),
    prepareStatus: prepareServiceStatus,
    setDefaults: setServiceDefaults,
    validate: validateService,
    validateStatus: validateServiceStatus,
    allocate: allocateService,
    warn: serviceWarnings,
    validateName: (name) => (name.length > 63 ? 'must be no more than 63 characters' : dnsLabelProblem(name)),
  },
})
