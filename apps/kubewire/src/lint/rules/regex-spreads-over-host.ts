// One Ingress with use-regex or rewrite-target makes every path of its host an expression, those of others too
// (ingress-nginx: regex enforcement; locations become `~* "^PATH"`).

import { type Ingress, printRef, refOf } from '@kubewire/kube-model'
import { annotationOf, isCanary } from '../ingress-annotations.ts'
import type { LintFinding, LintRule } from '../lint-rule.ts'
import { translationOf } from '../translation-of.ts'

/** The rule. */
export const regexSpreadsOverHost: LintRule = {
  id: 'regex-spreads-over-host',
  severity: 'warning',
  summary: 'an Ingress with expressions changes how the paths of other Ingresses of its host match',
  docs: 'All paths of a host become case-insensitive expressions as soon as one Ingress of that host has `use-regex` or `rewrite-target`. An `Exact` path then matches everything that begins with it, in any case. Give the Ingress with expressions a host of its own, or end the other paths with `$`.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: api
  namespace: shop
  annotations: {nginx.ingress.kubernetes.io/use-regex: "true"}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: "/v[0-9]+", pathType: ImplementationSpecific, backend: {service: {name: api, port: {number: 80}}}}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: /admin, pathType: Exact, backend: {service: {name: front, port: {number: 80}}}}]}
`,
  check: (snapshot) => {
    const byRef = new Map([...snapshot.ingresses].map((ingress) => [printRef(refOf(ingress, 'Ingress')), ingress]))
    const findings = new Map<string, LintFinding>()
    for (const { host, usesRegex, locations } of translationOf(snapshot).value.servers) {
      if (!usesRegex) continue
      const names = [...new Set(locations.map(({ route }) => route.ingress).filter((ref) => ref !== undefined))]
      const cause = names.find((ref) => wantsRegex(byRef.get(printRef(ref))))
      for (const { route, field } of locations) {
        if (route.ingress === undefined || cause === undefined || route.rulePath === '/') continue
        if (wantsRegex(byRef.get(printRef(route.ingress)))) continue
        const message = `${host}${route.rulePath} matches in any case and as a beginning, because ${printRef(cause)} uses expressions`
        findings.set(`${printRef(route.ingress)} ${field}`, { object: route.ingress, path: field, message })
      }
    }
    return [...findings.values()]
  },
}

function wantsRegex(ingress: Ingress | undefined): boolean {
  if (ingress === undefined || isCanary(ingress)) return false
  return annotationOf(ingress, 'use-regex') === 'true' || (annotationOf(ingress, 'rewrite-target') ?? '') !== ''
}
