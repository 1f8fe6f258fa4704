// externalIPs: every node takes traffic to that address, whoever it belongs to (CVE-2020-8554).

import { sortedObjects } from '@kubewire/kube-model'
import { finding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const externalIpsTaken: LintRule = {
  id: 'external-ips-taken',
  severity: 'warning',
  summary: 'a Service takes addresses for itself by externalIPs',
  docs: 'Nobody checks that the addresses are yours. Pods and nodes that talk to such an address are led to this Service, so whoever may write Services can take over connections (CVE-2020-8554). Source ranges do not guard them either. Prefer a load balancer, or forbid the field by the admission plugin DenyServiceExternalIPs.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {externalIPs: [198.51.100.7], ports: [{port: 80}]}
`,
  check: (snapshot) =>
    sortedObjects(snapshot.services)
      .filter(({ spec }) => (spec?.externalIPs ?? []).length > 0 && spec?.type !== 'ExternalName')
      .map((service) => {
        const addresses = (service.spec?.externalIPs ?? []).join(', ')
        return finding(
          service,
          'spec.externalIPs',
          `every node leads connections to ${addresses} here, whoever owns the address`,
        )
      }),
}
