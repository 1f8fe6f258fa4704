// KUBE-SERVICES: the rule that catches traffic to a cluster IP.

import { rule } from '../../ruleset/rule.ts'
import { chainNames, clusterChain, localChain } from '../chain-names.ts'
import { commentOf, originOf, type PortSection, placed, toAddress, transport } from './section.ts'

/** Cluster IP → dispatch chain. */
export const clusterIpSection: PortSection = (port) => {
  const { facts, endpoints, hash } = port
  if (!endpoints.hasInternal) return []
  const { header, module } = transport(facts.protocol, facts.port)
  const chain = facts.isInternalLocal ? localChain(hash) : clusterChain(hash)
  return placed(
    'nat',
    chainNames.services,
    rule(
      [toAddress(facts.clusterIp), header, commentOf(`${facts.id} cluster IP`), module],
      { kind: 'jump', chain },
      originOf(port),
    ),
  )
}
