// A TLS Secret that is there and still cannot serve its host: no certificate, another key, another name.

import { printRef } from '@kubewire/kube-model'
import type { LintRule } from '../lint-rule.ts'
import { translationOf } from '../translation-of.ts'

/** The rule. */
export const tlsCertificateUnusable: LintRule = {
  id: 'tls-certificate-unusable',
  severity: 'error',
  summary: 'a TLS Secret cannot serve the host that names it',
  docs: 'The controller looks into the certificate: its key must fit and its names must cover the host (a wildcard covers one label; the common name counts only where there are no other names). Otherwise it serves the default certificate and says so in its log alone.',
  example: `apiVersion: v1
kind: Secret
metadata: {name: shop-tls, namespace: shop}
type: kubernetes.io/tls
data: {tls.crt: "", tls.key: ""}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec:
  ingressClassName: nginx
  tls: [{hosts: [shop.example.org], secretName: shop-tls}]
  rules: [{host: shop.example.org}]
`,
  check: (snapshot) => {
    const isMissing = (message: string): boolean => {
      const [, namespace = '', name = ''] = /^Secret ([^/]+)\/(\S+) /.exec(message) ?? []
      return snapshot.secrets.get(name, namespace) === undefined
    }
    return translationOf(snapshot)
      .problems.filter(({ code, message }) => code === 'NGX_CERTIFICATE' && !isMissing(message))
      .sort((a, b) => (printRef(a.object) < printRef(b.object) ? -1 : 1))
      .map(({ object, path, message, fallback }) => ({ object, path, message: `${message}; ${fallback}` }))
  },
}
