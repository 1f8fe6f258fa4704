// The fold of nftables mode: the same service ports and endpoints as iptables mode, one table out.

import { deepEqual } from '@kubewire/kube-model'
import { isLoopback } from '../proxy/node-addresses.ts'
import type { PortView } from '../proxy/sections/section.ts'
import type { NftOptions } from './nft-options.ts'
import { type ServiceParts, serviceParts } from './service-chains.ts'
import { frontEnd, nodePort, staticChains } from './static-chains.ts'
import type { NftChain, NftElement, NftMap, NftSet, NftTable } from './table.ts'

/** Makes tables again and again, taking over the parts of service ports that are the same values as last time. */
export interface NftTableBuilder {
  build(ports: readonly PortView[], options: NftOptions): NftTable
}

/** A builder with an empty memory. */
export function createNftTableBuilder(): NftTableBuilder {
  let known: { readonly options: NftOptions; readonly parts: ReadonlyMap<PortView, ServiceParts> } | undefined
  return {
    build(ports, options) {
      const before = known !== undefined && deepEqual(known.options, options) ? known.parts : undefined
      const mark = 2 ** options.masqueradeBit
      const parts = new Map(ports.map((port) => [port, before?.get(port) ?? serviceParts(port, options, mark)]))
      known = { options, parts }
      return foldParts(parts, options)
    },
  }
}

/**
 * The table that kube-proxy wants in nftables mode.
 *
 * @param ports - `ports` of `buildRuleset`: the facts are the same in both modes
 * @see kube-proxy 1.37 pkg/proxy/nftables/proxier.go
 * @example
 * buildNftTable(buildRuleset(snapshot, options).ports, { ...options, serviceCidrs: [] })
 */
export function buildNftTable(ports: readonly PortView[], options: NftOptions): NftTable {
  return createNftTableBuilder().build(ports, options)
}

function foldParts(partsOf: ReadonlyMap<PortView, ServiceParts>, options: NftOptions): NftTable {
  const mark = 2 ** options.masqueradeBit
  const chains = new Map<string, NftChain>()
  for (const chain of staticChains(options, mark)) chains.set(chain.name, chain)
  const elements = new Map<string, Map<string, NftElement>>(mapNames.map(([name]) => [name, new Map()]))
  const sets = new Map<string, NftSet>()
  const hairpins = new Set<string>()
  for (const parts of partsOf.values()) {
    for (const chain of parts.chains) chains.set(chain.name, chain)
    for (const { map, element } of parts.elements) elements.get(map)?.set(element.key, element)
    for (const set of parts.affinitySets) sets.set(set.name, set)
    for (const hairpin of parts.hairpins) hairpins.add(hairpin)
  }
  const clusterIps = [...new Set([...partsOf.keys()].map((port) => port.facts.clusterIp.text))]
  addSet(sets, { name: 'cluster-ips', fields: ['daddr'], elements: clusterIps.sort() })
  addSet(sets, {
    name: 'hairpin-connections',
    fields: ['saddr', 'daddr', 'l4proto', 'dport'],
    elements: [...hairpins].sort(),
  })
  if (options.nodePortAddresses.kind === 'some') {
    const addresses = options.nodePortAddresses.addresses.filter((ip) => !isLoopback(ip)).map((ip) => ip.text)
    addSet(sets, { name: 'nodeport-ips', fields: ['daddr'], elements: addresses.sort() })
  }
  const maps = new Map<string, NftMap>(
    mapNames.map(([name, fields]) => [name, { name, fields, elements: [...(elements.get(name)?.values() ?? [])] }]),
  )
  return { family: options.family, chains, sets, maps }
}

const mapNames = [
  ['service-ips', frontEnd],
  ['service-nodeports', nodePort],
  ['firewall-ips', frontEnd],
  ['no-endpoint-services', frontEnd],
  ['no-endpoint-nodeports', nodePort],
] as const

function addSet(sets: Map<string, NftSet>, set: NftSet): void {
  sets.set(set.name, set)
}
