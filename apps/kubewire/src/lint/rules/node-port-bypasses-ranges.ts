// Source ranges guard the load balancer's address only: whoever reaches a node walks in through the node port
// (kube-proxy: the KUBE-FW chain stands before load-balancer addresses, not before node ports).

import { sortedObjects } from '@kubewire/kube-model'
import { finding, type LintRule } from '../lint-rule.ts'

/** The rule. */
export const nodePortBypassesRanges: LintRule = {
  id: 'node-port-bypasses-ranges',
  severity: 'warning',
  summary: 'loadBalancerSourceRanges are set while node ports stay open',
  docs: '`loadBalancerSourceRanges` guards the addresses of the load balancer. The node ports that it is built on have no such guard. Set `allocateLoadBalancerNodePorts: false` where the load balancer does without them, or keep clients away from the nodes.',
  example: `apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec: {type: LoadBalancer, loadBalancerSourceRanges: [203.0.113.0/24], ports: [{port: 80, nodePort: 30080}]}
`,
  check: (snapshot) =>
    sortedObjects(snapshot.services)
      .filter(({ spec }) => spec?.type === 'LoadBalancer' && (spec.loadBalancerSourceRanges ?? []).length > 0)
      .filter(({ spec }) => (spec?.ports ?? []).some(({ nodePort }) => nodePort !== undefined))
      .map((service) =>
        finding(
          service,
          'spec.loadBalancerSourceRanges',
          'the node ports are open to everybody who reaches a node; allocateLoadBalancerNodePorts: false closes them',
        ),
      ),
}
