// filter: front ends that nobody serves are rejected; those that nobody serves *here* are dropped, so that a load
// balancer tries another node.

import type { Match } from '../../match/registry.ts'
import { rule } from '../../ruleset/rule.ts'
import { chainNames } from '../chain-names.ts'
import { commentOf, originOf, type PortSection, type PortView, placed, toAddress, transport } from './section.ts'

/** REJECT and DROP rules of one service port. */
export const noEndpointsSection: PortSection = (port) => {
  const { facts, endpoints } = port
  if (endpoints.hasInternal && endpoints.hasExternal) return []
  const toClusterIp = endpoints.hasInternal
    ? []
    : placed('filter', chainNames.services, refusal(port, facts.port, toAddress(facts.clusterIp)))
  if (endpoints.hasExternal) return toClusterIp
  const toAddresses = [...facts.externalIps, ...facts.vips].flatMap((ip) =>
    placed('filter', chainNames.externalServices, refusal(port, facts.port, toAddress(ip))),
  )
  // COMPAT: matches every local address, whatever nodePortAddresses says.
  const toNodePort =
    facts.nodePort === undefined
      ? []
      : placed('filter', chainNames.externalServices, refusal(port, facts.nodePort, undefined))
  return [...toClusterIp, ...toAddresses, ...toNodePort]
}

function refusal(port: PortView, number: number, destination: Match | undefined) {
  const { facts, endpoints } = port
  const { header, module } = transport(facts.protocol, number)
  const why = endpoints.hasEndpoints ? 'has no local endpoints' : 'has no endpoints'
  const isLocal: Match | undefined =
    destination === undefined ? { kind: 'addr-type', destination: { type: 'LOCAL' } } : undefined
  return rule(
    [destination, header, commentOf(`${facts.id} ${why}`), isLocal, module],
    endpoints.hasEndpoints ? { kind: 'drop' } : { kind: 'reject' },
    originOf(port),
  )
}
