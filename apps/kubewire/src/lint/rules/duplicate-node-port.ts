// Two Services that want one node port: the API server refuses the second, whichever that is.

import { type ObjectRef, printRef, refOf, sortedObjects } from '@kubewire/kube-model'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const duplicateNodePort: LintRule = {
  id: 'duplicate-node-port',
  severity: 'error',
  summary: 'two Services ask for the same node port',
  docs: 'A node port belongs to one Service of the whole cluster. Leave `nodePort` out and let the API server choose, or pick another one.',
  example: `apiVersion: v1
kind: Service
metadata: {name: milk, namespace: shop}
spec: {type: NodePort, ports: [{port: 80, nodePort: 30080}]}
---
apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {type: NodePort, ports: [{port: 80, nodePort: 30080}]}
`,
  check: (snapshot) => {
    const owners = new Map<string, ObjectRef>()
    const findings: LintFinding[] = []
    for (const service of sortedObjects(snapshot.services)) {
      for (const [i, { nodePort, protocol = 'TCP' }] of (service.spec?.ports ?? []).entries()) {
        if (nodePort === undefined) continue
        const owner = owners.get(`${protocol} ${nodePort}`)
        if (owner === undefined) owners.set(`${protocol} ${nodePort}`, refOf(service))
        else {
          const message = `node port ${nodePort} is also that of ${printRef(owner)}: the API server refuses one of them`
          findings.push(finding(service, `spec.ports[${i}].nodePort`, message))
        }
      }
    }
    return findings
  },
}
