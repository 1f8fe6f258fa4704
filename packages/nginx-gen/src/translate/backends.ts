// The backends that Ingresses mention. The first Ingress (by age) that mentions one fixes its balancing.
// Source: ingress-nginx 1.15 controller.go createUpstreams; reference: building the model, upstreams.

import { deepEqual, type IngressBackend, type ObjectRef, type Problem, refOf, type Service } from '@kubewire/kube-model'
import { balancing } from '../annotations/balancing.ts'
import { canary } from '../annotations/canary.ts'
import { featureOf } from '../annotations/define.ts'
import { type Backend, type BackendEndpoint, defaultBackendName } from '../model/backend.ts'
import type { ControllerOptions } from '../snapshot/controller-options.ts'
import { addAuthBackends } from './auth-backends.ts'
import type { BackendDraft, ReadContext, ReadIngress } from './drafts.ts'
import { endpointsOf, findServicePort, type SlicesOf } from './endpoints.ts'
import { isSameList, oncePerObject } from './once-per-object.ts'
import { defaultBackendField, portText } from './rule-parts.ts'
import type { Sources } from './sources.ts'
import type { TranslationMemory } from './translation-memory.ts'

/** Every backend by name, the default backend among them. */
export interface CollectedBackends {
  readonly drafts: Map<string, BackendDraft>
  /** Whether there are the same names as before, each as ordinary as before. */
  readonly isSameSet: boolean
}

/** Collects the backends that Ingresses mention. */
export function collectBackends(
  ingresses: readonly ReadIngress[],
  context: ReadContext,
  sources: Sources,
  problems: Problem[],
  memory: TranslationMemory,
): CollectedBackends {
  const { slicesOf } = sources
  const areSameSources = sources === memory.sources
  const drafts = new Map<string, BackendDraft>()
  drafts.set(defaultBackendName, defaultBackend(context, slicesOf, problems))
  let isSameSet = true
  const made = (name: string, backend: IngressBackend, one: ReadIngress, path: string): BackendDraft => {
    const before = memory.drafts.get(name)
    const isSettled = areSameSources && before?.first === one && before.service !== undefined
    if (isSettled && isClean(before.draft)) return before.draft
    const service = context.snapshot.services.get(backend.service?.name ?? '', one.namespace)
    const slices = service === undefined ? [] : slicesOf(one.namespace, service.metadata?.name ?? '')
    const isKept =
      before !== undefined && before.first === one && before.service === service && isSameList(before.slices, slices)
    const draft =
      isKept && service !== undefined && isClean(before.draft)
        ? before.draft
        : newDraft(name, backend, one, context, () => slices, path, service, problems)
    draft.isOrdinary = !one.isCanary
    if (!isKept) memory.drafts.set(name, { first: one, service, slices, draft })
    else if (draft !== before.draft) memory.drafts.set(name, { ...before, draft })
    isSameSet &&= before?.draft.isOrdinary === draft.isOrdinary
    return draft
  }
  const claims = defaultBackendClaims(ingresses)
  for (const one of ingresses) {
    for (const { backend, path, name } of one.mentions) {
      if (name === undefined) {
        problems.push(backendProblem(one, path, 'a backend that is no Service', 'the path is left out'))
        continue
      }
      const claim = claims.get(name)
      let draft = drafts.get(name)
      if (draft === undefined) {
        draft = made(name, backend, claim ?? one, claim === undefined ? path : defaultBackendField)
        drafts.set(name, draft)
      }
      if (one.isCanary && (claim === undefined || claim === one)) draft.canary ??= featureOf(one.features, canary)
    }
  }
  isSameSet &&= memory.drafts.size === drafts.size - 1
  for (const name of isSameSet ? [] : memory.drafts.keys()) if (!drafts.has(name)) memory.drafts.delete(name)
  addAuthBackends(ingresses, context, drafts)
  return { drafts, isSameSet }
}

/**
 * COMPAT: `spec.defaultBackend` makes its backend anew, whoever mentioned it before: its balancing and whether a canary
 * owns it are those of the last such Ingress (controller.go createUpstreams). A canary takes nothing from ordinary ones.
 */
function defaultBackendClaims(ingresses: readonly ReadIngress[]): ReadonlyMap<string, ReadIngress> {
  const claims = new Map<string, ReadIngress>()
  for (const one of ingresses) {
    const first = one.mentions[0]
    if (first?.name === undefined || first.path !== defaultBackendField) continue
    const { name } = first
    if (!one.isCanary || !ingresses.some((other) => !other.isCanary && other.mentions.some((it) => it.name === name)))
      claims.set(name, one)
  }
  return claims
}

/** Whether nothing of later stages is in it. */
export function isClean(draft: BackendDraft): boolean {
  return (
    draft.affinity === undefined &&
    draft.affinityMode === undefined &&
    draft.canary === undefined &&
    draft.alternatives.length === 0
  )
}

/** The backend that a draft has become. */
export function finishBackend(draft: BackendDraft): Backend {
  const { affinity, affinityMode } = draft
  return {
    name: draft.name,
    service: draft.service,
    port: draft.port,
    endpoints: draft.endpoints,
    balancing: draft.balancing,
    affinity: affinity === undefined ? undefined : { ...affinity, mode: affinityMode ?? 'balanced' },
    canary: draft.canary,
    // The draft lives on and may be given others.
    alternatives: [...draft.alternatives],
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
  slicesOf: SlicesOf,
  path: string,
  service: Service | undefined,
  problems: Problem[],
): BackendDraft {
  const wish = featureOf(one.features, balancing)
  if (service === undefined) {
    problems.push(backendProblem(one, path, 'the Service does not exist', 'its requests are answered 503'))
  }
  const port = portText(backend)
  const clusterIp = service !== undefined && wish.usesClusterIp ? clusterEndpoint(service, port) : undefined
  return {
    name,
    service: service === undefined ? undefined : refOfService(service),
    port,
    endpoints: clusterIp ?? (service === undefined ? [] : serviceEndpoints(service, port, slicesOf, context.options)),
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
