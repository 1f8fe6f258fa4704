// One packet as a person asks for it: from a place to a place. Pure: the command and the browser page ask alike.

import type { Packet } from '@kubewire/iptables-gen'
import { type ClusterSnapshot, contains, type Ip, type Node, parseCidr, sortedObjects } from '@kubewire/kube-model'
import { UsageError } from '../exit-code.ts'
import { localAddresses, nodeNetworks } from '../input/proxy-input.ts'
import { parsePlace } from './proxy-place.ts'

/** What is asked; places as `parsePlace` reads them. */
export interface PacketQuestion {
  readonly from: string
  readonly to: string
  /** Empty: that of the Service port, else tcp. */
  readonly protocol: string
}

/**
 * The packet, as the rules of `node` meet it first.
 *
 * @throws UsageError when a place is none, or the two have no family in common
 */
export function packetOf(question: PacketQuestion, snapshot: ClusterSnapshot, node: Node | undefined): Packet {
  if (question.from.startsWith('service/')) {
    throw new UsageError(
      'expected --from with an address, pod/NAMESPACE/NAME or node/NAME, found a Service: no packet comes from one',
    )
  }
  const protocol = question.protocol.toLowerCase()
  if (!['', 'tcp', 'udp', 'sctp'].includes(protocol)) {
    throw new UsageError(`expected --protocol tcp, udp or sctp, found ${JSON.stringify(question.protocol)}`)
  }
  const from = parsePlace(question.from, snapshot)
  const to = parsePlace(question.to, snapshot)
  if (from.ip.family !== to.ip.family) {
    throw new UsageError(`expected two addresses of one family, found ${from.ip.text} and ${to.ip.text}`)
  }
  const isLocal = localAddresses(node).some((cidr) => contains(cidr, from.ip))
  return {
    entry: isLocal ? 'local' : 'arriving',
    protocol: protocol === '' ? (to.protocol ?? 'tcp') : protocol,
    source: from.ip,
    destination: to.ip,
    ...(from.port === undefined ? {} : { sourcePort: from.port }),
    ...(to.port === undefined ? {} : { destinationPort: to.port }),
  }
}

/**
 * Whose rules decide about a packet, as far as its ends say: the node that it goes to, else the node that it comes from or
 * on which the pod runs, or whose address or pod network it comes from; empty when they do not say.
 */
export function nodeAsked({ from, to }: PacketQuestion, snapshot: ClusterSnapshot): string {
  const { nodes, pods } = snapshot
  const [, name = ''] = /^node\/([^:]+)/.exec(to) ?? /^node\/([^:]+)/.exec(from) ?? []
  if (name !== '') return name
  const [, namespace = '', pod = ''] = /^pod\/([^/]+)\/(.+)$/.exec(from) ?? []
  const { nodeName = '' } = pods.get(pod, namespace)?.spec ?? {}
  if (nodes.get(nodeName) !== undefined) return nodeName
  const source = parsePlace(from, snapshot).ip
  const owner = sortedObjects(nodes).find((node) => isOnNode(source, node))
  return owner?.metadata?.name ?? ''
}

/** Whether an address is the node's own, or one that it gives to pods. */
function isOnNode(ip: Ip, node: Node): boolean {
  const { podCIDR, podCIDRs = podCIDR === undefined ? [] : [podCIDR] } = node.spec ?? {}
  const networks = podCIDRs.map(parseCidr).filter((cidr) => cidr !== undefined)
  return [...nodeNetworks(node), ...networks].some((cidr) => contains(cidr, ip))
}
