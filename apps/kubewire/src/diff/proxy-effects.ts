// Where packets go: every front end of every Service port, asked by a pod and from outside, in both families; and what a
// Service port says that no single packet shows: affinity, ranges, policies.

import { buildRuleset, type PortView, simulatePacket } from '@kubewire/iptables-gen'
import {
  type ClusterSnapshot,
  cidrOf,
  familyBits,
  type Ip,
  type IpFamily,
  joinHostPort,
  parseIp,
  printRef,
  refOf,
} from '@kubewire/kube-model'
import { summarizeOutcomes } from '../ask/packet-summary.ts'
import { localAddresses, nodeOf, proxyOptionsOf } from '../input/proxy-input.ts'
import type { Effect } from './effect.ts'
import { flattenValue, nothing } from './flatten-value.ts'

type ProxyValues = Parameters<typeof nodeOf>[1]

/** One effect for each front end and sort of client, and for each policy; without a Node at one without endpoints. */
export function proxyEffects(snapshot: ClusterSnapshot, values: ProxyValues): readonly Effect[] {
  return [
    ...([4, 6] as const).flatMap((family) => familyEffects(snapshot, values, family)),
    ...[...snapshot.services].flatMap((service): Effect[] => {
      const { trafficDistribution: answer } = service.spec ?? {}
      const subject = printRef(refOf(service, 'Service'))
      return answer === undefined ? [] : [{ subject, question: 'spec.trafficDistribution', answer }]
    }),
  ]
}

function familyEffects(snapshot: ClusterSnapshot, values: ProxyValues, family: IpFamily): Effect[] {
  const options = proxyOptionsOf(snapshot, values, family)
  const { ruleset, ports } = buildRuleset(snapshot, options)
  const node = nodeFor(snapshot, values, options.nodeIp, family)
  const podIp = options.detector?.kind === 'cidr' ? options.detector.cidr.address : undefined
  const clients: readonly (readonly [string, Ip | undefined])[] = [
    ['from a pod', podIp],
    ['from outside', parseIp(family === 4 ? '198.51.100.254' : '2001:db8:ffff::fe')],
  ]
  const packets = ports.flatMap((view) =>
    frontEnds(view, node).flatMap(({ ip, port, name }) =>
      clients.flatMap(([from, source]): Effect[] => {
        if (source === undefined) return []
        const protocol = view.facts.protocol.toLowerCase()
        const packet = { entry: 'arriving', protocol, source, destination: ip, destinationPort: port } as const
        return [
          {
            subject: printRef(view.facts.service),
            question: `${protocol} to ${name} ${from}`,
            answer: summarizeOutcomes(simulatePacket(ruleset, packet, node).outcomes),
          },
        ]
      }),
    ),
  )
  return [...packets, ...ports.flatMap((view) => policyEffects(view, family))]
}

interface AskedNode {
  readonly ip: Ip | undefined
  /** After `node port 30080 of`. */
  readonly name: string
  readonly localAddresses: ReturnType<typeof localAddresses>
}

const assumedNodeIps: { readonly [family in IpFamily]: string } = { 4: '192.0.2.254', 6: '2001:db8::fe' }

function nodeFor(snapshot: ClusterSnapshot, values: ProxyValues, nodeIp: Ip | undefined, family: IpFamily): AskedNode {
  const node = nodeOf(snapshot, values)
  const known = localAddresses(node)
  if (node !== undefined) return { ip: nodeIp, name: nodeIp?.text ?? '', localAddresses: known }
  const ip = parseIp(assumedNodeIps[family])
  const own = ip === undefined ? [] : [cidrOf(ip, familyBits(family))]
  return { ip, name: 'a node without endpoints', localAddresses: [...known, ...own] }
}

interface FrontEnd {
  readonly ip: Ip
  readonly port: number
  readonly name: string
}

function frontEnds({ facts }: PortView, node: AskedNode): FrontEnd[] {
  const { clusterIp, externalIps, vips, port, nodePort } = facts
  const atPort = [clusterIp, ...externalIps, ...vips].map((ip) => ({ ip, port, name: joinHostPort(ip.text, port) }))
  if (nodePort === undefined || node.ip === undefined) return atPort
  return [...atPort, { ip: node.ip, port: nodePort, name: `node port ${nodePort} of ${node.name}` }]
}

/** Facts of a Service port as people know them; one that is not here is told by its own name. */
const fieldNames: { readonly [fact: string]: string } = {
  affinitySeconds: 'session affinity of a client address, seconds',
  sourceRanges: 'spec.loadBalancerSourceRanges',
  isExternalLocal: 'spec.externalTrafficPolicy is Local',
  isInternalLocal: 'spec.internalTrafficPolicy is Local',
  healthCheckNodePort: 'spec.healthCheckNodePort',
}

function policyEffects({ facts }: PortView, family: IpFamily): readonly Effect[] {
  // Names and front ends are in the packets' effects.
  const { id, key, service, namespace, serviceName, portName, protocol, ...others } = facts
  const { clusterIp, externalIps, vips, port, nodePort, sourceRanges, ...policies } = others
  const ranges = sourceRanges.map(({ text }) => text)
  const name = portName === '' ? `port ${port}` : `port ${portName}`
  return [...flattenValue({ ...policies, sourceRanges: ranges })].map(([fact, answer]) => ({
    subject: printRef(service),
    place: family === 4 ? name : `${name} over IPv6`,
    question: fieldNames[fact] ?? fact,
    answer,
    isDefault: answer === 'false' || answer === nothing,
  }))
}
