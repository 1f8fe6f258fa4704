// The backends that Ingresses mention. The first Ingress (by age) that mentions one fixes its balancing.
// Source: ingress-nginx 1.15 controller.go createUpstreams; reference: building the model, upstreams.

import { deepEqual, type IngressBackend, type ObjectRef, type Problem, refOf, type Service } from '@kubewire/kube-model'
import { balancing } from '../annotations/balancing.ts'
import { canary } from '../annotations/canary.ts'
import { featureOf } from '../annotations/define.ts'
import {
  type Backend,
  type BackendEndpoint,
  type CanaryPolicy,
  type CookieAffinity,
  defaultBackendName,
} from '../model/backend.ts'
import type { ControllerOptions } from '../snapshot/controller-options.ts'
import type { ReadContext, ReadIngress } from './drafts.ts'
import { endpointsOf, findServicePort, type SlicesOf } from './endpoints.ts'
import { oncePerObject } from './once-per-object.ts'
import type { RememberedEndpoints, TranslationMemory } from './translation-memory.ts'

/** A backend while the model is built. */
export interface BackendDraft extends Backend {
  affinity: CookieAffinity | undefined
  /** Affinity as it is gathered: mode and type come from the first Ingress, the cookie from the last. */
  affinityMode: CookieAffinity['mode'] | undefined
  canary: CanaryPolicy | undefined
  alternatives: string[]
  /**
   * Whether the first Ingress that mentions it is an ordinary one; if not, it is reached as an alternative only.
   * COMPAT: so an older canary takes a Service away from a younger ordinary Ingress (controller.go, NoServer).
   */
  isOrdinary: boolean
}

/** Name of the backend of a Service port; `undefined` when the backend is no Service. */
export function backendName(namespace: string, backend: IngressBackend | undefined): string | undefined {
  const service = backend?.service
  return service === undefined ? undefined : `${namespace}-${service.name}-${portText(backend) || 'INVALID'}`
}

/** Port of an Ingress backend as text: number, else name, else empty. */
export function portText(backend: IngressBackend | undefined): string {
  const port = backend?.service?.port
  return port?.number ? String(port.number) : (port?.name ?? '')
}

/** Every backend by name, the default backend among them. */
export function collectBackends(
  ingresses: readonly ReadIngress[],
  context: ReadContext,
  slicesOf: SlicesOf,
  problems: Problem[],
  memory: TranslationMemory,
): Map<string, BackendDraft> {
  const cachedEndpoints = (service: Service, port: string): readonly BackendEndpoint[] =>
    rememberedEndpoints(service, port, slicesOf, context.options, memory)
  const drafts = new Map<string, BackendDraft>()
  drafts.set(defaultBackendName, defaultBackend(context, slicesOf, problems))
  for (const one of ingresses) {
    const isCanary = featureOf(one.features, canary) !== undefined
    for (const { backend, path, name } of mentions(one)) {
      if (name === undefined) {
        problems.push(backendProblem(one, path, 'a backend that is no Service', 'the path is left out'))
        continue
      }
      const draft = drafts.get(name) ?? newDraft(name, backend, one, context, cachedEndpoints, path, problems)
      if (!drafts.has(name)) draft.isOrdinary = !isCanary
      drafts.set(name, draft)
      if (isCanary) draft.canary ??= featureOf(one.features, canary)
    }
  }
  return drafts
}

interface Mention {
  readonly backend: IngressBackend
  readonly path: string
  /** `undefined` when it is no Service. */
  readonly name: string | undefined
}

const mentions = oncePerObject((one: ReadIngress): readonly Mention[] => {
  const { spec } = one.ingress
  const found: Mention[] = []
  const mention = (backend: IngressBackend, path: string): void => {
    found.push({ backend, path, name: backendName(one.namespace, backend) })
  }
  if (spec?.defaultBackend !== undefined) mention(spec.defaultBackend, 'spec.defaultBackend')
  for (const [i, rule] of (spec?.rules ?? []).entries()) {
    for (const [j, { backend }] of (rule.http?.paths ?? []).entries()) {
      if (backend !== undefined) mention(backend, `spec.rules[${i}].http.paths[${j}].backend`)
    }
  }
  return found
})

/** Endpoints as they were, while the Service and its slices are the same objects. */
function rememberedEndpoints(
  service: Service,
  port: string,
  slicesOf: SlicesOf,
  options: ControllerOptions,
  { endpoints }: TranslationMemory,
): readonly BackendEndpoint[] {
  const { namespace = 'default', name = '' } = service.metadata ?? {}
  const slices = slicesOf(namespace, name)
  const byPort = endpoints.get(service) ?? new Map<string, RememberedEndpoints>()
  endpoints.set(service, byPort)
  const known = byPort.get(port)
  if (known !== undefined && isSameList(known.slices, slices)) return known.endpoints
  const found = serviceEndpoints(service, port, slicesOf, options)
  byPort.set(port, { slices, endpoints: found })
  return found
}

/** Whether two lists hold the same objects. */
export function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}

/** The backend that a draft has become. */
export function finishBackend({ isOrdinary: _, affinityMode, affinity, ...backend }: BackendDraft): Backend {
  return {
    ...backend,
    affinity: affinity === undefined ? undefined : { ...affinity, mode: affinityMode ?? 'balanced' },
  }
}

/** Whether a draft would become this backend; without affinity, which is gathered anew each time, at a glance. */
export function isSameBackend(backend: Backend, draft: BackendDraft): boolean {
  if (backend.affinity !== undefined || draft.affinity !== undefined) return deepEqual(backend, finishBackend(draft))
  return (
    backend.service === draft.service &&
    backend.port === draft.port &&
    backend.balancing === draft.balancing &&
    backend.canary === draft.canary &&
    (backend.endpoints === draft.endpoints || deepEqual(backend.endpoints, draft.endpoints)) &&
    isSameList(backend.alternatives, draft.alternatives)
  )
}

const refOfService = oncePerObject((service: Service) => refOf(service, 'Service'))

function newDraft(
  name: string,
  backend: IngressBackend,
  one: ReadIngress,
  context: ReadContext,
  endpointsOfPort: (service: Service, port: string) => readonly BackendEndpoint[],
  path: string,
  problems: Problem[],
): BackendDraft {
  const wish = featureOf(one.features, balancing)
  const service = context.snapshot.services.get(backend.service?.name ?? '', one.namespace)
  if (service === undefined) {
    problems.push(backendProblem(one, path, 'the Service does not exist', 'its requests are answered 503'))
  }
  const port = portText(backend)
  const clusterIp = service !== undefined && wish.usesClusterIp ? clusterEndpoint(service, port) : undefined
  return {
    name,
    service: service === undefined ? undefined : refOfService(service),
    port,
    endpoints: clusterIp ?? (service === undefined ? [] : endpointsOfPort(service, port)),
    balancing: wish.balancing,
    affinity: undefined,
    affinityMode: undefined,
    canary: undefined,
    alternatives: [],
    isOrdinary: false,
  }
}

function clusterEndpoint(service: Service, port: string): readonly BackendEndpoint[] | undefined {
  const address = service.spec?.clusterIP
  if (address === undefined || address === '' || address === 'None') return undefined
  const number = /^[0-9]+$/.test(port) ? Number(port) : service.spec?.ports?.find((p) => p.name === port)?.port
  return number === undefined ? undefined : [{ address, port: number }]
}

/** Endpoints of the Service port that an Ingress backend means. */
export function serviceEndpoints(
  service: Service,
  port: string,
  slicesOf: SlicesOf,
  options: ControllerOptions,
): readonly BackendEndpoint[] {
  if (service.spec?.type === 'ExternalName') {
    if (options.disableExternalName) return []
    const number = Number(port)
    const listed = findServicePort(service, port)
    const found = listed ?? (number > 0 ? { port: number, targetPort: number } : undefined)
    return found === undefined ? [] : endpointsOf(service, found, 'TCP', slicesOf, options)
  }
  const found = findServicePort(service, port)
  return found === undefined ? [] : endpointsOf(service, found, 'TCP', slicesOf, options)
}

/** Endpoints of the first port of a Service; empty when there is none. */
export function firstPortEndpoints(
  service: Service | undefined,
  slicesOf: SlicesOf,
  options: ControllerOptions,
): readonly BackendEndpoint[] {
  const port = service?.spec?.ports?.[0]
  return service === undefined || port === undefined ? [] : endpointsOf(service, port, 'TCP', slicesOf, options)
}

function defaultBackend(context: ReadContext, slicesOf: SlicesOf, problems: Problem[]): BackendDraft {
  const { options, snapshot } = context
  const [namespace = '', name = ''] = (options.defaultBackendService ?? '').split('/')
  const service = name === '' ? undefined : snapshot.services.get(name, namespace)
  const endpoints = firstPortEndpoints(service, slicesOf, options)
  if (name !== '' && endpoints.length === 0) {
    const object: ObjectRef = { kind: 'Service', namespace, name }
    problems.push({
      code: 'NGX_BACKEND',
      severity: 'warning',
      object,
      path: '',
      message:
        service === undefined ? 'the default backend does not exist' : 'the default backend has no ready endpoint',
      fallback: 'the built-in 404 answers',
    })
  }
  return {
    name: defaultBackendName,
    service: service === undefined ? undefined : refOf(service, 'Service'),
    port: '',
    endpoints: endpoints.length > 0 ? endpoints : [{ address: '127.0.0.1', port: options.defaultServerPort }],
    balancing: { kind: 'round-robin' },
    affinity: undefined,
    affinityMode: undefined,
    canary: undefined,
    alternatives: [],
    isOrdinary: true,
  }
}

function backendProblem(one: ReadIngress, path: string, message: string, fallback: string): Problem {
  const object = one.ref
  return { code: 'NGX_BACKEND', severity: 'warning', object, path, message, fallback }
}
