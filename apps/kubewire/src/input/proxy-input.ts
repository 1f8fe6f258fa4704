// What the proxy commands share: the node's view (`--node`, `--cluster-cidr`) and the addresses people name.

import { type LocalDetector, type ProxyOptions, proxyOptions } from '@kubewire/iptables-gen'
import {
  type Cidr,
  type ClusterSnapshot,
  cidrOf,
  familyBits,
  type Ip,
  type IpFamily,
  type Node,
  parseCidr,
  parseIp,
  sortedObjects,
  zoneLabel,
} from '@kubewire/kube-model'
import { UsageError } from '../exit-code.ts'

/** The flags of every proxy command. */
export const proxyFlags = {
  node: {
    kind: 'string',
    default: '',
    help: 'name of the node whose rules these are; default: the first Node, if any',
  },
  'cluster-cidr': {
    kind: 'list',
    default: [],
    help: 'networks of pods that are not masqueraded; default: the pod network of the node',
  },
  'masquerade-all': { kind: 'bool', default: false, help: 'masquerade everything sent to a cluster IP' },
} as const

/** The values of `proxyFlags`. */
export interface ProxyValues {
  readonly node: string
  readonly 'cluster-cidr': readonly string[]
  readonly 'masquerade-all': boolean
}

/**
 * Says that `--node` names no Node.
 *
 * @throws UsageError when there are Nodes and none of them is meant; where there is none, only endpoints know the name
 */
export function checkNode(snapshots: readonly ClusterSnapshot[], { node }: ProxyValues): void {
  const known = [...new Set(snapshots.flatMap(({ nodes }) => [...nodes].map(({ metadata }) => metadata?.name ?? '')))]
  if (node === '' || known.length === 0 || known.includes(node)) return
  throw new UsageError(`expected --node with one of ${known.sort().join(', ')}, found ${JSON.stringify(node)}`)
}

/** The Node that the rules are for; `undefined` when there is none of the name. */
export function nodeOf(snapshot: ClusterSnapshot, values: ProxyValues): Node | undefined {
  return values.node === '' ? sortedObjects(snapshot.nodes)[0] : snapshot.nodes.get(values.node)
}

/**
 * Options of the generator for one family.
 *
 * @throws UsageError when `--cluster-cidr` holds no network
 */
export function proxyOptionsOf(snapshot: ClusterSnapshot, values: ProxyValues, family: IpFamily): ProxyOptions {
  const node = nodeOf(snapshot, values)
  const zone = node?.metadata?.labels?.[zoneLabel]
  const detector = detectorOf(node, values, family)
  const nodeIp = nodeAddresses(node).find((ip) => ip.family === family)
  return proxyOptions({
    family,
    nodeName: node?.metadata?.name ?? values.node,
    masqueradeAll: values['masquerade-all'],
    ...(zone === undefined ? {} : { zone }),
    ...(nodeIp === undefined ? {} : { nodeIp }),
    ...(detector === undefined ? {} : { detector }),
  })
}

/** Addresses of the machine that runs the rules: loopback, and those of its Node. */
export function localAddresses(node: Node | undefined): Cidr[] {
  const loopback = ['127.0.0.0/8', '::1/128'].map(parseCidr).filter((cidr) => cidr !== undefined)
  return [...loopback, ...nodeNetworks(node)]
}

/** The addresses of a Node, each as a network of one. */
export function nodeNetworks(node: Node | undefined): Cidr[] {
  return nodeAddresses(node).map((ip) => cidrOf(ip, familyBits(ip.family)))
}

function nodeAddresses(node: Node | undefined): Ip[] {
  return (node?.status?.addresses ?? []).map(({ address }) => parseIp(address)).filter((ip) => ip !== undefined)
}

function detectorOf(node: Node | undefined, values: ProxyValues, family: IpFamily): LocalDetector | undefined {
  const given = values['cluster-cidr']
  const { podCIDR, podCIDRs = podCIDR === undefined ? [] : [podCIDR] } = node?.spec ?? {}
  const cidrs = (given.length > 0 ? given : podCIDRs).map((text) => {
    const cidr = parseCidr(text)
    if (cidr === undefined)
      throw new UsageError(`expected a network such as 10.244.0.0/16, found ${JSON.stringify(text)}`)
    return cidr
  })
  const cidr = cidrs.find((candidate) => candidate.family === family)
  return cidr === undefined ? undefined : { kind: 'cidr', cidr }
}
