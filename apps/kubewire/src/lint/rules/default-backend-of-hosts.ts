// spec.defaultBackend beside rules: it serves what is left of these hosts, and no other host (ingress-nginx; only an Ingress
// without rules answers for all others).

import { sortedObjects } from '@kubewire/kube-model'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const defaultBackendOfHosts: LintRule = {
  id: 'default-backend-of-hosts',
  severity: 'note',
  summary: 'the default backend of an Ingress with rules serves its own hosts only',
  docs: 'Many expect `spec.defaultBackend` to serve every host that no Ingress names. It does where the Ingress has no rules. Beside rules it serves the paths of these hosts that no path of theirs matches; other hosts get the 404 of the controller.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec:
  ingressClassName: nginx
  defaultBackend: {service: {name: tea, port: {number: 80}}}
  rules:
    - host: shop.example.org
      http: {paths: [{path: /cup, pathType: Prefix, backend: {service: {name: cup, port: {number: 80}}}}]}
`,
  check: (snapshot) =>
    sortedObjects(snapshot.ingresses).flatMap((ingress): LintFinding[] => {
      const hosts = (ingress.spec?.rules ?? []).flatMap(({ host }) => (host === undefined || host === '' ? [] : [host]))
      if (ingress.spec?.defaultBackend === undefined || hosts.length === 0) return []
      const message = `it serves what is left of ${[...new Set(hosts)].join(', ')}, and no other host`
      return [finding(ingress, 'spec.defaultBackend', message)]
    }),
}
