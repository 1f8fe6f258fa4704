// EndpointSlice: defaults and checks (kube-apiserver 1.37 `pkg/apis/discovery`).

import { parseIp } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { duplicate, invalidValue, notSupported, required } from '../field-error.ts'
import { type JsonObject, numberAt, objectsAt, textAt, textsAt } from '../json.ts'
import { type ApiKind, ageColumn, defineKind, nameColumn } from './define-kind.ts'
import { dnsLabelProblem, qualifiedNameProblem, subdomainProblem } from './validate-meta.ts'

const addressTypes = ['FQDN', 'IPv4', 'IPv6']

/** What the server fills in. */
export function setSliceDefaults(slice: ApiObject): void {
  // Topology of old is not kept any more.
  for (const endpoint of objectsAt(slice, 'endpoints')) delete endpoint['deprecatedTopology']
  for (const port of objectsAt(slice, 'ports')) {
    port['name'] ??= ''
    port['protocol'] ??= 'TCP'
  }
  inOrder(slice)
}

// Ports are completed in place; print them in the order of the original.
function inOrder(slice: ApiObject): void {
  const ports = slice['ports']
  if (!Array.isArray(ports)) return
  slice['ports'] = objectsAt(slice, 'ports').map(({ name, protocol, port, ...rest }) => ({
    ...(name === undefined ? {} : { name }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(port === undefined ? {} : { port }),
    ...rest,
  }))
}

/** Causes for a complete slice. */
export function validateSlice(slice: ApiObject, _context: unknown, old?: ApiObject): Cause[] {
  const type = textAt(slice, 'addressType')
  const causes: Cause[] = []
  if (type === '') causes.push(required('addressType'))
  else if (!addressTypes.includes(type)) causes.push(notSupported('addressType', type, addressTypes))
  if (old && textAt(old, 'addressType') !== type) {
    causes.push(invalidValue('addressType', type, 'field is immutable'))
  }
  causes.push(...portCauses(objectsAt(slice, 'ports')))
  const endpoints = objectsAt(slice, 'endpoints')
  if (endpoints.length > 1000) {
    causes.push({
      reason: 'FieldValueTooMany',
      field: 'endpoints',
      message: `Too many: ${endpoints.length}: must have at most 1000 items`,
    })
  }
  endpoints.forEach((endpoint, i) => {
    causes.push(...endpointCauses(endpoint, `endpoints[${i}]`, type))
  })
  return causes
}

function portCauses(ports: readonly JsonObject[]): Cause[] {
  const names = new Set<string>()
  return ports.flatMap((port, i) => {
    const path = `ports[${i}]`
    const name = textAt(port, 'name')
    const causes: Cause[] = []
    if (name !== '') {
      const problem = dnsLabelProblem(name)
      if (problem !== undefined) causes.push(invalidValue(`${path}.name`, name, problem))
    }
    if (names.has(name)) causes.push(duplicate(`${path}.name`, name))
    names.add(name)
    const protocol = textAt(port, 'protocol')
    if (!['SCTP', 'TCP', 'UDP'].includes(protocol)) {
      causes.push(notSupported(`${path}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']))
    }
    // COMPAT: the number of a port is not checked.
    const appProtocol = textAt(port, 'appProtocol')
    const problem = appProtocol === '' ? undefined : qualifiedNameProblem(appProtocol)
    if (problem !== undefined) causes.push(invalidValue(`${path}.appProtocol`, appProtocol, problem))
    return causes
  })
}

function endpointCauses(endpoint: JsonObject, path: string, type: string): Cause[] {
  const addresses = textsAt(endpoint, 'addresses')
  const field = `${path}.addresses`
  if (addresses.length === 0) return [required(field)]
  return [
    ...addresses.flatMap((address, i) => addressCauses(address, field, `${field}[${i}]`, type)),
    ...hostnameCauses(endpoint, path),
    ...placeCauses(endpoint, path),
  ]
}

function addressCauses(address: string, field: string, element: string, type: string): Cause[] {
  if (type === 'FQDN') {
    const problem = subdomainProblem(address)
    return problem === undefined ? [] : [invalidValue(element, address, problem)]
  }
  const ip = parseIp(address)
  if (!ip) return [invalidValue(element, address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
  if (type === 'IPv4' && ip.family !== 4) return [invalidValue(field, address, 'must be an IPv4 address')]
  if (type === 'IPv6' && ip.family !== 6) return [invalidValue(field, address, 'must be an IPv6 address')]
  const problem = specialAddressProblem(ip.text)
  return problem === undefined ? [] : [invalidValue(element, address, problem)]
}

/** Why an address may not be an endpoint (`ValidateNonSpecialIP`); `undefined` for ordinary ones. */
export function specialAddressProblem(address: string): string | undefined {
  if (address === '0.0.0.0' || address === '::') return `may not be unspecified (${address})`
  if (/^127\./.test(address) || address === '::1') {
    return 'may not be in the loopback range (127.0.0.0/8, ::1/128)'
  }
  if (/^169\.254\./.test(address) || /^fe[89ab]/i.test(address)) {
    return 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'
  }
  if (/^224\.0\.0\./.test(address) || /^ff02:/i.test(address)) {
    return 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'
  }
  return undefined
}

function hostnameCauses(endpoint: JsonObject, path: string): Cause[] {
  const hostname = textAt(endpoint, 'hostname')
  const problem = hostname === '' ? undefined : dnsLabelProblem(hostname)
  return problem === undefined ? [] : [invalidValue(`${path}.hostname`, hostname, problem)]
}

function placeCauses(endpoint: JsonObject, path: string): Cause[] {
  const nodeName = textAt(endpoint, 'nodeName')
  const problem = nodeName === '' ? undefined : subdomainProblem(nodeName)
  const causes = problem === undefined ? [] : [invalidValue(`${path}.nodeName`, nodeName, problem)]
  const hints = endpoint['hints'] as JsonObject | undefined
  for (const list of ['forZones', 'forNodes']) {
    const names = objectsAt(hints, list).map((entry) => textAt(entry, 'name'))
    names.forEach((name, i) => {
      if (name === '') causes.push(required(`${path}.hints.${list}[${i}].name`))
      else if (names.indexOf(name) < i) causes.push(duplicate(`${path}.hints.${list}[${i}].name`, name))
    })
  }
  return causes
}

function printPorts(slice: ApiObject): string {
  const ports = objectsAt(slice, 'ports').map((port) => String(numberAt(port, 'port') ?? '*'))
  return ports.length === 0 ? '<unset>' : printSome(ports)
}

function printEndpoints(slice: ApiObject): string {
  const addresses = objectsAt(slice, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses'))
  return addresses.length === 0 ? '<unset>' : printSome(addresses)
}

function printSome(words: readonly string[]): string {
  return words.length > 3 ? `${words.slice(0, 3).join(',')} + ${words.length - 3} more...` : words.join(',')
}

/** EndpointSlice (discovery.k8s.io/v1). */
export const endpointSlice: ApiKind = defineKind({
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  type: 'discovery.EndpointSlice',
  hasGeneration: true,
  generationCounts: 'labels',
  columns: [
    nameColumn,
    { name: 'AddressType', type: 'string', cell: (object) => textAt(object, 'addressType') },
    { name: 'Ports', type: 'string', cell: printPorts },
    { name: 'Endpoints', type: 'string', cell: printEndpoints },
    ageColumn,
  ],
  rules: {
    setDefaults: setSliceDefaults,
    validate: validateSlice,
    warn: (slice) => (slice['addressType'] === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
  },
})

/** Endpoints (v1), the older form. */
export const endpoints: ApiKind = defineKind({
  kind: 'Endpoints',
  plural: 'endpoints',
  singular: 'endpoints',
  listKind: 'EndpointsList',
  shortNames: ['ep'],
  type: 'core.Endpoints',
  isCreatedByPut: true,
  columns: [nameColumn, { name: 'Endpoints', type: 'string', cell: printSubsets }, ageColumn],
  rules: {
    setDefaults: (object) => {
      for (const subset of objectsAt(object, 'subsets')) {
        for (const port of objectsAt(subset, 'ports')) port['protocol'] ??= 'TCP'
      }
    },
    validate: validateEndpoints,
    warn: () => ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
  },
})

function validateEndpoints(object: ApiObject): Cause[] {
  return objectsAt(object, 'subsets').flatMap((subset, i) => {
    const path = `subsets[${i}]`
    const ports = objectsAt(subset, 'ports')
    const causes: Cause[] = []
    const lists = ['addresses', 'notReadyAddresses'].map((key) => [key, objectsAt(subset, key)] as const)
    if (lists.every(([, list]) => list.length === 0)) {
      causes.push(required(path, 'must specify `addresses` or `notReadyAddresses`'))
    }
    for (const [key, list] of lists) {
      list.forEach((address, j) => {
        const ip = textAt(address, 'ip')
        const problem = parseIp(ip)
          ? specialAddressProblem(ip)
          : 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
        if (problem !== undefined) causes.push(invalidValue(`${path}.${key}[${j}].ip`, ip, problem))
      })
    }
    ports.forEach((port, j) => {
      const number = numberAt(port, 'port') ?? 0
      const field = `${path}.ports[${j}]`
      if (ports.length > 1 && textAt(port, 'name') === '') causes.push(required(`${field}.name`))
      if (number < 1 || number > 65535) {
        causes.push(invalidValue(`${field}.port`, number, 'must be between 1 and 65535, inclusive'))
      }
      const protocol = textAt(port, 'protocol')
      if (!['SCTP', 'TCP', 'UDP'].includes(protocol))
        causes.push(notSupported(`${field}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']))
    })
    return causes
  })
}

function printSubsets(object: ApiObject): string {
  const all = objectsAt(object, 'subsets').flatMap((subset) =>
    objectsAt(subset, 'addresses').flatMap((address) =>
      objectsAt(subset, 'ports').map((port) => `${textAt(address, 'ip')}:${numberAt(port, 'port')}`),
    ),
  )
  return all.length === 0 ? '<none>' : printSome(all)
}
