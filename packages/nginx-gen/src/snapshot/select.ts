// Which Ingresses are ours: class, namespace, catch-all, deep inspection. Their order decides every conflict.
// Source: ingress-nginx 1.15 internal/ingress/controller/store, reference: class filtering.

import {
  type ClusterSnapshot,
  compareText,
  creationTimeMs,
  type Ingress,
  type IngressBackend,
  matchesSelector,
  type Problem,
  parseSelector,
  quoteFound,
  refOf,
  type WithProblems,
  withProblems,
} from '@kubewire/kube-model'
import type { NginxProblemCode } from '../problem-codes.ts'
import { oncePerObject } from '../translate/once-per-object.ts'
import type { ControllerOptions } from './controller-options.ts'

/** Annotation that named the class before `spec.ingressClassName`. */
const classAnnotation = 'kubernetes.io/ingress.class'

/** Ours, oldest first; of equal age the higher `namespace/name` first (the original's order). */
export function selectIngresses(
  snapshot: ClusterSnapshot,
  options: ControllerOptions,
): WithProblems<readonly Ingress[]> {
  const problems: Problem[] = []
  const isOurs = ownClass(snapshot, options)
  const isWatched = watchedNamespace(snapshot, options)
  const factsOf = options.deepInspect ? deepFacts : plainFacts
  const selected: Facts[] = []
  for (const ingress of snapshot.ingresses) {
    if (!isWatched(ingress.metadata?.namespace ?? 'default') || !isOurs(ingress)) continue
    if (options.disableCatchAll && ingress.spec?.defaultBackend !== undefined) {
      problems.push(refused(ingress, 'spec.defaultBackend', 'catch-all Ingresses are switched off'))
      continue
    }
    const facts = factsOf(ingress)
    if (facts.finding === undefined) selected.push(facts)
    else problems.push(refused(ingress, facts.finding.path, facts.finding.message))
  }
  selected.sort(compareAge)
  return withProblems(
    selected.map(({ ingress }) => ingress),
    problems,
  )
}

/** Whether the controller serves this Ingress's class; the three rules of the reference in their order. */
export function ownClass(snapshot: ClusterSnapshot, options: ControllerOptions): (ingress: Ingress) => boolean {
  const classes = new Set<string>()
  for (const one of snapshot.ingressClasses) {
    const name = one.metadata?.name ?? ''
    const spec = (one as { readonly spec?: { readonly controller?: string } }).spec
    const isNamed = options.classByName && name === options.ingressClass
    if (spec?.controller === options.controllerClass || isNamed) classes.add(name)
  }
  return (ingress) => {
    const className = ingress.spec?.ingressClassName
    if (options.hasIngressClasses && className !== undefined && className !== null) return classes.has(className)
    const annotation = ingress.metadata?.annotations?.[classAnnotation]
    if (annotation !== undefined) return annotation === options.ingressClass
    return options.watchWithoutClass
  }
}

/** Whether the controller watches this namespace, by name or by labels. */
export function watchedNamespace(
  snapshot: ClusterSnapshot,
  options: ControllerOptions,
): (namespace: string) => boolean {
  if (options.watchNamespace !== undefined && options.watchNamespace !== '') {
    return (namespace) => namespace === options.watchNamespace
  }
  const selector = options.watchNamespaceSelector ? parseSelector(options.watchNamespaceSelector) : undefined
  if (selector === undefined) return () => true
  return (namespace) => {
    const labels = snapshot.namespaces.get(namespace)?.metadata?.labels
    return snapshot.namespaces.get(namespace) !== undefined && matchesSelector(selector, labels ?? {})
  }
}

function compareAge(one: Facts, other: Facts): number {
  return one.createdMs - other.createdMs || compareText(other.key, one.key)
}

/** What selection asks of an Ingress, once. */
interface Facts {
  readonly ingress: Ingress
  readonly createdMs: number
  readonly key: string
  readonly finding: Finding | undefined
}

const deepFacts = oncePerObject((ingress: Ingress) => factsOf(ingress, { deepInspect: true }))
const plainFacts = oncePerObject((ingress: Ingress) => factsOf(ingress, { deepInspect: false }))

function factsOf(ingress: Ingress, options: Pick<ControllerOptions, 'deepInspect'>): Facts {
  return {
    ingress,
    createdMs: creationTimeMs(ingress) ?? 0,
    key: keyText(ingress),
    finding: inspect(ingress, options),
  }
}

function keyText(ingress: Ingress): string {
  return `${ingress.metadata?.namespace ?? ''}/${ingress.metadata?.name ?? ''}`
}

// Deep inspection of the original: texts that only an attack holds.
const hostile: readonly RegExp[] = [
  /\s*alias\s*.*;/s,
  /\s*root\s*.*;/s,
  /\/etc\/(?:passwd|shadow|group|nginx|ingress-controller)/,
  /\/var\/run\/secrets/,
  /.*_by_lua.*/,
]

const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** What deep inspection found, and where. */
export interface Finding {
  readonly path: string
  readonly message: string
}

/** The first text of an Ingress that is no plain host, path or name. */
export function inspect(ingress: Ingress, options: Pick<ControllerOptions, 'deepInspect'>): Finding | undefined {
  if (isPlain(ingress)) return undefined
  for (const { path, text, kind } of inspected(ingress)) {
    const message = (what: string): string => `expected a plain host, path or name, got ${quoteFound(text)}: ${what}`
    if (text.length > 1024) return { path, message: message('longer than 1024 characters') }
    if (controlCharacter.test(text)) return { path, message: message('holds a control character') }
    if (options.deepInspect && hostile.some((pattern) => pattern.test(text))) {
      return { path, message: message('looks like configuration or names a protected file') }
    }
    if (kind === 'host' && !/^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(text)) {
      return { path, message: message('is no host name') }
    }
    if (kind === 'name' && !/^[A-Za-z0-9._-]*$/.test(text)) return { path, message: message('is no name of an object') }
  }
  return undefined
}

// Most Ingresses hold nothing but plain names and paths, and nothing is to be told of them.
const plainName = /^[A-Za-z0-9-]{0,1024}$/
const plainHost = /^[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,9}(?<![-.])$/
const plainPath = /^\/[A-Za-z0-9-]{0,500}(?:\/[A-Za-z0-9-]{0,500})?$/

function isPlain({ metadata, spec }: Ingress): boolean {
  if (!plainName.test(metadata?.name ?? '') || !plainName.test(metadata?.namespace ?? '')) return false
  if (spec?.defaultBackend !== undefined) return false
  for (const { host, http } of spec?.rules ?? []) {
    if (host === undefined || !plainHost.test(host) || host.startsWith('-')) return false
    for (const { path, backend } of http?.paths ?? []) {
      if (path === undefined || !plainPath.test(path)) return false
      if (path.startsWith('/etc/') || !plainName.test(backend?.service?.name ?? '')) return false
      if (!plainName.test(backend?.service?.port?.name ?? '')) return false
    }
  }
  return (spec?.tls ?? []).every(
    ({ hosts, secretName }) => plainName.test(secretName ?? '') && (hosts ?? []).every((host) => plainHost.test(host)),
  )
}

interface Inspected {
  readonly path: string
  readonly text: string
  readonly kind: 'host' | 'name' | 'text'
}

function* inspected(ingress: Ingress): Iterable<Inspected> {
  const { metadata, spec } = ingress
  yield { path: 'metadata.name', text: metadata?.name ?? '', kind: 'name' }
  yield { path: 'metadata.namespace', text: metadata?.namespace ?? '', kind: 'name' }
  if (spec?.defaultBackend !== undefined) yield* inspectedBackend('spec.defaultBackend', spec.defaultBackend)
  for (const [i, rule] of (spec?.rules ?? []).entries()) {
    if (rule.host) yield { path: `spec.rules[${i}].host`, text: rule.host, kind: 'host' }
    for (const [j, path] of (rule.http?.paths ?? []).entries()) {
      const where = `spec.rules[${i}].http.paths[${j}]`
      yield { path: `${where}.path`, text: path.path ?? '', kind: 'text' }
      if (path.backend !== undefined) yield* inspectedBackend(`${where}.backend`, path.backend)
    }
  }
  for (const [i, tls] of (spec?.tls ?? []).entries()) {
    for (const host of tls.hosts ?? []) yield { path: `spec.tls[${i}].hosts`, text: host, kind: 'text' }
    yield { path: `spec.tls[${i}].secretName`, text: tls.secretName ?? '', kind: 'text' }
  }
}

function* inspectedBackend(path: string, { service }: IngressBackend): Iterable<Inspected> {
  yield { path: `${path}.service.name`, text: service?.name ?? '', kind: 'name' }
  yield { path: `${path}.service.port.name`, text: service?.port?.name ?? '', kind: 'name' }
}

function refused(ingress: Ingress, path: string, message: string): Problem {
  const code: NginxProblemCode = 'NGX_INGRESS_REFUSED'
  return {
    code,
    severity: 'error',
    object: refOf(ingress, 'Ingress'),
    path,
    message,
    fallback: 'the Ingress is set aside, all others go on',
  }
}
