// What one service port adds to the table: chains, elements of the shared maps and sets, affinity sets.

import { cidrOf, contains, familyBits } from '@kubewire/kube-model'
import { isExternallyAccessible, usesClusterEndpoints, usesLocalEndpoints } from '../proxy/categorize-endpoints.ts'
import type { EndpointFacts } from '../proxy/endpoint.ts'
import type { PortView } from '../proxy/sections/section.ts'
import { nftEndpointName, nftServiceName } from './names.ts'
import type { NftOptions } from './nft-options.ts'
import { localTraffic } from './static-chains.ts'
import type { Condition, NftChain, NftElement, NftRule, NftSet, Verdict } from './table.ts'

/** An element and the map it goes to. */
export interface PlacedElement {
  readonly map: string
  readonly element: NftElement
}

/** What belongs to one service port alone. */
export interface OwnParts {
  /** Each after those that it goes to. */
  readonly chains: readonly NftChain[]
  readonly affinitySets: readonly NftSet[]
}

/** The chains and affinity sets of one service port. */
export function ownParts(port: PortView, options: NftOptions): OwnParts {
  return {
    chains: [
      ...endpointChains(port),
      ...dispatchChains(port),
      ...externalChain(port, options),
      ...firewallChain(port, options),
    ],
    affinitySets: affinitySets(port),
  }
}

/** What one service port puts into the maps that all share. Two ports may want the same key. */
export function sharedElements(port: PortView): readonly PlacedElement[] {
  return [...served(port), ...unserved(port)]
}

/** What one service port puts into the sets that all share, by set; others may put the same. */
export function sharedMembers(port: PortView): readonly (readonly [set: string, member: string])[] {
  const members: (readonly [string, string])[] = [['cluster-ips', port.facts.clusterIp.text]]
  for (const endpoint of port.endpoints.reachable)
    if (endpoint.isLocal) members.push(['hairpin-connections', hairpin(port, endpoint)])
  return members
}

function hairpin({ facts }: PortView, { ip, port }: EndpointFacts): string {
  return `${ip.text} . ${ip.text} . ${facts.protocol.toLowerCase()} . ${port}`
}

function protocolOf({ facts }: PortView): string {
  return facts.protocol.toLowerCase()
}

function goto(chain: string): Verdict {
  return { kind: 'goto', chain }
}

function dispatchChains(port: PortView): readonly NftChain[] {
  const name = nftServiceName(port.facts)
  const { cluster, local } = port.endpoints
  return [
    ...(usesClusterEndpoints(port.facts) && cluster.length > 0
      ? [{ name: `service-${name}`, rules: dispatch(port, cluster) }]
      : []),
    ...(usesLocalEndpoints(port.facts) && local.length > 0
      ? [{ name: `local-${name}`, rules: dispatch(port, local) }]
      : []),
  ]
}

function dispatch(port: PortView, endpoints: readonly EndpointFacts[]): readonly NftRule[] {
  const { facts } = port
  if (facts.affinitySeconds === undefined) {
    const to = endpoints.map(({ ip, port: number }) => ({ address: ip.text, port: number }))
    return [{ when: [{ kind: 'protocol', protocol: protocolOf(port) }], action: { kind: 'translate', to } }]
  }
  const names = endpoints.map(({ ip, port: number }) => nftEndpointName(facts, ip.text, number))
  const sticky = names.map(
    (name): NftRule => ({
      when: [{ kind: 'in-set', fields: ['saddr'], set: `affinity-${name}` }],
      action: { kind: 'verdict', verdict: goto(`endpoint-${name}`) },
    }),
  )
  return [...sticky, { when: [], action: { kind: 'pick', chains: names.map((name) => `endpoint-${name}`) } }]
}

function externalChain(port: PortView, { detector, masqueradeBit }: NftOptions): readonly NftChain[] {
  const { facts, endpoints } = port
  if (!endpoints.hasEndpoints || !isExternallyAccessible(facts)) return []
  const name = nftServiceName(facts)
  const toCluster = { kind: 'verdict', verdict: goto(`service-${name}`) } as const
  const fromNode: Condition = { kind: 'local-address', field: 'saddr' }
  const mark = 2 ** masqueradeBit
  const rules: readonly NftRule[] = facts.isExternalLocal
    ? [
        ...(detector === undefined
          ? []
          : [{ when: [localTraffic(detector)], action: toCluster, comment: 'short-circuit pod traffic' }]),
        { when: [fromNode], action: { kind: 'mark', mark }, comment: 'masquerade local traffic' },
        { when: [fromNode], action: toCluster, comment: 'short-circuit local traffic' },
        ...(endpoints.hasExternal
          ? [{ when: [], action: { kind: 'verdict', verdict: goto(`local-${name}`) } as const }]
          : []),
      ]
    : [
        { when: [], action: { kind: 'mark', mark }, comment: 'masquerade' },
        { when: [], action: toCluster },
      ]
  return [{ name: `external-${name}`, rules }]
}

// Checked before DNAT, and also without endpoints.
function firewallChain({ facts }: PortView, { nodeIp }: NftOptions): readonly NftChain[] {
  if (facts.vips.length === 0 || facts.sourceRanges.length === 0) return []
  const isNodeAdmitted = nodeIp !== undefined && facts.sourceRanges.some((cidr) => contains(cidr, nodeIp))
  const vips = isNodeAdmitted ? facts.vips.map((ip) => cidrOf(ip, familyBits(ip.family))) : []
  const cidrs = [...facts.sourceRanges, ...vips]
  const rule: NftRule = {
    when: [{ kind: 'source-not-among', cidrs }],
    action: { kind: 'verdict', verdict: { kind: 'drop' } },
  }
  return [{ name: `firewall-${nftServiceName(facts)}`, rules: [rule] }]
}

function endpointChains(port: PortView): readonly NftChain[] {
  if (port.facts.affinitySeconds === undefined) return []
  return port.endpoints.reachable.map(({ ip, port: number }) => {
    const name = nftEndpointName(port.facts, ip.text, number)
    const translate: NftRule = {
      when: [{ kind: 'protocol', protocol: protocolOf(port) }],
      action: { kind: 'translate', to: [{ address: ip.text, port: number }] },
    }
    return {
      name: `endpoint-${name}`,
      rules: [{ when: [], action: { kind: 'remember', set: `affinity-${name}` } }, translate],
    }
  })
}

function affinitySets({ facts, endpoints }: PortView): readonly NftSet[] {
  const { affinitySeconds } = facts
  if (affinitySeconds === undefined) return []
  return endpoints.reachable.map(({ ip, port }) => ({
    kind: 'set',
    name: `affinity-${nftEndpointName(facts, ip.text, port)}`,
    fields: ['saddr'],
    elements: [],
    timeoutSeconds: affinitySeconds,
  }))
}

function served(port: PortView): readonly PlacedElement[] {
  const { facts, endpoints } = port
  const name = nftServiceName(facts)
  const protocol = protocolOf(port)
  const place = (map: string, key: string, chain: string): PlacedElement => ({
    map,
    element: { key, verdict: goto(chain) },
  })
  const internal = endpoints.hasInternal
    ? [
        place(
          'service-ips',
          `${facts.clusterIp.text} . ${protocol} . ${facts.port}`,
          `${facts.isInternalLocal ? 'local' : 'service'}-${name}`,
        ),
      ]
    : []
  const external = endpoints.hasEndpoints
    ? [...facts.externalIps, ...facts.vips].map((ip) =>
        place('service-ips', `${ip.text} . ${protocol} . ${facts.port}`, `external-${name}`),
      )
    : []
  const nodePorts =
    endpoints.hasEndpoints && facts.nodePort !== undefined
      ? [place('service-nodeports', `${protocol} . ${facts.nodePort}`, `external-${name}`)]
      : []
  const firewalls =
    facts.sourceRanges.length === 0
      ? []
      : facts.vips.map((ip) => place('firewall-ips', `${ip.text} . ${protocol} . ${facts.port}`, `firewall-${name}`))
  return [...internal, ...external, ...nodePorts, ...firewalls]
}

function unserved(port: PortView): readonly PlacedElement[] {
  const { facts, endpoints } = port
  const protocol = protocolOf(port)
  const verdict: Verdict = endpoints.hasEndpoints ? { kind: 'drop' } : goto('reject-chain')
  const place = (map: string, key: string): PlacedElement => ({ map, element: { key, verdict, comment: facts.id } })
  const internal = endpoints.hasInternal
    ? []
    : [place('no-endpoint-services', `${facts.clusterIp.text} . ${protocol} . ${facts.port}`)]
  if (endpoints.hasExternal) return internal
  const external = [...facts.externalIps, ...facts.vips].map((ip) =>
    place('no-endpoint-services', `${ip.text} . ${protocol} . ${facts.port}`),
  )
  const nodePorts =
    facts.nodePort === undefined ? [] : [place('no-endpoint-nodeports', `${protocol} . ${facts.nodePort}`)]
  return [...internal, ...external, ...nodePorts]
}
