// A headless Service nobody is ready behind: its name has no records (dns: only ready endpoints are published, unless
// the Service says publishNotReadyAddresses).

import { sortedObjects } from '@kubewire/kube-model'
import { finding, type LintRule } from '../lint-rule.ts'
import { readyEndpoints, slicesOf } from '../slices-of.ts'

/** The rule. */
export const headlessWithoutReady: LintRule = {
  id: 'headless-without-ready',
  severity: 'warning',
  summary: 'a headless Service has no ready endpoint',
  docs: 'A headless Service has no address of its own: its name stands for its ready endpoints, and without any it is NXDOMAIN. Members of a StatefulSet that look for each other before they are ready need `publishNotReadyAddresses: true`.',
  example: `apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432}]}
`,
  check: (snapshot) =>
    sortedObjects(snapshot.services)
      .filter(({ spec }) => spec?.clusterIP === 'None' && spec.type !== 'ExternalName')
      .filter((service) => readyEndpoints(slicesOf(snapshot, service)).length === 0)
      .map((service) => finding(service, 'spec.selector', 'no endpoint is ready: its name does not resolve')),
}
