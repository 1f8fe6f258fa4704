// Ingress and IngressClass (kube-apiserver 1.37 `pkg/apis/networking/validation`, DefaultIngressClass admission).

import { deepEqual, parseIp } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { invalidValue, notSupported, required } from '../field-error.ts'
import { type JsonObject, numberAt, objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import { type ApiKind, ageColumn, defineKind, nameColumn } from './define-kind.ts'
import { dnsLabelProblem, subdomainProblem } from './validate-meta.ts'
import { portNameProblems } from './validate-service.ts'
import type { WriteContext } from './write-context.ts'

const classAnnotation = 'kubernetes.io/ingress.class'
const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class'
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']

// Among several default classes the youngest counts, then the name.
function fillDefaultClass(ingress: ApiObject, context: WriteContext): void {
  const spec = objectAt(ingress, 'spec')
  ingress['spec'] = spec
  ingress['status'] = { loadBalancer: {} }
  if (spec['ingressClassName'] !== undefined || ingress.metadata.annotations?.[classAnnotation] !== undefined) return
  const defaults = context
    .list('ingressclasses.networking.k8s.io')
    .filter(({ metadata }) => metadata.annotations?.[defaultAnnotation] === 'true')
    .sort((a, b) => {
      const [left, right] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '']
      return left === right ? ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1) : left < right ? 1 : -1
    })
  const found = defaults[0]?.metadata.name
  if (found !== undefined) ingress['spec'] = { ingressClassName: found, ...spec }
}

/** Causes for a complete Ingress. */
export function validateIngress(ingress: ApiObject, _context: unknown, old?: ApiObject): Cause[] {
  const spec = objectAt(ingress, 'spec')
  const causes: Cause[] = []
  const className = spec['ingressClassName']
  const annotation = ingress.metadata.annotations?.[classAnnotation]
  if (!old && annotation !== undefined && className !== undefined && annotation !== className) {
    causes.push(
      invalidValue(
        `annotations.${classAnnotation}`,
        annotation,
        'must match `ingressClassName` when both are specified',
      ),
    )
  }
  const rules = objectsAt(spec, 'rules')
  if (rules.length === 0 && spec['defaultBackend'] === undefined) {
    causes.push(invalidValue('spec', spec, 'either `defaultBackend` or `rules` must be specified'))
  }
  if (spec['defaultBackend'] !== undefined) {
    causes.push(...backendCauses(objectAt(spec, 'defaultBackend'), 'spec.defaultBackend'))
  }
  objectsAt(spec, 'tls').forEach((tls, i) => {
    textsAt(tls, 'hosts').forEach((host, j) => {
      const problem = hostProblem(host)
      if (problem !== undefined) causes.push(invalidValue(`spec.tls[${i}].hosts[${j}]`, host, problem))
    })
    const secretName = textAt(tls, 'secretName')
    const problem = secretName === '' ? undefined : subdomainProblem(secretName)
    if (problem !== undefined) causes.push(invalidValue(`spec.tls[${i}].secretName`, secretName, problem))
  })
  rules.forEach((rule, i) => {
    causes.push(...ruleCauses(rule, `spec.rules[${i}]`))
  })
  if (typeof className === 'string') {
    const problem = subdomainProblem(className)
    if (problem !== undefined) causes.push(invalidValue('spec.ingressClassName', className, problem))
  }
  return causes
}

function hostProblem(host: string): string | undefined {
  if (!host.includes('*')) return subdomainProblem(host)
  const isWildcard = host.startsWith('*.') && subdomainProblem(host.slice(2)) === undefined
  return isWildcard
    ? undefined
    : "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
}

function ruleCauses(rule: JsonObject, path: string): Cause[] {
  const host = textAt(rule, 'host')
  const causes: Cause[] = []
  if (host !== '') {
    if (parseIp(host)) causes.push(invalidValue(`${path}.host`, host, 'must be a DNS name, not an IP address'))
    else {
      const problem = hostProblem(host)
      if (problem !== undefined) causes.push(invalidValue(`${path}.host`, host, problem))
    }
  }
  if (rule['http'] === undefined) return causes
  const paths = objectsAt(objectAt(rule, 'http'), 'paths')
  if (paths.length === 0) causes.push(required(`${path}.http.paths`))
  paths.forEach((each, i) => {
    causes.push(...pathCauses(each, `${path}.http.paths[${i}]`))
  })
  return causes
}

const badSequences = ['//', '/./', '/../', '%2f', '%2F']
const badSuffixes = ['/..', '/.']

function pathCauses(entry: JsonObject, path: string): Cause[] {
  const text = textAt(entry, 'path')
  const type = entry['pathType']
  const causes: Cause[] = []
  if (type === undefined || type === null) causes.push(required(`${path}.pathType`, 'pathType must be specified'))
  else if (type === 'Exact' || type === 'Prefix') {
    if (!text.startsWith('/')) causes.push(invalidValue(`${path}.path`, text, 'must be an absolute path'))
    if (text !== '') {
      for (const bad of badSequences) {
        if (text.includes(bad)) causes.push(invalidValue(`${path}.path`, text, `must not contain '${bad}'`))
      }
      for (const bad of badSuffixes) {
        if (text.endsWith(bad)) causes.push(invalidValue(`${path}.path`, text, `cannot end with '${bad}'`))
      }
    }
  } else if (type === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) {
      causes.push(invalidValue(`${path}.path`, text, 'must be an absolute path'))
    }
  } else causes.push(notSupported(`${path}.pathType`, type, pathTypes))
  return [...causes, ...backendCauses(objectAt(entry, 'backend'), `${path}.backend`)]
}

function backendCauses(backend: JsonObject, path: string): Cause[] {
  const hasResource = backend['resource'] !== undefined
  const hasService = backend['service'] !== undefined
  if (hasResource && hasService) {
    return [invalidValue(path, '', 'cannot set both resource and service backends')]
  }
  if (hasResource) {
    const resource = objectAt(backend, 'resource')
    return ['kind', 'name']
      .filter((key) => textAt(resource, key) === '')
      .map((key) => required(`${path}.resource.${key}`))
  }
  if (!hasService) return [invalidValue(path, '', 'resource or service backend is required')]
  const service = objectAt(backend, 'service')
  const name = textAt(service, 'name')
  const causes: Cause[] = []
  if (name === '') causes.push(required(`${path}.service.name`))
  else {
    const problem = dnsLabelProblem(name)
    if (problem !== undefined) causes.push(invalidValue(`${path}.service.name`, name, problem))
  }
  const port = objectAt(service, 'port')
  const number = numberAt(port, 'number')
  const portName = textAt(port, 'name')
  if (number && portName !== '') causes.push(invalidValue(path, '', 'cannot set both port name & port number'))
  else if (portName !== '') {
    for (const problem of portNameProblems(portName))
      causes.push(invalidValue(`${path}.service.port.name`, portName, problem))
  } else if (number) {
    if (number < 1 || number > 65535) {
      causes.push(invalidValue(`${path}.service.port.number`, number, 'must be between 1 and 65535, inclusive'))
    }
  } else causes.push(required(path, 'port name or number is required'))
  return causes
}

function validateIngressStatus(ingress: ApiObject): Cause[] {
  const entries = objectsAt(objectAt(objectAt(ingress, 'status'), 'loadBalancer'), 'ingress')
  return entries.flatMap((entry, i) => {
    const path = `status.loadBalancer.ingress[${i}]`
    const [ip, hostname] = [textAt(entry, 'ip'), textAt(entry, 'hostname')]
    const causes: Cause[] = []
    if (ip !== '' && !parseIp(ip)) {
      causes.push(invalidValue(`${path}.ip`, ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'))
    }
    if (hostname === '') return causes
    const problem = subdomainProblem(hostname)
    if (problem !== undefined) causes.push(invalidValue(`${path}.hostname`, hostname, problem))
    if (parseIp(hostname))
      causes.push(invalidValue(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address'))
    return causes
  })
}

function hosts(ingress: ApiObject): string {
  const all = objectsAt(objectAt(ingress, 'spec'), 'rules')
    .map((rule) => textAt(rule, 'host'))
    .filter((host) => host !== '')
  if (all.length === 0) return '*'
  return all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',')
}

function addresses(ingress: ApiObject): string {
  return objectsAt(objectAt(objectAt(ingress, 'status'), 'loadBalancer'), 'ingress')
    .map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
    .join(',')
}

/** Ingress (networking.k8s.io/v1). */
export const ingress: ApiKind = defineKind({
  group: 'networking.k8s.io',
  kind: 'Ingress',
  plural: 'ingresses',
  shortNames: ['ing'],
  type: 'networking.Ingress',
  hasStatus: true,
  hasGeneration: true,
  columns: [
    nameColumn,
    {
      name: 'Class',
      type: 'string',
      cell: (object) =>
        textAt(objectAt(object, 'spec'), 'ingressClassName') ||
        object.metadata.annotations?.[classAnnotation] ||
        '<none>',
    },
    { name: 'Hosts', type: 'string', cell: hosts },
    { name: 'Address', type: 'string', cell: addresses },
    {
      name: 'Ports',
      type: 'string',
      cell: (object) => (objectsAt(objectAt(object, 'spec'), 'tls').length > 0 ? '80, 443' : '80'),
    },
    ageColumn,
  ],
  rules: {
    prepareCreate: fillDefaultClass,
    validate: validateIngress,
    validateStatus: validateIngressStatus,
    warn: ({ metadata }) =>
      metadata.annotations?.[classAnnotation] === undefined
        ? []
        : [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`],
  },
})

function validateIngressClass(object: ApiObject, _context: unknown, old?: ApiObject): Cause[] {
  const spec = objectAt(object, 'spec')
  const controller = textAt(spec, 'controller')
  const causes: Cause[] = []
  if (old) {
    const before = objectAt(old, 'spec')
    if (controller !== textAt(before, 'controller')) {
      return [invalidValue('spec.controller', controller, 'field is immutable')]
    }
    return causes
  }
  if (controller === '') causes.push(required('spec.controller'))
  else if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[^\s]+$/.test(controller)) {
    causes.push(invalidValue('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")'))
  }
  const parameters = spec['parameters']
  if (
    parameters !== undefined &&
    deepEqual(objectAt(spec, 'parameters')['scope'], 'Namespace') &&
    textAt(objectAt(spec, 'parameters'), 'namespace') === ''
  ) {
    causes.push(required('spec.parameters.namespace', "`parameters.scope` is set to 'Namespace'"))
  }
  return causes
}

/** IngressClass (networking.k8s.io/v1). */
export const ingressClass: ApiKind = defineKind({
  group: 'networking.k8s.io',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  type: 'networking.IngressClass',
  isNamespaced: false,
  hasGeneration: true,
  columns: [
    nameColumn,
    { name: 'Controller', type: 'string', cell: (object) => textAt(objectAt(object, 'spec'), 'controller') },
    { name: 'Parameters', type: 'string', cell: printParameters },
    ageColumn,
  ],
  rules: {
    setDefaults: (object) => {
      const parameters = objectAt(object, 'spec')['parameters'] as JsonObject | undefined
      if (parameters) parameters['scope'] ??= 'Cluster'
    },
    validate: validateIngressClass,
  },
})

function printParameters(object: ApiObject): string {
  const parameters = objectAt(objectAt(object, 'spec'), 'parameters')
  if (textAt(parameters, 'kind') === '') return '<none>'
  const group = textAt(parameters, 'apiGroup')
  return `${textAt(parameters, 'kind')}${group === '' ? '' : `.${group}`}/${textAt(parameters, 'name')}`
}
