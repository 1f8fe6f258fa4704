// Configuration and node → options of the generator for one family.

import { hash } from 'node:crypto'
import { type LocalDetector, nodePortAddresses, type ProxyOptions, proxyOptions } from '@kubewire/iptables-gen'
import { type Ip, type IpFamily, type Node, parseCidrSloppy, zoneLabel } from '@kubewire/kube-model'
import type { ProxyConfiguration } from './defaults.ts'
import type { NodeIps } from './node-ips.ts'

/** What is known about the node when rules are made. */
export interface NodeFacts {
  readonly nodeName: string
  readonly node: Node | undefined
  readonly nodeIps: NodeIps
  /** What the interfaces carry now. */
  readonly interfaceAddresses: readonly Ip[]
  /** `nf_conntrack_tcp_be_liberal` was set when the proxy started. */
  readonly isTcpLiberal: boolean
  readonly hasNfacct: boolean
}

/** Options of the rule generator for a family. */
export function familyOptions(configuration: ProxyConfiguration, facts: NodeFacts, family: IpFamily): ProxyOptions {
  const { nodeIps, node } = facts
  const resolved = nodePortAddresses(
    configuration.nodePortAddresses,
    family,
    [nodeIps.v4, nodeIps.v6],
    facts.interfaceAddresses,
  )
  const detector = localDetector(configuration, node, family)
  const zone = node?.metadata?.labels?.[zoneLabel]
  return proxyOptions({
    family,
    nodeName: facts.nodeName,
    nodeIp: family === 4 ? nodeIps.v4 : nodeIps.v6,
    masqueradeBit: configuration.masqueradeBit,
    masqueradeAll: configuration.masqueradeAll,
    nodePortAddresses: resolved.addresses,
    localhostNodePorts: family === 4 && configuration.localhostNodePorts && resolved.includesLoopback,
    dropsInvalid: !(facts.isTcpLiberal || configuration.conntrack.tcpBeLiberal),
    nfacct: facts.hasNfacct,
    digest,
    allowsExternalIps: configuration.featureGates['AllowServiceExternalIPs'] !== false,
    ...(detector === undefined ? {} : { detector }),
    ...(zone === undefined ? {} : { zone }),
  })
}

function digest(text: string): string {
  return hash('sha256', text, 'binary')
}

/** The detector of a family; `undefined` when the mode has no prefix for it. */
function localDetector(
  configuration: ProxyConfiguration,
  node: Node | undefined,
  family: IpFamily,
): LocalDetector | undefined {
  switch (configuration.detectLocalMode) {
    case 'BridgeInterface':
      return { kind: 'interface', name: configuration.bridgeInterface }
    case 'InterfaceNamePrefix':
      return { kind: 'interface', name: `${configuration.interfaceNamePrefix}+` }
    case 'NodeCIDR':
      return firstOfFamily(node?.spec?.podCIDRs ?? [], family)
    default:
      return firstOfFamily(configuration.clusterCidrs, family)
  }
}

function firstOfFamily(texts: readonly string[], family: IpFamily): LocalDetector | undefined {
  for (const text of texts) {
    const cidr = parseCidrSloppy(text)
    if (cidr?.family === family) return { kind: 'cidr', cidr }
  }
  return undefined
}
