// The table of nftables mode as data: base chains, chains, sets and verdict maps of one family.

import type { Cidr, IpFamily } from '@kubewire/kube-model'

/** Where a key or a condition looks. */
export type Field = 'saddr' | 'daddr' | 'l4proto' | 'dport'

/** What a map or rule decides. */
export type Verdict =
  | { readonly kind: 'goto'; readonly chain: string }
  | { readonly kind: 'jump'; readonly chain: string }
  | { readonly kind: 'drop' }

/** One condition of a rule; all must hold. */
export type Condition =
  | { readonly kind: 'new-connection' }
  | { readonly kind: 'translated' }
  | { readonly kind: 'address'; readonly field: 'saddr' | 'daddr'; readonly isNegated?: boolean; readonly cidr: Cidr }
  | { readonly kind: 'source-not-among'; readonly cidrs: readonly Cidr[] }
  | { readonly kind: 'in-set'; readonly fields: readonly Field[]; readonly set: string }
  | { readonly kind: 'local-address'; readonly field: 'saddr' | 'daddr' }
  | { readonly kind: 'in-interface'; readonly isNegated?: boolean; readonly name: string }
  | { readonly kind: 'marked'; readonly mark: number }
  | { readonly kind: 'protocol'; readonly protocol: string }

/** An endpoint to translate to. */
export interface Translation {
  readonly address: string
  readonly port: number
}

/** What a rule does. */
export type Statement =
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | { readonly kind: 'reject' }
  | { readonly kind: 'vmap'; readonly fields: readonly Field[]; readonly map: string }
  | { readonly kind: 'pick'; readonly chains: readonly string[] }
  | { readonly kind: 'translate'; readonly to: readonly Translation[] }
  | { readonly kind: 'mark'; readonly mark: number }
  | { readonly kind: 'masquerade'; readonly clears?: number }
  | { readonly kind: 'remember'; readonly set: string }

/** One rule. */
export interface NftRule {
  readonly when: readonly Condition[]
  readonly action: Statement
  readonly comment?: string
}

/** Where a base chain hooks in. */
export interface NftHook {
  readonly type: 'filter' | 'nat'
  readonly hook: 'prerouting' | 'input' | 'forward' | 'output' | 'postrouting'
  readonly priority: number
}

/** One chain. */
export interface NftChain {
  readonly name: string
  readonly hook?: NftHook
  readonly rules: readonly NftRule[]
}

/** One set: fields of its elements, and the elements as nft writes them. */
export interface NftSet {
  readonly kind: 'set'
  readonly name: string
  readonly fields: readonly Field[]
  readonly elements: readonly string[]
  /** A dynamic set whose elements leave after this many seconds. */
  readonly timeoutSeconds?: number
}

/** One element of a verdict map. */
export interface NftElement {
  readonly key: string
  readonly verdict: Verdict
  readonly comment?: string
}

/** One verdict map. */
export interface NftMap {
  readonly kind: 'map'
  readonly name: string
  readonly fields: readonly Field[]
  readonly elements: readonly NftElement[]
}

/** Everything in table `kube-proxy` of one family. */
export interface NftTable {
  readonly family: IpFamily
  readonly chains: ReadonlyMap<string, NftChain>
  readonly sets: ReadonlyMap<string, NftSet>
  readonly maps: ReadonlyMap<string, NftMap>
}

/** Name of the table in both families. */
export const nftTableName = 'kube-proxy'
