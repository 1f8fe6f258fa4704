// Two Ingresses bring different certificates for one host: the older one's is served to everybody.

import { type Ingress, printRef, refOf } from '@kubewire/kube-model'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'
import { oldestFirst } from '../oldest-first.ts'

/** The rule. */
export const tlsSecretConflict: LintRule = {
  id: 'tls-secret-conflict',
  severity: 'warning',
  summary: 'two Ingresses name different TLS Secrets for one host',
  docs: 'A host has one certificate. The oldest Ingress with a tls section decides, the Secret of the other one is never shown, and deleting the old Ingress swaps the certificate.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: a, namespace: shop, annotations: {cert-manager.io/issuer: example}}
spec:
  ingressClassName: nginx
  tls: [{hosts: [shop.example.org], secretName: one}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: b, namespace: shop, annotations: {cert-manager.io/issuer: example}}
spec:
  ingressClassName: nginx
  tls: [{hosts: [shop.example.org], secretName: two}]
`,
  check: (snapshot) => {
    const owners = new Map<string, { readonly ingress: Ingress; readonly secret: string }>()
    const findings: LintFinding[] = []
    for (const ingress of oldestFirst(snapshot.ingresses)) {
      for (const [i, { hosts = [], secretName = '' }] of (ingress.spec?.tls ?? []).entries()) {
        const secret = `${ingress.metadata?.namespace}/${secretName}`
        for (const host of secretName === '' ? [] : hosts) {
          const owner = owners.get(host) ?? { ingress, secret }
          owners.set(host, owner)
          if (owner.secret === secret) continue
          const message = `${host} shows the certificate of Secret ${owner.secret}, which the older ${printRef(refOf(owner.ingress, 'Ingress'))} names`
          findings.push(finding(ingress, `spec.tls[${i}].secretName`, message))
        }
      }
    }
    return findings
  },
}
