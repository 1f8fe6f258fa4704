// What is different between an installed and a wanted table. Of a wanted table in parts nothing is made that is not
// needed: two tables in parts are compared part by part, and new chains are made when their transaction comes.

import { deepEqual, type IpFamily } from '@kubewire/kube-model'
import { isDispatchChain, isHashedChain } from './proxy/chain-names.ts'
import type { Chain } from './ruleset/chain.ts'
import { type Part, PartTable } from './ruleset/part-table.ts'
import type { Rule } from './ruleset/rule.ts'
import type { Table, TableName } from './ruleset/ruleset.ts'
import { printSaveChain } from './text/print-restore.ts'
import { printSaveRule } from './text/print-rule.ts'

/** A rule and the chain it goes into or comes out of. */
export interface RuleOfChain {
  readonly chain: string
  readonly rule: Rule
}

/** New chains that are complete together: they jump to each other and to what is there already. */
export interface NewChains {
  /** About how many rules. */
  readonly ruleCount: number
  make(): readonly Chain[]
}

/** Chains that are written whole, made when their transaction comes. */
export interface RewrittenChains {
  readonly names: readonly string[]
  /** The chains, or pieces of them in the order of their rules, so that nobody holds ten thousand rules. */
  make(): Iterable<Chain>
}

/** What has to happen to one table. */
export interface TableDiff {
  readonly table: TableName
  /** Chains to which nothing leads yet; each lot after those that it jumps to. */
  readonly creates: readonly NewChains[]
  /** Chains that traffic uses, emptied (or made) and filled. */
  readonly rewrites: readonly RewrittenChains[]
  /** Made if missing, content left alone. */
  readonly ensures: readonly string[]
  readonly inserts: readonly RuleOfChain[]
  readonly deletes: readonly RuleOfChain[]
  readonly removes: readonly string[]
}

/** What decides how a difference is made up for. */
export interface DiffOptions {
  readonly family: IpFamily
}

type Draft = { -readonly [key in Exclude<keyof TableDiff, 'table'>]: TableDiff[key][number][] }

/** The difference of one table; `undefined` when there is none. */
export function diffTable(
  table: TableName,
  installed: Table | undefined,
  wanted: Table | undefined,
  options: DiffOptions,
): TableDiff | undefined {
  if (wanted === undefined || wanted === installed) return undefined
  const draft: Draft = { creates: [], rewrites: [], ensures: [], inserts: [], deletes: [], removes: [] }
  const context: Context = { ...options, table, draft }
  if (!(wanted instanceof PartTable)) diffChains(installed ?? new Map(), wanted, context)
  else if (installed instanceof PartTable) diffParts(installed, wanted, context)
  else diffWithSaved(installed ?? new Map(), wanted, context)
  const isEmpty = Object.values(draft).every((list) => list.length === 0)
  return isEmpty ? undefined : { table, ...draft }
}

interface Context extends DiffOptions {
  readonly table: TableName
  readonly draft: Draft
}

// Both were made here: only parts that are not the same value can differ.
function diffParts<P extends Part>(installed: PartTable<P>, wanted: PartTable<P>, context: Context): void {
  const { draft } = context
  const places = new Map<string, RuleLists>()
  for (const { before, after } of wanted.changesSince(installed)) {
    for (const { name, rules } of (before && installed.maker.shared(before)) ?? [])
      listsOf(places, name).old.push(...rules)
    for (const { name, rules } of (after && wanted.maker.shared(after)) ?? []) listsOf(places, name).now.push(...rules)
    if (before === undefined && after !== undefined) {
      createLater(after, wanted, draft)
      continue
    }
    const left = new Map((before ? installed.ownChains(before) : []).map((chain) => [chain.name, chain]))
    const fresh: Chain[] = []
    for (const chain of after ? wanted.ownChains(after) : []) {
      const old = left.get(chain.name)
      left.delete(chain.name)
      if (old === undefined) fresh.push(chain)
      else if (!deepEqual(old.rules, chain.rules)) draft.rewrites.push(rewritten(chain))
    }
    if (fresh.length > 0) draft.creates.push({ ruleCount: countOf(fresh), make: () => fresh })
    draft.removes.push(...left.keys())
  }
  for (const [name, frame] of wanted.frame) {
    const { old, now } = places.get(name) ?? { old: [], now: [] }
    if (!deepEqual(installed.frame.get(name), frame)) {
      const chain = wanted.frameChain(name)
      if (chain !== undefined) diffChain(installed.frameChain(name), chain, context)
    } else placeEdits(name, diffRules(old, now, context.family), wanted, context)
  }
}

function createLater<P extends Part>(part: P, wanted: PartTable<P>, draft: Draft): void {
  const ruleCount = wanted.maker.estimate(part)
  if (ruleCount > 0) draft.creates.push({ ruleCount, make: () => wanted.ownChains(part) })
}

interface RuleLists {
  readonly old: Rule[]
  readonly now: Rule[]
}

function listsOf(places: Map<string, RuleLists>, name: string): RuleLists {
  const lists = places.get(name) ?? { old: [], now: [] }
  places.set(name, lists)
  return lists
}

// What the kernel holds, read back or nothing at all.
function diffWithSaved(installed: Table, wanted: PartTable, context: Context): void {
  const { draft, table } = context
  diffFrame(installed, wanted, context)
  const stale = new Set(table === 'nat' ? [...installed.keys()].filter(isHashedChain) : [])
  if (stale.size === 0) createLots(wanted, draft)
  else diffOwnChains(installed, wanted, stale, context)
  draft.removes.push(...stale)
}

/** Takes what is still wanted out of `stale`. */
function diffOwnChains(installed: Table, wanted: PartTable, stale: Set<string>, { draft, family }: Context): void {
  for (const part of wanted.parts) {
    const fresh: Chain[] = []
    for (const chain of wanted.ownChains(part)) {
      const old = installed.get(chain.name)
      stale.delete(chain.name)
      if (old === undefined) fresh.push(chain)
      else if (printSaveChain(old, family) !== printSaveChain(chain, family)) draft.rewrites.push(rewritten(chain))
    }
    if (fresh.length > 0) draft.creates.push({ ruleCount: countOf(fresh), make: () => fresh })
  }
}

// Rules of new chains that are made together, about: what is one Service's alone would cost more to keep than to make.
const lotRules = 100

function createLots<P extends Part>(wanted: PartTable<P>, draft: Draft): void {
  const { parts, maker } = wanted
  const add = (from: number, to: number, ruleCount: number): void => {
    if (ruleCount === 0) return
    draft.creates.push({ ruleCount, make: () => parts.slice(from, to).flatMap((part) => wanted.ownChains(part)) })
  }
  let [from, count] = [0, 0]
  for (let i = 0; i < parts.length; i++) {
    count += maker.estimate(parts[i] as P)
    if (count < lotRules) continue
    add(from, i + 1, count)
    from = i + 1
    count = 0
  }
  add(from, parts.length, count)
}

// Parts add to the dispatch chains alone. Where those are missing their rules are not made before their transaction
// comes, which is the last one: the kernel has been at work for long by then.
function diffFrame(installed: Table, wanted: PartTable, context: Context): void {
  const { draft, table } = context
  const fresh = new Set<string>()
  const known = new Set<string>()
  for (const name of wanted.frame.keys()) {
    const before = installed.get(name)
    if (!isDispatchChain(table, name)) diffChain(before, wanted.plainChain(name), context)
    else (before === undefined ? fresh : known).add(name)
  }
  if (known.size > 0)
    for (const [name, chain] of wanted.frameChains(known)) diffChain(installed.get(name), chain, context)
  if (fresh.size > 0) draft.rewrites.push({ names: [...fresh], make: () => wanted.framePieces(fresh) })
}

function rewritten(chain: Chain): RewrittenChains {
  return { names: [chain.name], make: () => [chain] }
}

// Tables of which nothing is known but their chains.
function diffChains(installed: Table, wanted: Table, context: Context): void {
  const { draft, table } = context
  for (const chain of jumpedToFirst([...wanted.values()])) diffChain(installed.get(chain.name), chain, context)
  if (table !== 'nat') return
  for (const name of installed.keys()) if (isHashedChain(name) && !wanted.has(name)) draft.removes.push(name)
}

function diffChain(before: Chain | undefined, chain: Chain, { draft, table, family }: Context): void {
  if (before === chain) return
  const isDispatch = isDispatchChain(table, chain.name)
  if (chain.policy !== undefined) draft.inserts.push(...missingJumps(chain, before, family))
  else if (isShared(chain)) draft.ensures.push(...(before === undefined ? [chain.name] : []))
  else if (before === undefined && isDispatch) draft.rewrites.push(rewritten(chain))
  else if (before === undefined) draft.creates.push({ ruleCount: chain.rules.length, make: () => [chain] })
  else if (isDispatch) {
    const edits = diffRules(before.rules, chain.rules, family)
    const isFixed = [...edits.added, ...edits.removed].some((rule) => rule.origin === undefined && isNodePortJump(rule))
    if (edits.added.length + edits.removed.length === 0) return
    if (!isFixed && isEditable(chain.rules.length, edits)) pushEdits(chain.name, edits, draft)
    else draft.rewrites.push(rewritten(chain))
  } else if (printSaveChain(before, family) !== printSaveChain(chain, family)) draft.rewrites.push(rewritten(chain))
}

// Rules of services in a chain whose own rules are as they were.
function placeEdits(name: string, edits: RuleEdits, wanted: PartTable, { draft }: Context): void {
  if (edits.added.length + edits.removed.length === 0) return
  if (isEditable(wanted.parts.length, edits)) pushEdits(name, edits, draft)
  else draft.rewrites.push({ names: [name], make: () => wanted.framePieces(new Set([name])) })
}

// KUBE-FIREWALL without rules of ours belongs to the kubelet: it must exist, its content is not ours to clear.
function isShared(chain: Chain): boolean {
  return chain.name === 'KUBE-FIREWALL' && chain.rules.length === 0
}

// The wanted chain lists the jumps as they stand; each is inserted at the head, so the last one goes first.
function missingJumps(chain: Chain, before: Chain | undefined, family: IpFamily): readonly RuleOfChain[] {
  const present = new Set(before?.rules.map((rule) => printSaveRule(rule, family)))
  return chain.rules
    .toReversed()
    .filter((rule) => !present.has(printSaveRule(rule, family)))
    .map((rule) => ({ chain: chain.name, rule }))
}

interface RuleEdits {
  readonly added: readonly Rule[]
  readonly removed: readonly Rule[]
}

// Below this size a chain is cheaper to rewrite than to edit, and so it is for many edits.
const smallChain = 100
const maxEdits = 64

function isEditable(size: number, { added, removed }: RuleEdits): boolean {
  return size > smallChain && added.length + removed.length <= maxEdits
}

function pushEdits(chain: string, { added, removed }: RuleEdits, draft: Draft): void {
  for (const rule of added) draft.inserts.push({ chain, rule })
  for (const rule of removed) draft.deletes.push({ chain, rule })
}

// The jump to the node ports has its place at the end, so a chain in which it changes is rewritten.
function isNodePortJump(rule: Rule): boolean {
  return rule.target?.kind === 'jump' && rule.target.chain === 'KUBE-NODEPORTS'
}

/** Rules of one list that the other lacks, as multisets; order does not count. */
function diffRules(before: readonly Rule[], after: readonly Rule[], family: IpFamily): RuleEdits {
  const left = new Map<string, Rule[]>()
  for (const rule of before) {
    const text = printSaveRule(rule, family)
    const same = left.get(text)
    if (same === undefined) left.set(text, [rule])
    else same.push(rule)
  }
  const added = after.filter((rule) => left.get(printSaveRule(rule, family))?.pop() === undefined)
  return { added, removed: [...left.values()].flat() }
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

function countOf(chains: readonly Chain[]): number {
  return chains.reduce((sum, chain) => sum + chain.rules.length, 0)
}
