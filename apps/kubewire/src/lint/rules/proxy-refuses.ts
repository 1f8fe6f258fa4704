// What kube-proxy leaves out of a Service or EndpointSlice because it does not parse: said in its log alone.

import { buildRuleset, proxyOptions } from '@kubewire/iptables-gen'
import type { LintFinding, LintRule } from '../lint-rule.ts'

/** The rule. */
export const proxyRefuses: LintRule = {
  id: 'proxy-refuses',
  severity: 'error',
  summary: 'a Service or EndpointSlice holds something that the proxy leaves out',
  docs: 'Addresses, ports and source ranges that do not parse are left out of the rules, the rest is used. A source range that is left out lets fewer clients in, an endpoint that is left out gets no traffic.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec:
  type: LoadBalancer
  loadBalancerSourceRanges: [203.0.113.0/33]
  ports: [{port: 80}]
`,
  check: (snapshot) => {
    const findings = new Map<string, LintFinding>()
    for (const family of [4, 6] as const) {
      const { problems } = buildRuleset(snapshot, proxyOptions({ family, nodeName: '' }))
      for (const { object, path, message, fallback } of problems) {
        findings.set(JSON.stringify([object, path, message]), { object, path, message: `${message}; ${fallback}` })
      }
    }
    return [...findings.values()]
  },
}
