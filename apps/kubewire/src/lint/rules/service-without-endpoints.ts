// A Service nobody is ready behind: its name resolves, connections are refused.

import { sortedObjects } from '@kubewire/kube-model'
import { finding, type LintRule } from '../lint-rule.ts'
import { slicesOf, usableEndpoints } from '../slices-of.ts'

/** The rule. */
export const serviceWithoutEndpoints: LintRule = {
  id: 'service-without-endpoints',
  severity: 'warning',
  summary: 'a Service has no ready endpoint',
  docs: 'The address answers with a refusal (ICMP port unreachable), an Ingress path with 503. The selector matches no ready pod: compare it with the labels of the pods.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {selector: {app: tea}, ports: [{port: 80}]}
`,
  check: (snapshot) =>
    sortedObjects(snapshot.services)
      .filter(({ spec }) => spec?.type !== 'ExternalName' && spec?.clusterIP !== 'None')
      .filter((service) => usableEndpoints(slicesOf(snapshot, service)).length === 0)
      .map((service) => finding(service, 'spec.selector', 'no endpoint is ready: connections to it are refused')),
}
