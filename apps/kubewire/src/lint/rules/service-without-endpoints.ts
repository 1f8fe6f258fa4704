// A Service nobody is ready behind: names resolve, connections are refused.

import { sortedObjects } from '@kubewire/kube-model'
import { finding, type LintRule } from '../lint-rule.ts'
import { readyEndpoints, slicesOf } from '../slices-of.ts'

/** The rule. */
export const serviceWithoutEndpoints: LintRule = {
  id: 'service-without-endpoints',
  severity: 'warning',
  summary: 'a Service has no ready endpoint',
  check: (snapshot) =>
    sortedObjects(snapshot.services)
      .filter(({ spec }) => spec?.type !== 'ExternalName')
      .filter((service) => readyEndpoints(slicesOf(snapshot, service)).length === 0)
      .map((service) => {
        const isHeadless = service.spec?.clusterIP === 'None'
        const what = isHeadless ? 'its name does not resolve' : 'connections to it are refused'
        return finding(service, 'spec.selector', `no endpoint is ready: ${what}`)
      }),
}
