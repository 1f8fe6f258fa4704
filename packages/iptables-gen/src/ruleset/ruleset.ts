// Everything that one address family's tables hold.

import type { IpFamily } from '@kubewire/kube-model'
import type { Chain } from './chain.ts'
import { PartTable } from './part-table.ts'

/** Tables of iptables, in the order a packet meets them at one hook. */
export const tableNames = ['raw', 'mangle', 'nat', 'filter', 'security'] as const

/** Name of a table. */
export type TableName = (typeof tableNames)[number]

/** Chains of one table by name. */
export type Table = ReadonlyMap<string, Chain>

/** The tables of one address family; absent tables are empty. */
export interface Ruleset {
  readonly family: IpFamily
  readonly tables: { readonly [name in TableName]?: Table }
}

/** A ruleset with no table at all: what a fresh kernel holds. */
export function emptyRuleset(family: IpFamily): Ruleset {
  return { family, tables: {} }
}

/** Number of rules in the chains of a table that are not built in. */
export function countRules(table: Table | undefined): number {
  if (table instanceof PartTable) return table.ruleCount
  let count = 0
  for (const chain of table?.values() ?? []) if (chain.policy === undefined) count += chain.rules.length
  return count
}
