// A host with TLS that answers over plain HTTP too, because its redirect is switched off.

import { sortedObjects } from '@kubewire/kube-model'
import { annotationOf, annotationPath } from '../ingress-annotations.ts'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'
import { outcomeOf, translationOf } from '../translation-of.ts'

/** The rule. */
export const plainHttpDespiteTls: LintRule = {
  id: 'plain-http-despite-tls',
  severity: 'warning',
  summary: 'a host with TLS is served over plain HTTP too',
  docs: 'With `ssl-redirect: "false"` whoever types the name without https sends cookies and forms in the clear. Leave the annotation out, unless a load balancer in front ends TLS and speaks HTTP to nginx.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {ports: [{port: 80}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: front
  namespace: shop
  annotations: {nginx.ingress.kubernetes.io/ssl-redirect: "false", cert-manager.io/issuer: example}
spec:
  ingressClassName: nginx
  tls: [{hosts: [shop.example.org], secretName: shop-tls}]
  rules:
    - host: shop.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: tea, port: {number: 80}}}}]}
`,
  check: (snapshot) =>
    sortedObjects(snapshot.ingresses)
      .filter((ingress) => annotationOf(ingress, 'ssl-redirect') === 'false')
      .flatMap((ingress) => {
        const { value: model } = translationOf(snapshot)
        return (ingress.spec?.rules ?? []).flatMap(({ host = '', http }): LintFinding[] => {
          const [first] = http?.paths ?? []
          if (first === undefined || !Object.hasOwn(model.tls.hosts, host)) return []
          const request = { scheme: 'http', host: host.replace(/^\*/, 'any'), path: first.path ?? '/' } as const
          const outcome = outcomeOf(snapshot, request)
          return outcome.kind === 'proxy'
            ? [finding(ingress, annotationPath('ssl-redirect'), `http://${host}${request.path} is served without TLS`)]
            : []
        })
      }),
}
