// A redirect that leads back to where it came from, followed through the configuration hop by hop.

import { type Ingress, sortedObjects } from '@kubewire/kube-model'
import type { RequestOutcome, SimulatedRequest } from '@kubewire/nginx-gen'
import { annotationOf } from '../ingress-annotations.ts'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'
import { outcomeOf } from '../translation-of.ts'

/** The rule. */
export const redirectLoop: LintRule = {
  id: 'redirect-loop',
  severity: 'error',
  summary: 'a redirect leads in a circle',
  docs: 'A browser gives up after about twenty redirects. The usual way there: `permanent-redirect` or `temporal-redirect` to a URL of the same host that the same Ingress serves. Redirect from an Ingress with its own host or path.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: front
  namespace: shop
  annotations: {nginx.ingress.kubernetes.io/permanent-redirect: "http://shop.example.org/new"}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: tea, port: {number: 80}}}}]}
`,
  check: (snapshot) => {
    const suspects = sortedObjects(snapshot.ingresses).filter((ingress) =>
      redirects.some((name) => annotationOf(ingress, name) !== undefined),
    )
    if (suspects.length === 0) return []
    const ask = (request: SimulatedRequest): RequestOutcome => outcomeOf(snapshot, request)
    return suspects.flatMap((ingress) => {
      const found = startsOf(ingress).flatMap(({ request, path }): LintFinding[] => {
        const way = circleFrom(request, ask)
        return way === undefined ? [] : [finding(ingress, path, `it leads in a circle: ${way.join(' → ')}`)]
      })
      return found.slice(0, 1)
    })
  },
}

// Annotations that make a redirect; what others redirect to is met on the way.
const redirects = ['permanent-redirect', 'temporal-redirect', 'app-root', 'from-to-www-redirect', 'force-ssl-redirect']

interface Start {
  readonly request: SimulatedRequest
  /** Of the rule in the Ingress. */
  readonly path: string
}

function startsOf({ spec }: Ingress): Start[] {
  return (spec?.rules ?? []).flatMap(({ host = 'unknown.example.org', http }, r) =>
    (http?.paths ?? []).flatMap(({ path = '/' }, p) =>
      [...new Set([path, '/'])].map((target) => ({
        request: { scheme: 'http', host: host.replace(/^\*/, 'any'), path: target },
        path: `spec.rules[${r}].http.paths[${p}]`,
      })),
    ),
  )
}

/** The URLs of a circle, first and last equal; `undefined` when somebody answers. */
function circleFrom(
  start: SimulatedRequest,
  ask: (request: SimulatedRequest) => RequestOutcome,
): readonly string[] | undefined {
  const way = [urlOf(start)]
  for (let request = start; way.length < 10; ) {
    const outcome = ask(request)
    if (outcome.kind !== 'answer' || outcome.location === undefined) return undefined
    const target = URL.canParse(outcome.location, urlOf(request))
      ? new URL(outcome.location, urlOf(request))
      : undefined
    if (target === undefined || !/^https?:$/.test(target.protocol)) return undefined
    const scheme = target.protocol === 'https:' ? 'https' : 'http'
    request = { scheme, host: target.host, path: `${target.pathname}${target.search}` }
    const from = way.indexOf(urlOf(request))
    way.push(urlOf(request))
    if (from >= 0) return way.slice(from)
  }
  return undefined
}

function urlOf({ scheme, host, path }: SimulatedRequest): string {
  return `${scheme}://${host}${path}`
}
