// (installed, wanted) → the transactions that lead from one to the other.
//
// No moment in between interrupts a service: chains that nobody jumps to yet are made first, then one transaction
// switches everything that traffic uses, then what nobody jumps to any more is removed. Small changes are one
// transaction. With iptables-nft a transaction costs what it mentions, so unchanged chains are not mentioned and large
// dispatch chains are edited rule by rule; with legacy iptables every transaction copies the whole table, so there is
// only one, of the same edits. Figures: docs/compat/kube-proxy.md.

import type { IpFamily } from '@kubewire/kube-model'
import { diffTable, type NewChains, type RewrittenChains, type RuleOfChain, type TableDiff } from './diff-table.ts'
import { type Ruleset, type TableName, tableNames } from './ruleset/ruleset.ts'

/** What one transaction does to one table. */
export interface TableEdit {
  readonly table: TableName
  /** New chains, made when they are taken, so that nobody holds all of them; each lot after those that it jumps to. */
  readonly creates: readonly NewChains[]
  /** Emptied (or made) and filled, after the new ones. */
  readonly rewrites: readonly RewrittenChains[]
  /** Made if missing, content left alone. */
  readonly ensures: readonly string[]
  /** Rules put at the head of a chain, in this order: the last one ends up first. */
  readonly inserts: readonly RuleOfChain[]
  readonly deletes: readonly RuleOfChain[]
  /** Emptied and removed. */
  readonly removes: readonly string[]
}

/** One transaction. */
export interface RestoreStep {
  readonly kind: 'create' | 'switch' | 'remove'
  readonly family: IpFamily
  readonly edits: readonly TableEdit[]
}

/** What a plan depends on besides the two rulesets. */
export interface PlanOptions {
  readonly backend: 'nft' | 'legacy'
  /** Rules in one transaction of new chains, about; 2000 unless given. */
  readonly batchRules?: number
}

/**
 * Plans the transactions that turn what is installed into what is wanted.
 *
 * Only chains of `wanted` and hashed chains of kube-proxy are touched; built-in chains get the jumps they lack. Costs
 * what differs when both rulesets come from the same builder.
 *
 * @returns steps in order; none when nothing differs
 * @example
 * for (const step of planRestore(emptyRuleset(4), wanted, { backend: 'nft' })) console.log(printStep(step))
 */
export function planRestore(installed: Ruleset, wanted: Ruleset, options: PlanOptions): readonly RestoreStep[] {
  const { family } = wanted
  const diffs = tableNames
    .toReversed()
    .flatMap((table) => diffTable(table, installed.tables[table], wanted.tables[table], { family }) ?? [])
  if (diffs.length === 0) return []
  const { batchRules = 2000 } = options
  const created = diffs.flatMap(({ table, creates }) => creates.map((chains) => ({ table, chains })))
  const isSmall = options.backend === 'legacy' || sizeOf(created) <= batchRules
  const removedCount = diffs.reduce((sum, diff) => sum + diff.removes.length, 0)
  const removesTogether = options.backend === 'legacy' || removedCount <= batchRules / 2
  return [
    ...(isSmall ? [] : inBatches(created, batchRules).map((batch) => createStep(batch, family))),
    switchStep(diffs, family, { withCreates: isSmall, withRemoves: removesTogether }),
    ...(removesTogether ? [] : [removeStep(diffs, family)]),
  ]
}

interface Created {
  readonly table: TableName
  readonly chains: NewChains
}

function sizeOf(created: readonly Created[]): number {
  return created.reduce((sum, { chains }) => sum + chains.ruleCount, 0)
}

function inBatches(created: readonly Created[], batchRules: number): readonly (readonly Created[])[] {
  const batches: Created[][] = []
  let rules = Number.POSITIVE_INFINITY
  for (const one of created) {
    if (rules > batchRules) {
      batches.push([])
      rules = 0
    }
    batches.at(-1)?.push(one)
    rules += one.chains.ruleCount
  }
  return batches
}

const nothing = { creates: [], rewrites: [], ensures: [], inserts: [], deletes: [], removes: [] } as const

function createStep(batch: readonly Created[], family: IpFamily): RestoreStep {
  const tables = [...new Set(batch.map(({ table }) => table))]
  const createsOf = (table: TableName): readonly NewChains[] =>
    batch.filter((one) => one.table === table).map(({ chains }) => chains)
  return { kind: 'create', family, edits: tables.map((table) => ({ ...nothing, table, creates: createsOf(table) })) }
}

function switchStep(
  diffs: readonly TableDiff[],
  family: IpFamily,
  { withCreates, withRemoves }: { readonly withCreates: boolean; readonly withRemoves: boolean },
): RestoreStep {
  const edits = diffs.map(({ table, creates, rewrites, ensures, inserts, deletes, removes }) => ({
    table,
    creates: withCreates ? creates : [],
    rewrites,
    ensures,
    inserts,
    deletes,
    removes: withRemoves ? removes : [],
  }))
  return { kind: 'switch', family, edits }
}

function removeStep(diffs: readonly TableDiff[], family: IpFamily): RestoreStep {
  const edits = diffs
    .filter((diff) => diff.removes.length > 0)
    .map(({ table, removes }) => ({ ...nothing, table, removes }))
  return { kind: 'remove', family, edits }
}
