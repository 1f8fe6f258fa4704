// KUBE-SERVICES: the rules that catch traffic to load-balancer addresses; with source ranges they lead to KUBE-FW, and
// what KUBE-FW does not admit is dropped in the filter table.

import { rule } from '../../ruleset/rule.ts'
import { chainNames, externalChain, firewallChain } from '../chain-names.ts'
import { commentOf, originOf, type PortSection, placed, toAddress, transport } from './section.ts'

/** Load-balancer addresses → KUBE-EXT or KUBE-FW. */
export const loadBalancerSection: PortSection = (port) => {
  const { facts, endpoints, hash } = port
  if (!endpoints.hasEndpoints || facts.vips.length === 0) return []
  const { header, module } = transport(facts.protocol, facts.port)
  const isGuarded = facts.sourceRanges.length > 0
  return facts.vips.flatMap((ip) => [
    ...placed(
      'nat',
      chainNames.services,
      rule(
        [toAddress(ip), header, commentOf(`${facts.id} loadbalancer IP`), module],
        { kind: 'jump', chain: isGuarded ? firewallChain(hash) : externalChain(hash) },
        originOf(port),
      ),
    ),
    ...(isGuarded
      ? placed(
          'filter',
          chainNames.proxyFirewall,
          rule(
            [toAddress(ip), header, commentOf(`${facts.id} traffic not accepted by ${firewallChain(hash)}`), module],
            { kind: 'drop' },
            originOf(port),
          ),
        )
      : []),
  ])
}
