// What the configuration leaves to the data plane: which backend of a canary pair, which endpoints, which certificate.

import { type Explanation, joinHostPort, type ObjectRef, printPercent } from '@kubewire/kube-model'
import { type Backend, defaultBackendName, type Model, type SimulatedRequest } from '@kubewire/nginx-gen'

/** A backend that may get a request. */
export interface ServingBackend {
  readonly backend: Backend
  readonly probability: number
  /** What decides, where there is a canary. */
  readonly why?: string
}

/** The backends that may get a request which the configuration sends to `upstream`: one, or a canary pair. */
export function servingBackends(
  model: Model,
  upstream: string | undefined,
  request: SimulatedRequest,
): readonly ServingBackend[] {
  const backends = backendsByName(model)
  const main = backends.get(upstream ?? '')
  if (main === undefined) return []
  const alternative = backends.get(main.alternatives[0] ?? '')
  const share = alternative?.canary === undefined ? undefined : canaryShare(alternative, request)
  if (alternative === undefined || share === undefined) return [{ backend: main, probability: 1 }]
  const { probability, why } = share
  const pair = [
    { backend: main, probability: 1 - probability, why },
    { backend: alternative, probability, why },
  ]
  return pair.filter((one) => one.probability > 0)
}

/** The backends in one line, with their shares, and where a header or cookie would decide otherwise. */
export function printServing(model: Model, upstream: string, serving: readonly ServingBackend[]): string {
  const names = serving.map(({ backend, probability }) =>
    probability === 1 ? backend.name : `${backend.name} [${printPercent(probability)}]`,
  )
  const backends = backendsByName(model)
  const alternative = backends.get(backends.get(upstream)?.alternatives[0] ?? '')
  const conditions = serving.some(({ why = '' }) => !why.startsWith('the weight')) ? [] : canaryConditions(alternative)
  const also = conditions.length === 0 ? '' : ` (always to ${alternative?.name} where ${conditions.join(' or ')})`
  return `${names.join(' or ')}${also}`
}

/** The steps behind the configuration's own: the certificate of the handshake, then who can get the request. */
export function explainDataPlane(
  model: Model,
  serving: readonly ServingBackend[],
  request: SimulatedRequest,
): Explanation[] {
  return [
    ...(request.scheme === 'https' ? [explainCertificate(model, request.host)] : []),
    ...serving.map(({ backend, probability, why }) => explainBackend(backend, probability, why)),
  ]
}

const indexes = new WeakMap<Model, ReadonlyMap<string, Backend>>()

/** The backends of a model, sorted out once for many requests. */
function backendsByName(model: Model): ReadonlyMap<string, Backend> {
  const index = indexes.get(model) ?? new Map(model.backends.map((backend) => [backend.name, backend]))
  indexes.set(model, index)
  return index
}

/** Whether a request goes to the alternative, by the canary's own order: header, then cookie, then weight. */
function canaryShare(
  { canary }: Backend,
  request: SimulatedRequest,
): { readonly probability: number; readonly why: string } | undefined {
  if (canary === undefined) return undefined
  const headers = new Map(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  const header = canary.header === undefined ? undefined : headers.get(canary.header.toLowerCase())
  if (canary.header !== undefined && header !== undefined) {
    const decided = headerDecision(header, canary.headerValue, canary.headerPattern)
    if (decided !== undefined) return { probability: decided, why: `the header ${canary.header} says ${header}` }
  }
  const cookie = canary.cookie === undefined ? undefined : cookieValue(headers.get('cookie'), canary.cookie)
  if (cookie === 'always' || cookie === 'never') {
    return { probability: cookie === 'always' ? 1 : 0, why: `the cookie ${canary.cookie} says ${cookie}` }
  }
  return {
    probability: Math.min(canary.weight / canary.weightTotal, 1),
    why: `the weight is ${canary.weight} of ${canary.weightTotal}`,
  }
}

/** What makes a request a canary's whatever the weight. */
function canaryConditions(alternative: Backend | undefined): readonly string[] {
  const { header, headerValue, headerPattern, cookie } = alternative?.canary ?? {}
  const wanted = headerValue ?? (headerPattern === undefined ? 'always' : `something that matches ${headerPattern}`)
  return [
    ...(header === undefined ? [] : [`the header ${header} says ${wanted}`]),
    ...(cookie === undefined ? [] : [`the cookie ${cookie} says always`]),
  ]
}

function headerDecision(value: string, wanted: string | undefined, pattern: string | undefined): 0 | 1 | undefined {
  if (wanted !== undefined) return value === wanted ? 1 : undefined
  if (pattern !== undefined) return matchesPattern(value, pattern) ? 1 : undefined
  return value === 'always' ? 1 : value === 'never' ? 0 : undefined
}

// An expression that does not compile never means the canary; the translation has told it.
function matchesPattern(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern).test(value)
  } catch {
    return false
  }
}

function cookieValue(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([key]) => key === name)?.[1]
}

function explainBackend(backend: Backend, probability: number, why?: string): Explanation {
  const origin: readonly ObjectRef[] = backend.service === undefined ? [] : [backend.service]
  return {
    where: `backend ${backend.name}`,
    what: endpointsText(backend),
    ...(why === undefined ? {} : { why }),
    ...(probability === 1 ? {} : { probability }),
    ...(origin.length === 0 ? {} : { origin }),
  }
}

function endpointsText({ name, service, endpoints }: Backend): string {
  if (name === defaultBackendName && service === undefined) return 'the controller itself answers 404'
  if (endpoints.length === 0) return 'has no endpoint: the answer is 503'
  return `one of ${endpoints.map(({ address, port }) => joinHostPort(address, port)).join(', ')}`
}

/** Which certificate a handshake with this name shows. */
export function explainCertificate(model: Model, host: string): Explanation {
  const name = host.replace(/:[0-9]+$/, '').toLowerCase()
  const { hosts, certificates } = model.tls
  const mask = name.replace(/^[^.]+/, '*')
  const id = hosts[name] ?? hosts[mask]
  const certificate = certificates.find((candidate) => candidate.id === id)
  if (certificate === undefined) return { where: 'certificate', what: `the default one is shown to ${name}` }
  const { dnsNames, notAfterMs } = certificate.facts
  return {
    where: 'certificate',
    what: `for ${dnsNames.join(', ')}, valid until ${new Date(notAfterMs).toISOString().slice(0, 10)}`,
    origin: [certificate.secret],
  }
}
