// What happens to traffic before an endpoint is picked: masquerading on the way to the cluster IP, and KUBE-EXT, which
// carries out the external traffic policy.

import type { Match } from '../../match/registry.ts'
import { type Rule, rule } from '../../ruleset/rule.ts'
import { isExternallyAccessible } from '../categorize-endpoints.ts'
import { clusterChain, externalChain, localChain } from '../chain-names.ts'
import { localTrafficMatch, notLocalTrafficMatch } from '../local-traffic.ts'
import {
  commentOf,
  type OwnSection,
  originOf,
  ownChain,
  type SectionContext,
  toAddress,
  toMarkMasq,
  transport,
} from './section.ts'

/** First rule of the internal dispatch chain: who is masqueraded on the way to the cluster IP. */
export const internalMasqueradeSection: OwnSection = (port, { options }) => {
  const { facts, endpoints, hash } = port
  if (!endpoints.hasInternal || (!options.masqueradeAll && options.detector === undefined)) return []
  const { header, module } = transport(facts.protocol, facts.port)
  const notLocal =
    options.masqueradeAll || options.detector === undefined ? undefined : notLocalTrafficMatch(options.detector)
  return ownChain(facts.isInternalLocal ? localChain(hash) : clusterChain(hash), [
    rule(
      [notLocal, toAddress(facts.clusterIp), header, commentOf(`${facts.id} cluster IP`), module],
      toMarkMasq,
      originOf(port),
    ),
  ])
}

/** KUBE-EXT of one service port. */
export const externalPolicySection: OwnSection = (port, context) => {
  const { facts, endpoints, hash } = port
  if (!endpoints.hasEndpoints || !isExternallyAccessible(facts)) return []
  const origin = originOf(port)
  const before: readonly Rule[] = facts.isExternalLocal
    ? shortCircuits(facts.id, clusterChain(hash), context).map((r) => ({ ...r, origin }))
    : [rule([commentOf(`masquerade traffic for ${facts.id} external destinations`)], toMarkMasq, origin)]
  const target = facts.isExternalLocal ? localChain(hash) : clusterChain(hash)
  const last = endpoints.hasExternal ? [rule([], { kind: 'jump', chain: target }, origin)] : []
  return ownChain(externalChain(hash), [...before, ...last])
}

// Policy Local imitates a trip to a load balancer and back: pods and the node itself may use every endpoint.
function shortCircuits(id: string, cluster: string, { options }: SectionContext): readonly Rule[] {
  const fromLocal: Match = { kind: 'addr-type', source: { type: 'LOCAL' } }
  const toCluster = { kind: 'jump', chain: cluster } as const
  const podTraffic =
    options.detector === undefined
      ? []
      : [rule(header(localTrafficMatch(options.detector), `pod traffic for ${id} external destinations`), toCluster)]
  return [
    ...podTraffic,
    rule([commentOf(`masquerade LOCAL traffic for ${id} external destinations`), fromLocal], toMarkMasq),
    rule([commentOf(`route LOCAL traffic for ${id} external destinations`), fromLocal], toCluster),
  ]
}

function header(match: Match, comment: string): readonly Match[] {
  return [match, commentOf(comment)]
}
