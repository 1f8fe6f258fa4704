// Two Ingresses with one host and path: the older one serves it, the other one's rule is dead
// (ingress-nginx: Ingresses in order of creation, the first to name a path keeps it).

import { type Ingress, printRef, refOf } from '@kubewire/kube-model'
import { isCanary } from '../ingress-annotations.ts'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'
import { oldestFirst } from '../oldest-first.ts'

/** The rule. */
export const shadowedPath: LintRule = {
  id: 'shadowed-path',
  severity: 'warning',
  summary: 'two Ingresses define the same host and path',
  docs: 'The first Ingress by creation keeps a host and path. The later one is accepted by the API server and has no effect there.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: a, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: /tea, pathType: Prefix, backend: {service: {name: tea, port: {number: 80}}}}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: b, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: /tea, pathType: Prefix, backend: {service: {name: tea, port: {number: 80}}}}]}
`,
  check: (snapshot) => {
    const owners = new Map<string, Ingress>()
    const findings: LintFinding[] = []
    for (const ingress of oldestFirst(snapshot.ingresses).filter((candidate) => !isCanary(candidate))) {
      for (const [r, { host = '', http }] of (ingress.spec?.rules ?? []).entries()) {
        for (const [p, { path = '/', pathType = '' }] of (http?.paths ?? []).entries()) {
          const key = `${host} ${pathType} ${path}`
          const owner = owners.get(key) ?? ingress
          owners.set(key, owner)
          if (owner === ingress) continue
          const message = `${printRef(refOf(owner))} defines ${host}${path} too: only the older one is served`
          findings.push(finding(ingress, `spec.rules[${r}].http.paths[${p}]`, message))
        }
      }
    }
    return findings
  },
}
