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
  check: (snapshot) =>
    sortedObjects(snapshot.services).flatMap((service) => {
      const slices = slicesOf(snapshot, service).filter(({ endpoints = [] }) => endpoints.length > 0)
      const names = new Set(slices.flatMap(({ ports = [] }) => ports.map(({ name = '' }) => name)))
      if (slices.length === 0 || service.spec?.clusterIP === 'None') return []
      return (service.spec?.ports ?? []).flatMap(({ name = '' }, i) =>
        names.has(name)
          ? []
          : [
              finding(
                service,
                `spec.ports[${i}].name`,
                `no endpoint has a port called "${name}": nothing answers there`,
              ),
            ],
      )
    }),
}
