// A table that is changed without being copied: chains of services lie in buckets by the end of their hash, and a
// changed table shares every bucket that it did not touch. So a change among 60,000 chains costs a few buckets, and two
// tables are compared by looking at the buckets that differ. A class because it has to be a `ReadonlyMap`.

import type { Chain } from './chain.ts'

const bucketCount = 1024

type Chains = ReadonlyMap<string, Chain>

const emptyBucket: Chains = new Map()

/** Chains by name, in no order that means anything; never changes. */
export class ChainTable implements ReadonlyMap<string, Chain> {
  readonly size: number
  /** Rules in the chains that are not built in. */
  readonly ruleCount: number
  readonly buckets: readonly Chains[]

  private constructor(buckets: readonly Chains[], size: number, ruleCount: number) {
    this.buckets = buckets
    this.size = size
    this.ruleCount = ruleCount
  }

  /** A table without chains. */
  static readonly empty: ChainTable = new ChainTable(
    Array.from({ length: bucketCount }, () => emptyBucket),
    0,
    0,
  )

  /** The same table with these chains put in, or taken out where the value is `undefined`. */
  with(changes: ReadonlyMap<string, Chain | undefined>): ChainTable {
    if (changes.size === 0) return this
    const buckets = [...this.buckets]
    const opened = new Map<number, Map<string, Chain>>()
    let { size, ruleCount } = this
    for (const [name, chain] of changes) {
      const index = bucketOf(name)
      let bucket = opened.get(index)
      if (bucket === undefined) {
        bucket = new Map(buckets[index])
        opened.set(index, bucket)
        buckets[index] = bucket
      }
      const before = bucket.get(name)
      if (before !== undefined) size -= 1
      if (chain === undefined) bucket.delete(name)
      else bucket.set(name, chain)
      if (chain !== undefined) size += 1
      ruleCount += countedRules(chain) - countedRules(before)
    }
    return new ChainTable(buckets, size, ruleCount)
  }

  get(name: string): Chain | undefined {
    return this.buckets[bucketOf(name)]?.get(name)
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  *entries(): MapIterator<[string, Chain]> {
    for (const bucket of this.buckets) yield* bucket.entries()
  }

  *keys(): MapIterator<string> {
    for (const bucket of this.buckets) yield* bucket.keys()
  }

  *values(): MapIterator<Chain> {
    for (const bucket of this.buckets) yield* bucket.values()
  }

  [Symbol.iterator](): MapIterator<[string, Chain]> {
    return this.entries()
  }

  forEach(visit: (chain: Chain, name: string, table: ReadonlyMap<string, Chain>) => void): void {
    for (const [name, chain] of this) visit(chain, name, this)
  }
}

/** Names of chains that are not the same value in both tables, those that only one of them has included. */
export function changedChains(before: Chains, after: Chains): readonly string[] {
  if (before === after) return []
  if (!(before instanceof ChainTable && after instanceof ChainTable)) return changedNames(before, after)
  const names: string[] = []
  for (const [i, bucket] of after.buckets.entries()) {
    const old = before.buckets[i] ?? emptyBucket
    if (old !== bucket) names.push(...changedNames(old, bucket))
  }
  return names
}

function changedNames(before: Chains, after: Chains): string[] {
  const names: string[] = []
  for (const [name, chain] of after) if (before.get(name) !== chain) names.push(name)
  for (const name of before.keys()) if (!after.has(name)) names.push(name)
  return names
}

function countedRules(chain: Chain | undefined): number {
  return chain === undefined || chain.policy !== undefined ? 0 : chain.rules.length
}

// The last two characters of a hashed name are base32 digits; other names fall where they fall.
function bucketOf(name: string): number {
  const { length } = name
  return (((name.charCodeAt(length - 1) & 31) << 5) | (name.charCodeAt(length - 2) & 31)) & (bucketCount - 1)
}
