// Exact and Prefix paths with characters that ingress-nginx takes in ImplementationSpecific paths alone: its webhook refuses
// the Ingress (strict-validate-path-type, on by default since 1.12).

import { type Ingress, quoteFound, sortedObjects } from '@kubewire/kube-model'
import { catchAllHost } from '@kubewire/nginx-gen'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'
import { translationOf } from '../translation-of.ts'

/** The rule. */
export const pathTypeRefused: LintRule = {
  id: 'path-type-refused',
  severity: 'error',
  summary: 'an Exact or Prefix path has characters that the admission webhook refuses there',
  docs: 'With `strict-validate-path-type`, which is the default, the webhook of ingress-nginx and of ingress-ts takes letters, digits and `._-/` in Exact and Prefix paths and refuses the Ingress otherwise. Expressions belong into paths of type `ImplementationSpecific`, with `use-regex: "true"`.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: "/v[0-9]+/", pathType: Prefix, backend: {service: {name: tea, port: {number: 80}}}}]}
`,
  check: (snapshot) => {
    const regexHosts = new Set(
      translationOf(snapshot).value.servers.flatMap(({ host, usesRegex }) => (usesRegex ? [host] : [])),
    )
    return sortedObjects(snapshot.ingresses).flatMap((ingress) => refusedPaths(ingress, regexHosts))
  },
}

// ingress-nginx internal/ingress/inspector: the original's own expression.
const plainPath = /^\/[A-Za-z0-9._\-/]*$/

function refusedPaths(ingress: Ingress, regexHosts: ReadonlySet<string>): readonly LintFinding[] {
  return (ingress.spec?.rules ?? []).flatMap(({ host, http }, r) =>
    (http?.paths ?? []).flatMap(({ path = '/', pathType = '' }, p): LintFinding[] => {
      if (!['Exact', 'Prefix'].includes(pathType) || plainPath.test(path) || !path.startsWith('/')) return []
      const literal = regexHosts.has(host || catchAllHost)
        ? ''
        : ', and without use-regex it would be a path of just these characters'
      const message = `${quoteFound(path)} is no plain path: the webhook refuses it with pathType ${pathType}${literal}`
      return [finding(ingress, `spec.rules[${r}].http.paths[${p}].path`, message)]
    }),
  )
}
