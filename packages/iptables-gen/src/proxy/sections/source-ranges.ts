// KUBE-FW: which clients may use the load-balancer addresses. What falls through is dropped by KUBE-PROXY-FIREWALL.

import { contains } from '@kubewire/kube-model'
import { rule } from '../../ruleset/rule.ts'
import { externalChain, firewallChain } from '../chain-names.ts'
import { commentOf, fromAddress, type OwnSection, originOf, ownChain } from './section.ts'

/** KUBE-FW of one service port. */
export const sourceRangesSection: OwnSection = (port, { options }) => {
  const { facts, endpoints, hash } = port
  if (!endpoints.hasEndpoints || facts.vips.length === 0 || facts.sourceRanges.length === 0) return []
  const origin = originOf(port)
  const toExternal = { kind: 'jump', chain: externalChain(hash) } as const
  const name = commentOf(`${facts.id} loadbalancer IP`)
  const ranges = facts.sourceRanges.map((cidr) =>
    rule([{ kind: 'source', cidr, asPrefix: true }, name], toExternal, origin),
  )
  // A node in the ranges may reach the address as itself: some load balancers hairpin with the address as source.
  const { nodeIp } = options
  const isNodeAdmitted = nodeIp !== undefined && facts.sourceRanges.some((cidr) => contains(cidr, nodeIp))
  const addresses = isNodeAdmitted ? facts.vips.map((ip) => rule([fromAddress(ip), name], toExternal, origin)) : []
  const last = rule(
    [commentOf(`other traffic to ${facts.id} will be dropped by KUBE-PROXY-FIREWALL`)],
    undefined,
    origin,
  )
  return ownChain(firewallChain(hash), [...ranges, ...addresses, last])
}
