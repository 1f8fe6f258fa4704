// The table as `nft -s -y list table` shows it, taken apart: for comparing and for people.

import { printNftElement, printNftRule, printTypes } from './print-rule.ts'
import type { NftChain, NftMap, NftSet, NftTable } from './table.ts'

/** A set or map of a listing. */
export interface ListedSet {
  readonly type: string
  readonly flags?: string
  readonly timeout?: string
  readonly elements: readonly string[]
}

/** A table of a listing. */
export interface ListedTable {
  readonly chains: { readonly [name: string]: readonly string[] }
  readonly sets: { readonly [name: string]: ListedSet }
  readonly maps: { readonly [name: string]: ListedSet }
}

/** Lists chains, sets and maps; elements are sorted as text. */
export function listNftTable(table: NftTable): ListedTable {
  const { family } = table
  const chains = [...table.chains.values()].map((chain) => [chain.name, listNftChain(chain, family)] as const)
  const sets = [...table.sets.values()].map((set) => [set.name, listNftSet(set, family)] as const)
  const maps = [...table.maps.values()].map((map) => [map.name, listNftMap(map, family)] as const)
  return { chains: Object.fromEntries(chains), sets: Object.fromEntries(sets), maps: Object.fromEntries(maps) }
}

/** The lines of one chain; the first of a base chain is its hook. */
export function listNftChain({ hook, rules }: NftChain, family: NftTable['family']): readonly string[] {
  const head =
    hook === undefined ? [] : [`type ${hook.type} hook ${hook.hook} priority ${hook.priority}; policy accept;`]
  return [...head, ...rules.map((rule) => printNftRule(rule, family, 'list'))]
}

/** One set; elements are sorted as text. */
export function listNftSet({ fields, elements, timeoutSeconds }: NftSet, family: NftTable['family']): ListedSet {
  const type = printTypes(fields, family)
  if (timeoutSeconds === undefined) return { type, elements: elements.toSorted() }
  return { type, flags: 'dynamic,timeout', timeout: printNftSeconds(timeoutSeconds), elements: elements.toSorted() }
}

/** One verdict map; elements are sorted as text. */
export function listNftMap({ fields, elements }: NftMap, family: NftTable['family']): ListedSet {
  return { type: `${printTypes(fields, family)} : verdict`, elements: elements.map(printNftElement).sort() }
}

/** Seconds as nft prints a timeout: `1d`, `3h`, `1m30s`. */
function printNftSeconds(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const text = parts.map(([count, unit]) => (count > 0 ? `${count}${unit}` : '')).join('')
  return text === '' ? '0s' : text
}
