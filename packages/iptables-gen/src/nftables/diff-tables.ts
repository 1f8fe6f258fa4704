// (installed, wanted) tables → what has to happen. Everything of both is looked at: for two tables of the same builder
// there is a cheaper way, `changesSince`.

import { deepEqual } from '@kubewire/kube-model'
import type { ElementChange, NftChanges, NftContainer } from './changes.ts'
import { printNftElement, printNftRule } from './print-rule.ts'
import type { NftChain, NftMap, NftSet, NftTable } from './table.ts'

/** The difference of two tables; `undefined`: nothing is there yet. */
export function diffNftTables(installed: NftTable | undefined, wanted: NftTable): NftChanges {
  const known = installed ?? { chains: new Map(), sets: new Map(), maps: new Map() }
  const chains = [...wanted.chains.values()].filter(
    (chain) => !isSameChain(known.chains.get(chain.name), chain, wanted),
  )
  const sets = [...wanted.sets.values()].filter((set) => !isSameSet(known.sets.get(set.name), set))
  const maps = missing(known.maps, wanted.maps)
  return {
    isNewTable: installed === undefined,
    containers: chains.length + sets.length === 0 ? maps : containersFor(chains, wanted, [...sets, ...maps]),
    fresh: [],
    chains: chains.map((chain) => ({ chain, isNew: !known.chains.has(chain.name) })),
    elements: [...diffSets(known.sets, wanted), ...diffMaps(known.maps, wanted)],
    removedChains: missing(wanted.chains, known.chains).map((chain) => chain.name),
    removedSets: missing(wanted.sets, known.sets).map((set) => set.name),
  }
}

/** New sets and maps, and those that the rules of these chains name. */
export function containersFor(
  chains: readonly NftChain[],
  { sets, maps }: Pick<NftTable, 'sets' | 'maps'>,
  made: readonly NftContainer[],
): readonly NftContainer[] {
  const containers = new Map(made.map((one) => [one.name, one]))
  const use = (name: string): void => {
    const container = sets.get(name) ?? maps.get(name)
    if (container !== undefined) containers.set(name, container)
  }
  for (const { rules } of chains)
    for (const { when, action } of rules) {
      for (const condition of when) if (condition.kind === 'in-set') use(condition.set)
      if (action.kind === 'vmap') use(action.map)
      if (action.kind === 'remember') use(action.set)
    }
  return [...containers.values()]
}

function isSameChain(before: NftChain | undefined, chain: NftChain, { family }: NftTable): boolean {
  if (before === undefined || before === chain) return before === chain
  const text = ({ rules }: NftChain): string => rules.map((rule) => printNftRule(rule, family, 'load')).join('\n')
  return text(before) === text(chain)
}

function isSameSet(before: NftSet | undefined, set: NftSet): boolean {
  return before !== undefined && before.timeoutSeconds === set.timeoutSeconds
}

function missing<T extends { readonly name: string }>(
  known: ReadonlyMap<string, unknown>,
  wanted: ReadonlyMap<string, T>,
): readonly T[] {
  return [...wanted.values()].filter((one) => !known.has(one.name))
}

function diffSets(known: ReadonlyMap<string, NftSet>, { sets }: NftTable): readonly ElementChange[] {
  return [...sets.values()].flatMap((set) => {
    const before = new Set(known.get(set.name)?.elements)
    const after = new Set(set.elements)
    return elementChange(
      set,
      [...before].filter((key) => !after.has(key)),
      [...after].filter((key) => !before.has(key)),
    )
  })
}

function diffMaps(known: ReadonlyMap<string, NftMap>, { maps }: NftTable): readonly ElementChange[] {
  return [...maps.values()].flatMap((map) => {
    const before = new Map(known.get(map.name)?.elements.map((element) => [element.key, element]))
    const after = new Map(map.elements.map((element) => [element.key, element]))
    return elementChange(
      map,
      [...before.keys()].filter((key) => !deepEqual(before.get(key), after.get(key))),
      [...after.values()].filter((one) => !deepEqual(before.get(one.key), one)).map(printNftElement),
    )
  })
}

/** A change of a set or map, unless it is none. */
export function elementChange(
  container: NftContainer,
  gone: readonly string[],
  added: readonly string[],
): readonly ElementChange[] {
  return gone.length + added.length === 0 ? [] : [{ container, gone, added }]
}
