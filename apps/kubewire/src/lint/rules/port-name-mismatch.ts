// A Service port whose name no slice has: endpoints are there, the port reaches none of them (kube-proxy and
// ingress-nginx join both by name).

import { sortedObjects } from '@kubewire/kube-model'
import { finding, type LintRule } from '../lint-rule.ts'
import { slicesOf } from '../slices-of.ts'

/** The rule. */
export const portNameMismatch: LintRule = {
  id: 'port-name-mismatch',
  severity: 'error',
  summary: 'a Service port has a name that its EndpointSlices do not have',
  docs: 'Service ports and EndpointSlice ports are joined by name. A `targetPort` by name that the containers do not have, or a slice written by hand with another name, leaves the port without endpoints.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {ports: [{name: http, port: 80}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: tea-1, namespace: shop, labels: {kubernetes.io/service-name: tea}}
addressType: IPv4
ports: [{name: web, port: 8080}]
endpoints: [{addresses: [10.244.1.11]}]
`,
  check: (snapshot) =>
    sortedObjects(snapshot.services).flatMap((service) => {
      const slices = slicesOf(snapshot, service).filter(({ endpoints = [] }) => endpoints.length > 0)
      const names = new Set(slices.flatMap(({ ports = [] }) => ports.map(({ name = '' }) => name)))
      if (slices.length === 0 || service.spec?.clusterIP === 'None') return []
      return (service.spec?.ports ?? []).flatMap(({ name = '', port, targetPort }, i) => {
        if (names.has(name)) return []
        // Endpoints are made from what containers name; a slice by hand has names of its own.
        return typeof targetPort === 'string'
          ? [
              finding(
                service,
                `spec.ports[${i}].targetPort`,
                `no container names a port "${targetPort}": nothing answers on port ${port}`,
              ),
            ]
          : [
              finding(
                service,
                `spec.ports[${i}].name`,
                `no endpoint has a port called "${name}": nothing answers there`,
              ),
            ]
      })
    }),
}
