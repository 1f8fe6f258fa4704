// Two Services that want one cluster IP: the API server refuses the second, whichever that is.

import { type ObjectRef, printRef, refOf, sortedObjects } from '@kubewire/kube-model'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const duplicateClusterIp: LintRule = {
  id: 'duplicate-cluster-ip',
  severity: 'error',
  summary: 'two Services ask for the same cluster IP',
  docs: 'A cluster IP belongs to one Service. Usually one manifest was copied from `kubectl get -o yaml` with its address: leave `clusterIP` and `clusterIPs` out.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {clusterIP: 10.96.4.4, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: tea-copy, namespace: shop}
spec: {clusterIP: 10.96.4.4, ports: [{port: 80}]}
`,
  check: (snapshot) => {
    const owners = new Map<string, ObjectRef>()
    const findings: LintFinding[] = []
    for (const service of sortedObjects(snapshot.services)) {
      const { clusterIP = '', clusterIPs = [clusterIP] } = service.spec ?? {}
      for (const ip of clusterIPs) {
        if (ip === '' || ip === 'None') continue
        const owner = owners.get(ip)
        if (owner === undefined) owners.set(ip, refOf(service))
        else
          findings.push(
            finding(
              service,
              'spec.clusterIP',
              `${ip} is also that of ${printRef(owner)}: the API server refuses one of them`,
            ),
          )
      }
    }
    return findings
  },
}
