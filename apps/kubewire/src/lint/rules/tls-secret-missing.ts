// A Secret that a tls section names and that is not there: clients see the self-signed default certificate.

import { type KubeObject, sortedObjects } from '@kubewire/kube-model'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const tlsSecretMissing: LintRule = {
  id: 'tls-secret-missing',
  severity: 'warning',
  summary: 'an Ingress names a TLS Secret that is not there',
  docs: 'Without the Secret the default certificate is served, which no browser trusts, and HTTP is still redirected to HTTPS. Hosts whose Secret something makes later are left alone: cert-manager annotations, `kubernetes.io/tls-acme`, or a Certificate object with that Secret.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec:
  ingressClassName: nginx
  tls: [{hosts: [shop.example.org], secretName: shop-tls}]
  rules: [{host: shop.example.org}]
`,
  check: (snapshot, objects = []) => {
    const awaited = new Set(objects.flatMap(certificateSecret))
    return sortedObjects(snapshot.ingresses).flatMap((ingress): LintFinding[] => {
      const { namespace, annotations = {} } = ingress.metadata ?? {}
      if (
        Object.keys(annotations).some((key) =>
          /^(?:cert-manager\.io|certmanager\.k8s\.io)\/|^kubernetes\.io\/tls-acme$/.test(key),
        )
      )
        return []
      return (ingress.spec?.tls ?? []).flatMap(({ secretName = '' }, i) =>
        secretName === '' ||
        snapshot.secrets.get(secretName, namespace) !== undefined ||
        awaited.has(`${namespace}/${secretName}`)
          ? []
          : [
              finding(
                ingress,
                `spec.tls[${i}].secretName`,
                `there is no Secret ${namespace}/${secretName}: the default certificate is served`,
              ),
            ],
      )
    })
  },
}

// cert-manager.io/v1 Certificate: `spec.secretName` is what it will write.
function certificateSecret(object: KubeObject): string[] {
  if (object.kind !== 'Certificate') return []
  const { secretName } = (object as { readonly spec?: { readonly secretName?: unknown } }).spec ?? {}
  return typeof secretName === 'string' ? [`${object.metadata?.namespace ?? 'default'}/${secretName}`] : []
}
