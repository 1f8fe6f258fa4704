// externalTrafficPolicy or internalTrafficPolicy Local: a node without a ready endpoint of its own drops the packets
// (KEP-1669, KEP-2086), shown by sending one to each node's rules.

import { buildRuleset, proxyOptions, simulatePacket } from '@kubewire/iptables-gen'
import {
  type ClusterSnapshot,
  cidrOf,
  familyBits,
  type Ip,
  type Node,
  parseIp,
  type Service,
  snapshotOf,
  sortedObjects,
} from '@kubewire/kube-model'
import { finding, type LintFinding, type LintRule } from '../lint-rule.ts'
import { slicesOf } from '../slices-of.ts'

/** The rule. */
export const localPolicyBlackhole: LintRule = {
  id: 'local-policy-blackhole',
  severity: 'warning',
  summary: 'a traffic policy of Local drops packets on nodes without an endpoint',
  docs: 'With `externalTrafficPolicy: Local` a node port answers only where a ready endpoint runs; a load balancer must ask `healthCheckNodePort`. With `internalTrafficPolicy: Local` the pods of a node reach only the endpoints of that node. Run the pods on every node that gets traffic (DaemonSet, topology spread), or use Cluster.',
  example: `apiVersion: v1
kind: Node
metadata: {name: node-1}
status: {addresses: [{type: InternalIP, address: 192.0.2.11}]}
---
apiVersion: v1
kind: Node
metadata: {name: node-2}
status: {addresses: [{type: InternalIP, address: 192.0.2.12}]}
---
apiVersion: v1
kind: Pod
metadata: {name: tea, namespace: shop, labels: {app: tea}}
spec: {nodeName: node-1}
status: {podIP: 10.244.1.11}
---
apiVersion: v1
kind: Service
metadata: {name: tea, namespace: shop}
spec:
  type: NodePort
  externalTrafficPolicy: Local
  selector: {app: tea}
  ports: [{port: 80, nodePort: 30080}]
`,
  check: (snapshot) => sortedObjects(snapshot.services).flatMap((service) => checkService(snapshot, service)),
}

function checkService(snapshot: ClusterSnapshot, service: Service): LintFinding[] {
  const { externalTrafficPolicy, internalTrafficPolicy, ports = [], clusterIP = '' } = service.spec ?? {}
  if (externalTrafficPolicy !== 'Local' && internalTrafficPolicy !== 'Local') return []
  const slices = slicesOf(snapshot, service)
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? [])
  // Endpoints that nobody has placed yet say nothing about nodes; without any endpoint another rule speaks.
  if (endpoints.length === 0 || endpoints.some(({ nodeName }) => nodeName === undefined)) return []
  const alone = snapshotOf([service, ...slices])
  const nodes = sortedObjects(snapshot.nodes)
  const dropping = (destinationOf: (node: Node) => Ip | undefined, port: number, entry: 'arriving' | 'local'): string =>
    nodes
      .filter((node) => drops(alone, node, destinationOf(node), port, entry))
      .map(({ metadata }) => metadata?.name)
      .join(', ')
  const findings: LintFinding[] = []
  const [first] = ports.filter(({ protocol = 'TCP' }) => protocol === 'TCP')
  if (first === undefined) return []
  if (externalTrafficPolicy === 'Local' && first.nodePort !== undefined) {
    const names = dropping(addressOf, first.nodePort, 'arriving')
    if (names !== '')
      findings.push(
        finding(
          service,
          'spec.externalTrafficPolicy',
          `node port ${first.nodePort} is dropped on ${names}: no ready endpoint there`,
        ),
      )
  }
  if (internalTrafficPolicy === 'Local') {
    const names = dropping(() => parseIp(clusterIP), first.port, 'local')
    if (names !== '')
      findings.push(
        finding(
          service,
          'spec.internalTrafficPolicy',
          `its cluster IP is dropped on ${names}: no ready endpoint there`,
        ),
      )
  }
  return findings
}

function drops(
  snapshot: ClusterSnapshot,
  node: Node,
  destination: Ip | undefined,
  port: number,
  entry: 'arriving' | 'local',
): boolean {
  const nodeIp = addressOf(node)
  const source = parseIp(destination?.family === 6 ? '2001:db8:ffff::fe' : '198.51.100.254')
  if (destination === undefined || source === undefined) return false
  const { family } = destination
  const options = proxyOptions({
    family,
    nodeName: node.metadata?.name ?? '',
    ...(nodeIp?.family === family ? { nodeIp } : {}),
  })
  const machine = { localAddresses: nodeIp === undefined ? [] : [cidrOf(nodeIp, familyBits(nodeIp.family))] }
  const packet = {
    entry,
    protocol: 'tcp',
    source: entry === 'local' ? (nodeIp ?? source) : source,
    destination,
    destinationPort: port,
  }
  const { outcomes } = simulatePacket(buildRuleset(snapshot, options).ruleset, packet, machine)
  return outcomes.every(({ verdict }) => verdict === 'drop')
}

function addressOf(node: Node): Ip | undefined {
  return parseIp(node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '')
}
