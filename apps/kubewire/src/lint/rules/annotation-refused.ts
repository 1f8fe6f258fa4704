// Annotations whose value the controller does not accept: what holds instead is said in its log alone.

import { compareText, printRef } from '@kubewire/kube-model'
import type { LintRule } from '../lint-rule.ts'
import { translationOf } from '../translation-of.ts'

/** The rule. */
export const annotationRefused: LintRule = {
  id: 'annotation-refused',
  severity: 'error',
  summary: 'an ingress annotation has a value that is not accepted',
  docs: 'Depending on the annotation a bad value is ignored, closes the paths of the Ingress (503), or sets the whole Ingress aside; the finding says which. The reference of annotations lists what each expects.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: front
  namespace: shop
  annotations: {nginx.ingress.kubernetes.io/proxy-read-timeout: fast}
spec:
  ingressClassName: nginx
  rules: [{host: shop.example.org}]
`,
  check: (snapshot) =>
    translationOf(snapshot)
      // Snippets have a rule of their own.
      .problems.filter(
        ({ code, path }) => /^NGX_(?:ANNOTATION_|INGRESS_REFUSED)/.test(code) && !/snippet"\]$/.test(path),
      )
      .map(({ object, path, message, fallback }) => ({
        object,
        path,
        message: `${message}; ${fallback}${there(message)}`,
      }))
      .sort((a, b) => compareText(printRef(a.object), printRef(b.object))),
}

// What a bad value does that ingress-nginx writes into its file unread.
function there(message: string): string {
  return message.includes('compiles as an expression')
    ? '; in ingress-nginx nginx -t fails from then on, and no change of any Ingress is loaded'
    : ''
}
