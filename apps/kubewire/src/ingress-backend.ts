// What the configuration leaves to the data plane: which backend of a canary pair, which endpoints, which certificate.

import { type Explanation, joinHostPort, type ObjectRef } from '@kubewire/kube-model'
import { type Backend, defaultBackendName, type Model, type SimulatedRequest } from '@kubewire/nginx-gen'

/** The steps behind the configuration's own: the certificate of the handshake, then who can get the request. */
export function explainDataPlane(model: Model, upstream: string | undefined, request: SimulatedRequest): Explanation[] {
  const steps: Explanation[] = []
  if (request.scheme === 'https') steps.push(explainCertificate(model, request.host))
  const backends = backendsByName(model)
  const main = backends.get(upstream ?? '')
  if (main === undefined) return steps
  const alternative = backends.get(main.alternatives[0] ?? '')
  const share = alternative?.canary === undefined ? undefined : canaryShare(alternative, request)
  if (alternative === undefined || share === undefined) return [...steps, explainBackend(main, 1)]
  const { probability, why } = share
  return [
    ...steps,
    ...(probability < 1 ? [explainBackend(main, 1 - probability, why)] : []),
    ...(probability > 0 ? [explainBackend(alternative, probability, why)] : []),
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
    probability: canary.weight / canary.weightTotal,
    why: `the weight is ${canary.weight} of ${canary.weightTotal}`,
  }
}

function headerDecision(value: string, wanted: string | undefined, pattern: string | undefined): 0 | 1 | undefined {
  if (wanted !== undefined) return value === wanted ? 1 : undefined
  if (pattern !== undefined) return new RegExp(pattern).test(value) ? 1 : undefined
  return value === 'always' ? 1 : value === 'never' ? 0 : undefined
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

function explainCertificate(model: Model, host: string): Explanation {
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
