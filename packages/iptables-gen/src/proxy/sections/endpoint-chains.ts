// KUBE-SVC and KUBE-SVL pick an endpoint, KUBE-SEP translates.

import type { Match } from '../../match/registry.ts'
import { type Rule, rule } from '../../ruleset/rule.ts'
import { usesClusterEndpoints, usesLocalEndpoints } from '../categorize-endpoints.ts'
import type { EndpointFacts } from '../endpoint.ts'
import {
  commentOf,
  fromAddress,
  type NamedPort,
  originOf,
  type PortSection,
  placed,
  type SectionContext,
  toMarkMasq,
  transport,
} from './section.ts'
import { affinityCheck, affinitySet } from './session-affinity.ts'

/** Dispatch over the endpoints of policy Cluster. */
export const clusterDispatchSection: PortSection = (port, context) =>
  usesClusterEndpoints(port.facts)
    ? placed('nat', port.chains.cluster, ...dispatch(port, port.endpoints.cluster, context))
    : []

/** Dispatch over local endpoints. */
export const localDispatchSection: PortSection = (port, context) =>
  usesLocalEndpoints(port.facts)
    ? placed('nat', port.chains.local, ...dispatch(port, port.endpoints.local, context))
    : []

/** KUBE-SEP of every reachable endpoint. */
export const endpointChainsSection: PortSection = (port, { isLargeCluster }) => {
  const { facts } = port
  const origin = originOf(port)
  const name = isLargeCluster ? undefined : commentOf(facts.id)
  const { header, module } = transport(facts.protocol)
  return port.endpoints.reachable.flatMap((endpoint) => {
    const chain = port.endpointChain(endpoint.text)
    const remember = facts.affinitySeconds === undefined ? undefined : affinitySet(chain)
    return placed(
      'nat',
      chain,
      // Hairpin: a pod that reaches itself must see another source, or it answers itself directly.
      rule([fromAddress(endpoint.ip), name], toMarkMasq, origin),
      rule([header, name, remember, module], { kind: 'dnat', address: endpoint.ip.text, port: endpoint.port }, origin),
    )
  })
}

function dispatch(port: NamedPort, endpoints: readonly EndpointFacts[], context: SectionContext): readonly Rule[] {
  const { facts } = port
  const origin = originOf(port)
  const rows = endpoints.map((endpoint) => ({
    chain: port.endpointChain(endpoint.text),
    name: context.isLargeCluster ? undefined : commentOf(`${facts.id} -> ${endpoint.text}`),
  }))
  const { affinitySeconds } = facts
  const sticky =
    affinitySeconds === undefined
      ? []
      : rows.map(({ chain, name }) =>
          rule([name, affinityCheck(chain, affinitySeconds)], { kind: 'jump', chain }, origin),
        )
  const spread = rows.map(({ chain, name }, i) => {
    const left = rows.length - i
    const share: Match | undefined = left === 1 ? undefined : { kind: 'statistic', probability: 1 / left }
    return rule([name, share], { kind: 'jump', chain }, origin)
  })
  return [...sticky, ...spread]
}
