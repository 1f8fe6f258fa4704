// (installed, wanted) → the transactions that lead from one to the other.
//
// No moment in between interrupts a service: chains that nobody jumps to yet are made first, then one transaction
// switches everything that traffic uses, then what nobody jumps to any more is removed. Small changes are one
// transaction. With iptables-nft a transaction costs what it mentions, so unchanged chains are not mentioned and large
// dispatch chains are edited rule by rule; with legacy iptables every transaction copies the whole table, so there is
// only one. Figures: docs/compat/kube-proxy.md.

import type { IpFamily } from '@kubewire/kube-model'
import { isDispatchChain, isHashedChain } from './proxy/chain-names.ts'
import type { Chain } from './ruleset/chain.ts'
import { changedChains } from './ruleset/chain-table.ts'
import type { Rule } from './ruleset/rule.ts'
import { type Ruleset, type Table, type TableName, tableNames } from './ruleset/ruleset.ts'
import { printSaveChain } from './text/print-restore.ts'
import { printSaveRule } from './text/print-rule.ts'

/** What one transaction does to one table. */
export interface TableEdit {
  readonly table: TableName
  /** Emptied (or made) and filled. */
  readonly writes: readonly Chain[]
  /** Made if missing, content left alone. */
  readonly ensures: readonly string[]
  /** Rules put at the head of a chain, in this order: the last one ends up first. */
  readonly inserts: readonly { readonly chain: string; readonly rule: Rule }[]
  readonly deletes: readonly { readonly chain: string; readonly rule: Rule }[]
  /** Emptied and removed. */
  readonly removes: readonly string[]
}

/** One transaction. */
export interface RestoreStep {
  readonly kind: 'create' | 'switch' | 'remove'
  readonly family: IpFamily
  readonly edits: readonly TableEdit[]
  /** What is installed once the step succeeded. */
  after(): Ruleset
}

/** What a plan depends on besides the two rulesets. */
export interface PlanOptions {
  readonly backend: 'nft' | 'legacy'
  /** Rules in one transaction of new chains; 2000 unless given. */
  readonly batchRules?: number
}

/**
 * Plans the transactions that turn what is installed into what is wanted.
 *
 * Only chains of `wanted` and hashed chains of kube-proxy are touched; built-in chains get the jumps they lack.
 *
 * @returns steps in order; none when nothing differs
 * @example
 * for (const step of planRestore(emptyRuleset(4), wanted, { backend: 'nft' })) console.log(printStep(step))
 */
export function planRestore(installed: Ruleset, wanted: Ruleset, options: PlanOptions): readonly RestoreStep[] {
  const diffs = tableNames
    .toReversed()
    .flatMap((table) => diffTable(table, installed, wanted, options))
    .filter((diff) => !isEmpty(diff))
  if (diffs.length === 0) return []
  const { batchRules = 2000 } = options
  const created = diffs.flatMap((diff) => diff.creates.map((chain) => ({ table: diff.table, chain })))
  const isSmall = options.backend === 'legacy' || countOf(created.map(({ chain }) => chain)) <= batchRules
  const removedCount = diffs.reduce((sum, diff) => sum + diff.removes.length, 0)
  const removesTogether = options.backend === 'legacy' || removedCount <= batchRules / 2
  const context: PlanContext = { installed, wanted, batchRules }
  return [
    ...(isSmall ? [] : createSteps(created, context)),
    switchStep(diffs, { ...context, withCreates: isSmall, withRemoves: removesTogether }),
    ...(removesTogether ? [] : [removeStep(diffs, context)]),
  ]
}

interface PlanContext {
  readonly installed: Ruleset
  readonly wanted: Ruleset
  readonly batchRules: number
}

interface TableDiff {
  readonly table: TableName
  /** New chains, those jumped to before those that jump. */
  readonly creates: readonly Chain[]
  readonly rewrites: readonly Chain[]
  readonly ensures: readonly string[]
  readonly inserts: TableEdit['inserts']
  readonly deletes: TableEdit['deletes']
  readonly removes: readonly string[]
}

function isEmpty(diff: TableDiff): boolean {
  const { creates, rewrites, ensures, inserts, deletes, removes } = diff
  return [creates, rewrites, ensures, inserts, deletes, removes].every((list) => list.length === 0)
}

function diffTable(name: TableName, installed: Ruleset, wanted: Ruleset, options: PlanOptions): readonly TableDiff[] {
  const target = wanted.tables[name]
  if (target === undefined || target === installed.tables[name]) return []
  const present: Table = installed.tables[name] ?? new Map()
  const { family } = wanted
  const creates: Chain[] = []
  const rewrites: Chain[] = []
  const ensures: string[] = []
  const inserts: { readonly chain: string; readonly rule: Rule }[] = []
  const deletes: { readonly chain: string; readonly rule: Rule }[] = []
  const removes: string[] = []
  for (const chainName of changedChains(present, target)) {
    const chain = target.get(chainName)
    const before = present.get(chainName)
    if (chain === undefined) {
      if (name === 'nat' && isHashedChain(chainName)) removes.push(chainName)
      continue
    }
    if (chain.policy !== undefined) inserts.push(...missingJumps(chain, before, family))
    else if (isShared(chain)) ensures.push(...(before === undefined ? [chain.name] : []))
    else if (before === undefined) creates.push(chain)
    else if (isDispatchChain(name, chain.name)) {
      const edits = editDispatch(before, chain, family, options)
      if (edits === 'rewrite') rewrites.push(chain)
      else {
        inserts.push(...edits.inserts)
        deletes.push(...edits.deletes)
      }
    } else if (printSaveChain(before, family) !== printSaveChain(chain, family)) rewrites.push(chain)
  }
  return [{ table: name, creates: jumpedToFirst(creates), rewrites, ensures, inserts, deletes, removes }]
}

// KUBE-FIREWALL without rules of ours belongs to the kubelet: it must exist, its content is not ours to clear.
function isShared(chain: Chain): boolean {
  return chain.name === 'KUBE-FIREWALL' && chain.rules.length === 0
}

// The wanted chain lists the jumps as they stand; each is inserted at the head, so the last one goes first.
function missingJumps(chain: Chain, before: Chain | undefined, family: IpFamily): TableEdit['inserts'] {
  const present = new Set(before?.rules.map((rule) => printSaveRule(rule, family)))
  return chain.rules
    .toReversed()
    .filter((rule) => !present.has(printSaveRule(rule, family)))
    .map((rule) => ({ chain: chain.name, rule }))
}

// Below this size a chain is cheaper to rewrite than to edit.
const smallChain = 100
const maxEdits = 64

function editDispatch(
  before: Chain,
  chain: Chain,
  family: IpFamily,
  { backend }: PlanOptions,
): 'rewrite' | Pick<TableEdit, 'inserts' | 'deletes'> {
  const { added, removed } = diffRules(before.rules, chain.rules, family)
  if (added.length + removed.length === 0) return { inserts: [], deletes: [] }
  const isFixed = (rule: Rule): boolean => rule.origin === undefined
  // Rules of no service (the node-port jump) have their place at the end; a change there rewrites the chain.
  const isCheaper = backend === 'nft' && chain.rules.length > smallChain && added.length + removed.length <= maxEdits
  if (!isCheaper || added.some(isFixed) || removed.some((rule) => isNodePortJump(rule))) return 'rewrite'
  const place = (rule: Rule) => ({ chain: chain.name, rule })
  return { inserts: added.map(place), deletes: removed.map(place) }
}

function isNodePortJump(rule: Rule): boolean {
  return rule.target?.kind === 'jump' && rule.target.chain === 'KUBE-NODEPORTS'
}

/** Rules of one list that the other lacks, as multisets; order does not count. */
function diffRules(before: readonly Rule[], after: readonly Rule[], family: IpFamily) {
  // Rules of unchanged services are the same values; only the others, in the middle, are compared as text.
  const limit = Math.min(before.length, after.length)
  let head = 0
  while (head < limit && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < limit - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  const oldMiddle = before.slice(head, before.length - tail)
  const newMiddle = after.slice(head, after.length - tail)
  const same = new Set<Rule>(oldMiddle)
  const kept = new Set<Rule>(newMiddle)
  const oldOnes = oldMiddle.filter((rule) => !kept.has(rule))
  const newOnes = newMiddle.filter((rule) => !same.has(rule))
  const counts = new Map<string, Rule[]>()
  for (const rule of oldOnes) {
    const text = printSaveRule(rule, family)
    counts.set(text, [...(counts.get(text) ?? []), rule])
  }
  const added = newOnes.filter((rule) => counts.get(printSaveRule(rule, family))?.pop() === undefined)
  return { added, removed: [...counts.values()].flat() }
}

// iptables-restore wants the chain of a jump to exist; the depth first order gives that across transactions too.
function jumpedToFirst(chains: readonly Chain[]): readonly Chain[] {
  const byName = new Map(chains.map((chain) => [chain.name, chain]))
  const ordered = new Set<Chain>()
  const visit = (chain: Chain): void => {
    if (ordered.has(chain) || !byName.has(chain.name)) return
    byName.delete(chain.name)
    for (const { target } of chain.rules) {
      const next = target?.kind === 'jump' ? byName.get(target.chain) : undefined
      if (next !== undefined) visit(next)
    }
    ordered.add(chain)
  }
  for (const chain of chains) visit(chain)
  return [...ordered]
}

interface CreatedChain {
  readonly table: TableName
  readonly chain: Chain
}

function createSteps(created: readonly CreatedChain[], context: PlanContext): readonly RestoreStep[] {
  const batches: CreatedChain[][] = []
  let rules = Number.POSITIVE_INFINITY
  // Dispatch chains are filled by the switch; nothing may lead to a service before that.
  for (const one of created.filter(({ table, chain }) => !isDispatchChain(table, chain.name))) {
    if (rules > context.batchRules) {
      batches.push([])
      rules = 0
    }
    batches.at(-1)?.push(one)
    rules += one.chain.rules.length
  }
  return batches.map((batch, i) => ({
    kind: 'create',
    family: context.wanted.family,
    edits: editsOf(batch),
    after: () => withChains(context.installed, batches.slice(0, i + 1).flat()),
  }))
}

function editsOf(batch: readonly CreatedChain[]): readonly TableEdit[] {
  const tables = [...new Set(batch.map(({ table }) => table))]
  return tables.map((table) => ({
    table,
    writes: batch.filter((one) => one.table === table).map(({ chain }) => chain),
    ensures: [],
    inserts: [],
    deletes: [],
    removes: [],
  }))
}

function switchStep(
  diffs: readonly TableDiff[],
  context: PlanContext & { readonly withCreates: boolean; readonly withRemoves: boolean },
): RestoreStep {
  const edits = diffs.map(({ table, creates, rewrites, ensures, inserts, deletes, removes }) => ({
    table,
    writes: [...creates.filter((chain) => context.withCreates || isDispatchChain(table, chain.name)), ...rewrites],
    ensures,
    inserts,
    deletes,
    removes: context.withRemoves ? removes : [],
  }))
  const left = context.withRemoves ? [] : removedChains(diffs, context.installed)
  return {
    kind: 'switch',
    family: context.wanted.family,
    edits,
    after: () => (left.length === 0 ? context.wanted : withChains(context.wanted, left)),
  }
}

function removeStep(diffs: readonly TableDiff[], { wanted }: PlanContext): RestoreStep {
  const edits = diffs
    .filter((diff) => diff.removes.length > 0)
    .map(({ table, removes }) => ({ table, writes: [], ensures: [], inserts: [], deletes: [], removes }))
  return { kind: 'remove', family: wanted.family, edits, after: () => wanted }
}

function removedChains(diffs: readonly TableDiff[], installed: Ruleset): readonly CreatedChain[] {
  return diffs.flatMap(({ table, removes }) =>
    removes.flatMap((name) => {
      const chain = installed.tables[table]?.get(name)
      return chain === undefined ? [] : [{ table, chain }]
    }),
  )
}

function withChains(ruleset: Ruleset, chains: readonly CreatedChain[]): Ruleset {
  const tables: { [name in TableName]?: Map<string, Chain> } = {}
  for (const name of tableNames) {
    const table = ruleset.tables[name]
    if (table !== undefined) tables[name] = new Map(table)
  }
  for (const { table, chain } of chains) {
    const target = tables[table] ?? new Map<string, Chain>()
    tables[table] = target
    target.set(chain.name, chain)
  }
  return { family: ruleset.family, tables }
}

function countOf(chains: readonly Chain[]): number {
  return chains.reduce((sum, chain) => sum + chain.rules.length, 0)
}
