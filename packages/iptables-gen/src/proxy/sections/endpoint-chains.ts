// KUBE-SVC and KUBE-SVL pick an endpoint, KUBE-SEP translates. Most rules of a cluster are made here.

import type { Match } from '../../match/registry.ts'
import type { Rule } from '../../ruleset/rule.ts'
import { usesClusterEndpoints, usesLocalEndpoints } from '../categorize-endpoints.ts'
import { clusterChain, localChain } from '../chain-names.ts'
import type { EndpointFacts } from '../endpoint.ts'
import {
  commentOf,
  fromAddress,
  type NamedPort,
  type OwnSection,
  originOf,
  ownChain,
  type SectionContext,
  toMarkMasq,
  transport,
} from './section.ts'
import { affinityCheck, affinitySet } from './session-affinity.ts'

const none: readonly Match[] = []

/** Dispatch over the endpoints of policy Cluster. */
export const clusterDispatchSection: OwnSection = (port, context) =>
  usesClusterEndpoints(port.facts)
    ? ownChain(clusterChain(port.hash), dispatch(port, port.endpoints.cluster, context))
    : []

/** Dispatch over local endpoints. */
export const localDispatchSection: OwnSection = (port, context) =>
  usesLocalEndpoints(port.facts) ? ownChain(localChain(port.hash), dispatch(port, port.endpoints.local, context)) : []

/** KUBE-SEP of every reachable endpoint. */
export const endpointChainsSection: OwnSection = (port, { isLargeCluster }) => {
  const { facts, endpoints } = port
  const origin = originOf(port)
  const { header, module } = transport(facts.protocol)
  const comment = isLargeCluster ? none : [commentOf(facts.id)]
  const before = [header, ...comment]
  const plain: readonly Match[] = [...before, module]
  const names = port.chainsOf(endpoints.reachable)
  return endpoints.reachable.map((endpoint, i) => {
    const name = names[i] as string
    const matches = facts.affinitySeconds === undefined ? plain : [...before, affinitySet(name), module]
    return {
      name,
      rules: [
        // Hairpin: a pod that reaches itself must see another source, or it answers itself directly.
        { matches: [fromAddress(endpoint.ip), ...comment], target: toMarkMasq, origin },
        { matches, target: { kind: 'dnat', address: endpoint.ip.text, port: endpoint.port }, origin },
      ],
    }
  })
}

function dispatch(port: NamedPort, endpoints: readonly EndpointFacts[], context: SectionContext): readonly Rule[] {
  const { facts } = port
  const { affinitySeconds } = facts
  const origin = originOf(port)
  const rows = port.chainsOf(endpoints).map((chain, i) => ({
    target: { kind: 'jump', chain } as const,
    comment: context.isLargeCluster ? none : [commentOf(`${facts.id} -> ${endpoints[i]?.text}`)],
  }))
  const spread = rows.map(({ target, comment }, i): Rule => {
    const share = shareOf(rows.length - i)
    return { matches: comment.length === 0 ? share : [...comment, ...share], target, origin }
  })
  if (affinitySeconds === undefined) return spread
  const sticky = rows.map(({ target, comment }): Rule => {
    return { matches: [...comment, affinityCheck(target.chain, affinitySeconds)], target, origin }
  })
  return [...sticky, ...spread]
}

// Rules are values that never change, so those of many Services may share them.
const shares: readonly (readonly Match[])[] = Array.from({ length: 33 }, (_, left) => makeShare(left))

/** Takes one of `left` that are still to choose from; the last one takes all. */
function shareOf(left: number): readonly Match[] {
  return shares[left] ?? makeShare(left)
}

function makeShare(left: number): readonly Match[] {
  return left < 2 ? none : [{ kind: 'statistic', probability: 1 / left }]
}
