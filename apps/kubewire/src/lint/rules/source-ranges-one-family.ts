// Source ranges of one family on a Service of two: without a range of its family a rule set has no restriction at all.

import { familyOf, sortedObjects } from '@kubewire/kube-model'
import { finding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const sourceRangesOneFamily: LintRule = {
  id: 'source-ranges-one-family',
  severity: 'error',
  summary: 'a dual-stack Service restricts the clients of one address family only',
  docs: 'A list without a prefix of a family is no restriction for that family: a dual-stack Service with IPv4 ranges alone lets every IPv6 client in. Add a range of the other family.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {type: LoadBalancer, ipFamilies: [IPv4, IPv6], loadBalancerSourceRanges: [203.0.113.0/24], ports: [{port: 80}]}
`,
  check: (snapshot) =>
    sortedObjects(snapshot.services).flatMap((service) => {
      const { loadBalancerSourceRanges: ranges = [], ipFamilies = [] } = service.spec ?? {}
      if (ranges.length === 0) return []
      const restricted = new Set(ranges.map((range) => familyOf(range.trim().replace(/\/.*$/, ''))))
      return ipFamilies
        .filter((family) => !restricted.has(family === 'IPv6' ? 6 : 4))
        .map((family) =>
          finding(service, 'spec.loadBalancerSourceRanges', `no range is ${family}: every ${family} client is let in`),
        )
    }),
}
