// The fold of nftables mode: the same service ports and endpoints as iptables mode, one table out. What a table keeps
// are the ports; chains and elements are made when somebody looks at them. A builder knows what changed since its last
// table at the cost of the change.

import { deepEqual } from '@kubewire/kube-model'
import { type BuiltRuleset, changedPorts, type PortsChange } from '../proxy/build-ruleset.ts'
import { isLoopback } from '../proxy/node-addresses.ts'
import type { PortView } from '../proxy/sections/section.ts'
import type { NewParts, NftChanges } from './changes.ts'
import { elementChange } from './diff-tables.ts'
import type { NftOptions } from './nft-options.ts'
import { printNftElement } from './print-rule.ts'
import { ownParts, sharedElements, sharedMembers } from './service-chains.ts'
import { type ContentChange, SharedContent } from './shared-content.ts'
import { frontEnd, nodePort, staticChains } from './static-chains.ts'
import type { NftChain, NftElement, NftMap, NftSet, NftTable } from './table.ts'

/** A table that knows what it is made of. */
export interface BuiltNftTable extends NftTable {
  /** What leads from the table that the builder made before this one; `undefined` for every other table. */
  changesSince(before: NftTable): NftChanges | undefined
  /** What exists whatever the ports are, and what all ports put there. */
  readonly frame: NftTable
  /** What belongs to each service port alone, made when called. */
  readonly lots: readonly (() => NewParts)[]
}

/** Makes tables again and again, at the cost of what changed. */
export interface NftTableBuilder {
  /** @param built - of the same ruleset builder every time */
  build(built: BuiltRuleset, options: NftOptions): BuiltNftTable
  /** Does what the next `build` would have to do first; a good moment is while the kernel works. */
  prepare(): void
}

/** A builder with an empty memory. */
export function createNftTableBuilder(): NftTableBuilder {
  let known: { readonly built: BuiltRuleset; readonly options: NftOptions; readonly table: NftTable } | undefined
  let content: SharedContent | undefined
  const prepare = (): SharedContent => {
    content ??= new SharedContent(known?.built.ports ?? [])
    return content
  }
  return {
    prepare: () => void prepare(),
    build(built, options) {
      const before = known !== undefined && deepEqual(known.options, options) ? known : undefined
      const changes = before && followChanges(changedPorts(before.built, built), prepare(), options)
      if (before === undefined) content = undefined
      const table = tableOf(() => built.ports, options, before && changes && { from: before.table, changes })
      known = { built, options, table }
      return table
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
export function buildNftTable(ports: readonly PortView[], options: NftOptions): BuiltNftTable {
  return tableOf(() => ports, options)
}

function tableOf(
  portsOf: () => readonly PortView[],
  options: NftOptions,
  link?: { readonly from: NftTable; readonly changes: NftChanges },
): BuiltNftTable {
  // Made by whoever looks, and kept as long as somebody does.
  const frameOf = remembered(() => foldShared(portsOf(), options))
  const open = remembered(() => withOwn(frameOf(), portsOf(), options))
  const from = link && new WeakRef(link.from)
  return {
    family: options.family,
    get chains() {
      return open().chains
    },
    get sets() {
      return open().sets
    },
    get maps() {
      return frameOf().maps
    },
    get frame() {
      return frameOf()
    },
    get lots() {
      return portsOf().map((port) => lotOf([port], options))
    },
    changesSince: (before) => (from?.deref() === before ? link?.changes : undefined),
  }
}

function remembered<T extends object>(make: () => T): () => T {
  let made: WeakRef<T> | undefined
  return () => {
    const known = made?.deref()
    if (known !== undefined) return known
    const value = make()
    made = new WeakRef(value)
    return value
  }
}

function foldShared(ports: readonly PortView[], options: NftOptions): NftTable {
  const elements = new Map<string, Map<string, NftElement>>(mapNames.map(([name]) => [name, new Map()]))
  const members = new Map<string, Set<string>>([
    ['cluster-ips', new Set()],
    ['hairpin-connections', new Set()],
  ])
  for (const port of ports) {
    for (const { map, element } of sharedElements(port)) elements.get(map)?.set(element.key, element)
    for (const [set, member] of sharedMembers(port)) members.get(set)?.add(member)
  }
  const sets = sharedSets(options).map((set) => {
    const own = members.get(set.name)
    return own === undefined ? set : { ...set, elements: [...own].sort() }
  })
  const maps = sharedMaps.map((map) => ({ ...map, elements: [...(elements.get(map.name)?.values() ?? [])] }))
  return { family: options.family, chains: byName(staticChains(options)), sets: byName(sets), maps: byName(maps) }
}

function withOwn({ family, chains, sets, maps }: NftTable, ports: readonly PortView[], options: NftOptions): NftTable {
  const allChains = new Map<string, NftChain>(chains)
  const allSets = new Map<string, NftSet>(sets)
  for (const port of ports) {
    const own = ownParts(port, options)
    for (const chain of own.chains) allChains.set(chain.name, chain)
    for (const set of own.affinitySets) allSets.set(set.name, set)
  }
  return { family, chains: allChains, sets: allSets, maps }
}

const mapNames = [
  ['service-ips', frontEnd],
  ['service-nodeports', nodePort],
  ['firewall-ips', frontEnd],
  ['no-endpoint-services', frontEnd],
  ['no-endpoint-nodeports', nodePort],
] as const

const sharedMaps: readonly NftMap[] = mapNames.map(([name, fields]) => ({ kind: 'map', name, fields, elements: [] }))

// Sets that exist whatever the ports are.
function sharedSets({ nodePortAddresses }: NftOptions): readonly NftSet[] {
  const sets: NftSet[] = [
    { kind: 'set', name: 'cluster-ips', fields: ['daddr'], elements: [] },
    { kind: 'set', name: 'hairpin-connections', fields: ['saddr', 'daddr', 'l4proto', 'dport'], elements: [] },
  ]
  if (nodePortAddresses.kind === 'all') return sets
  const addresses = nodePortAddresses.addresses.filter((ip) => !isLoopback(ip)).map((ip) => ip.text)
  return [...sets, { kind: 'set', name: 'nodeport-ips', fields: ['daddr'], elements: addresses.sort() }]
}

function byName<T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map((one) => [one.name, one]))
}

function lotOf(ports: readonly PortView[], options: NftOptions): () => NewParts {
  return () => {
    const parts = ports.map((port) => ownParts(port, options))
    return { chains: parts.flatMap((part) => part.chains), sets: parts.flatMap((part) => part.affinitySets) }
  }
}

// Chains and affinity sets belong to one port, so only the ports of one Service are compared with each other.
function followChanges(services: readonly PortsChange[], content: SharedContent, options: NftOptions): NftChanges {
  const fresh: (() => NewParts)[] = []
  const draft = {
    containers: new Map<string, NftSet>(),
    chains: [] as { readonly chain: NftChain; readonly isNew: boolean }[],
    removedChains: [] as string[],
    removedSets: [] as string[],
  }
  for (const { before, after } of services) {
    if (before.length === 0) {
      if (after.length > 0) fresh.push(lotOf(after, options))
      continue
    }
    const [was, now] = [lotOf(before, options)(), lotOf(after, options)()]
    const [oldChains, oldSets] = [new Map(byName(was.chains)), new Map(byName(was.sets))]
    let isWritten = false
    for (const chain of now.chains) {
      const old = oldChains.get(chain.name)
      oldChains.delete(chain.name)
      if (old !== undefined && deepEqual(old, chain)) continue
      draft.chains.push({ chain, isNew: old === undefined })
      isWritten = true
    }
    for (const set of now.sets) {
      if (isWritten || !deepEqual(oldSets.get(set.name), set)) draft.containers.set(set.name, set)
      oldSets.delete(set.name)
    }
    draft.removedChains.push(...oldChains.keys())
    draft.removedSets.push(...oldSets.keys())
  }
  const changed = content.replace(
    services.flatMap((one) => one.before),
    services.flatMap((one) => one.after),
  )
  return {
    isNewTable: false,
    ...draft,
    containers: [...draft.containers.values()],
    fresh,
    elements: changed.flatMap((change) => contentChange(change, options)),
  }
}

function contentChange({ name, before, after }: ContentChange, options: NftOptions) {
  const container = [...sharedMaps, ...sharedSets(options)].find((one) => one.name === name)
  if (container === undefined) throw new Error(`no shared set or map is called ${name}`)
  const added = [...after.values()].map((value) => (typeof value === 'string' ? value : printNftElement(value)))
  return elementChange(container, [...before.keys()], added)
}
