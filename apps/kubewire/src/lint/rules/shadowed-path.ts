// Two Ingresses with one host and path: the older one serves it, the other one's rule is dead
// (ingress-nginx: Ingresses in order of creation, the first to name a path keeps it).

import { type Ingress, printRef, refOf, sortedObjects } from '@kubewire/kube-model'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const shadowedPath: LintRule = {
  id: 'shadowed-path',
  severity: 'warning',
  summary: 'two Ingresses define the same host and path',
  check: (snapshot) => {
    const owners = new Map<string, Ingress>()
    const findings: LintFinding[] = []
    for (const ingress of sortedObjects(snapshot.ingresses).filter((candidate) => !isCanary(candidate))) {
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

function isCanary({ metadata }: Ingress): boolean {
  return metadata?.annotations?.['nginx.ingress.kubernetes.io/canary'] === 'true'
}
