// A dual-stack Service whose endpoints are all of one family: clients of the other family are refused.

import { type IpFamily, parseIp, type Service, sortedObjects } from '@kubewire/kube-model'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'
import { slicesOf, usableEndpoints } from '../slices-of.ts'

/** The rule. */
export const familyWithoutEndpoints: LintRule = {
  id: 'family-without-endpoints',
  severity: 'warning',
  summary: 'a Service has an address of a family in which it has no endpoint',
  docs: 'Its name resolves to both addresses, and clients choose: those that choose the family without endpoints are refused (ICMP port unreachable). Give the pods addresses of both families, or set `ipFamilyPolicy: SingleStack`.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec:
  clusterIP: 10.96.4.4
  clusterIPs: [10.96.4.4, "2001:db8::4"]
  ipFamilies: [IPv4, IPv6]
  ipFamilyPolicy: PreferDualStack
  ports: [{port: 80}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: tea-1, namespace: shop, labels: {kubernetes.io/service-name: tea}}
addressType: IPv4
ports: [{port: 8080}]
endpoints: [{addresses: [10.244.1.11]}]
`,
  check: (snapshot) =>
    sortedObjects(snapshot.services).flatMap((service): LintFinding[] => {
      const slices = slicesOf(snapshot, service)
      const served = ([4, 6] as const).filter(
        (family) => usableEndpoints(slices.filter(({ addressType }) => addressType === `IPv${family}`)).length > 0,
      )
      const [only] = served
      if (only === undefined || served.length > 1) return []
      return familiesOf(service)
        .filter((family) => family !== only)
        .map((family) =>
          finding(service, 'spec.ipFamilies', `no endpoint is IPv${family}: IPv${family} clients are refused`),
        )
    }),
}

function familiesOf({ spec = {} }: Service): readonly IpFamily[] {
  const texts = spec.clusterIPs ?? [spec.clusterIP ?? '']
  const families = texts.flatMap((text) => parseIp(text)?.family ?? [])
  return [...new Set(families)]
}
