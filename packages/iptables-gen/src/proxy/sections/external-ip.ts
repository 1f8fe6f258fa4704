// KUBE-SERVICES: the rules that catch traffic to external IPs.

import { rule } from '../../ruleset/rule.ts'
import { chainNames, externalChain } from '../chain-names.ts'
import { commentOf, originOf, type PortSection, placed, toAddress, transport } from './section.ts'

/** External IPs → KUBE-EXT. */
export const externalIpSection: PortSection = (port) => {
  const { facts, endpoints, hash } = port
  if (!endpoints.hasEndpoints || facts.externalIps.length === 0) return []
  const { header, module } = transport(facts.protocol, facts.port)
  return facts.externalIps.flatMap((ip) =>
    placed(
      'nat',
      chainNames.services,
      rule(
        [toAddress(ip), header, commentOf(`${facts.id} external IP`), module],
        { kind: 'jump', chain: externalChain(hash) },
        originOf(port),
      ),
    ),
  )
}
