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

const none: readonly Match[] = []

function dispatch(port: NamedPort, endpoints: readonly EndpointFacts[], context: SectionContext): readonly Rule[] {
  const { facts } = port
  const { affinitySeconds } = facts
  const origin = originOf(port)
  const chains = port.chainsOf(endpoints)
  const comments = context.isLargeCluster
    ? undefined
    : endpoints.map((endpoint) => [commentOf(`${facts.id} -> ${endpoint.text}`)])
  const rules: Rule[] = []
  if (affinitySeconds !== undefined)
    for (const [i, chain] of chains.entries())
      rules.push({
        matches: [...(comments?.[i] ?? none), affinityCheck(chain, affinitySeconds)],
        target: { kind: 'jump', chain },
        origin,
      })
  for (const [i, chain] of chains.entries()) {
    const comment = comments?.[i] ?? none
    const left = chains.length - i
    const matches = left === 1 ? comment : [...comment, shareOf(left)]
    rules.push({ matches, target: { kind: 'jump', chain }, origin })
  }
  return rules
}

// Rules are values that never change, so those of many Services may share them.
const shares: readonly Match[] = Array.from({ length: 33 }, (_, left) => makeShare(left))

function makeShare(left: number): Match {
  return { kind: 'statistic', probability: 1 / left }
}

/** One of `left` that are still to choose from. */
function shareOf(left: number): Match {
  return shares[left] ?? makeShare(left)
}
