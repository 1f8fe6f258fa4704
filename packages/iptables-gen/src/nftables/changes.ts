// What has to happen to the table of nftables mode, as data: made by comparing two tables, a table with a listing, or by
// following what changed; `plan-load.ts` makes transactions of it.

import type { NftChain, NftMap, NftSet } from './table.ts'

/** A set or a verdict map. */
export type NftContainer = NftSet | NftMap

/** Chains and sets that are complete together and to which nothing leads yet. */
export interface NewParts {
  /** Each chain after those that it goes to. */
  readonly chains: readonly NftChain[]
  readonly sets: readonly NftSet[]
}

/** A chain that gets these rules; new ones are made. */
export interface ChainChange {
  readonly chain: NftChain
  readonly isNew: boolean
}

/** Elements of one set or map that go and come. A changed value is both: nft does not overwrite elements. */
export interface ElementChange {
  readonly container: NftContainer
  /** Keys. */
  readonly gone: readonly string[]
  /** As nft reads them. */
  readonly added: readonly string[]
}

/** The difference of a table. */
export interface NftChanges {
  /** The table is not there. */
  readonly isNewTable: boolean
  /** Sets and maps that are new, have another timeout, or are named by rules that change. */
  readonly containers: readonly NftContainer[]
  /** Lots of new chains, made when their transaction comes. */
  readonly fresh: readonly (() => NewParts)[]
  readonly chains: readonly ChainChange[]
  readonly elements: readonly ElementChange[]
  readonly removedChains: readonly string[]
  readonly removedSets: readonly string[]
}
