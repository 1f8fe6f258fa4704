// A canary that stands beside nothing: its paths are served by nobody (ingress-nginx: a canary is an alternative of an
// ordinary path, never a path).

import { compareText, printRef } from '@kubewire/kube-model'
import type { LintRule } from '../lint-rule.ts'
import { translationOf } from '../translation-of.ts'

/** The rule. */
export const canaryWithoutMain: LintRule = {
  id: 'canary-without-main',
  severity: 'error',
  summary: 'a canary has no ordinary Ingress that it is the alternative of',
  docs: 'A canary Ingress needs an ordinary one with the same host, path and path type, and another Service. A Service port that a canary named first makes no path for younger ordinary Ingresses either: give the canary a Service of its own.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea-next, namespace: shop}
spec: {ports: [{port: 80}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: front-canary
  namespace: shop
  annotations: {nginx.ingress.kubernetes.io/canary: "true", nginx.ingress.kubernetes.io/canary-weight: "10"}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: tea-next, port: {number: 80}}}}]}
`,
  check: (snapshot) =>
    translationOf(snapshot)
      .problems.filter(({ code }) => code === 'NGX_CANARY')
      .map(({ object, path, message, fallback }) => ({ object, path, message: `${message}; ${fallback}` }))
      .sort((a, b) => compareText(printRef(a.object), printRef(b.object))),
}
