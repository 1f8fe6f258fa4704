// Evaluates one chain for one packet, all ways at once: where chance or an unknown match decides, both are followed.

import { matchDefinition } from '../match/registry.ts'
import type { Chain } from '../ruleset/chain.ts'
import type { Rule } from '../ruleset/rule.ts'
import type { Table } from '../ruleset/ruleset.ts'
import type { Effect } from '../target/define.ts'
import { targetDefinition } from '../target/registry.ts'
import type { Stage } from './hooks.ts'
import type { PacketState } from './packet.ts'
import type { TraceStep } from './trace.ts'

/** Steps as a list that branches share. */
export interface StepList {
  readonly step: TraceStep
  readonly previous: StepList | undefined
}

/** One way so far. */
export interface Branch {
  readonly packet: PacketState
  readonly probability: number
  readonly steps: StepList | undefined
}

/** How a way left a chain. */
export interface ChainResult {
  readonly branch: Branch
  /** `through`: no rule decided, the caller goes on; `returned`: the caller of this chain goes on (RETURN, goto). */
  readonly end: 'through' | 'returned' | 'accept' | 'drop' | 'reject'
  readonly rejectsWith?: string
}

/** Bounds of one simulation; shared by all chains of a packet. */
export interface WalkLimits {
  branchesLeft: number
  isCut: boolean
}

const maxDepth = 64

/** Runs a packet through a chain of a table. */
export function walkChain(
  table: Table,
  chain: Chain,
  start: Branch,
  stage: Stage,
  limits: WalkLimits,
  depth = 0,
): readonly ChainResult[] {
  if (depth > maxDepth) throw new Error(`chains are nested deeper than ${maxDepth}: the kernel would refuse them`)
  const results: ChainResult[] = []
  let open: Branch[] = [start]
  for (const [i, rule] of chain.rules.entries()) {
    if (open.length === 0) break
    const next: Branch[] = []
    for (const branch of open) {
      const match = matchRule(rule, branch.packet)
      if (match.probability < 1 || match.unknown.length > 0) {
        const missed = match.unknown.length > 0 ? 1 : 1 - match.probability
        next.push({ ...branch, probability: branch.probability * missed })
      }
      if (match.probability === 0 || !mayBranch(match, limits)) continue
      const matched = enterRule(branch, rule, { chain, position: i + 1, stage, match })
      for (const result of applyTarget(rule, matched, { table, stage, limits, depth })) {
        if (result.end === 'through') next.push(result.branch)
        else results.push(result)
      }
    }
    open = next
  }
  // Whoever called this chain goes on, whether we fell off its end or returned early.
  return [
    ...results.map((result) => (result.end === 'returned' ? { ...result, end: 'through' as const } : result)),
    ...open.map((branch) => ({ branch, end: 'through' as const })),
  ]
}

interface RuleMatch {
  readonly probability: number
  readonly unknown: readonly string[]
}

function matchRule(rule: Rule, packet: PacketState): RuleMatch {
  let probability = 1
  let unknown: string[] | undefined
  for (const match of rule.matches) {
    const definition = matchDefinition(match)
    const holds = definition.holds(match, packet)
    if (holds === false) return { probability: 0, unknown: [] }
    if (holds === 'unknown') unknown = [...(unknown ?? []), definition.describe(match)]
    else if (holds !== true) probability *= holds
  }
  return { probability, unknown: unknown ?? [] }
}

// Every undecided rule may double the number of ways; past the bound only the way without it is followed.
function mayBranch(match: RuleMatch, limits: WalkLimits): boolean {
  if (match.unknown.length === 0) return true
  limits.branchesLeft--
  if (limits.branchesLeft >= 0) return true
  limits.isCut = true
  return false
}

function enterRule(
  branch: Branch,
  rule: Rule,
  at: { readonly chain: Chain; readonly position: number; readonly stage: Stage; readonly match: RuleMatch },
): Branch {
  const { chain, position, stage, match } = at
  const step: TraceStep = {
    table: stage.table,
    hook: stage.hook,
    chain: chain.name,
    position,
    rule,
    before: branch.packet,
    ...(match.probability < 1 ? { probability: match.probability } : {}),
    ...(match.unknown.length > 0 ? { assumes: match.unknown } : {}),
  }
  return {
    packet: branch.packet,
    probability: branch.probability * match.probability,
    steps: { step, previous: branch.steps },
  }
}

function applyTarget(
  rule: Rule,
  branch: Branch,
  context: { readonly table: Table; readonly stage: Stage; readonly limits: WalkLimits; readonly depth: number },
): readonly ChainResult[] {
  if (rule.target === undefined) return [{ branch, end: 'through' }]
  const effect = targetDefinition(rule.target).act(rule.target, branch.packet)
  switch (effect.kind) {
    case 'continue':
      return [{ branch: changed(branch, effect.packet), end: 'through' }]
    case 'accept':
      return [{ branch: changed(branch, effect.packet), end: 'accept' }]
    case 'drop':
      return [{ branch, end: 'drop' }]
    case 'reject':
      return [{ branch, end: 'reject', rejectsWith: effect.with }]
    case 'jump':
      return jumpTo(effect, branch, context)
    case 'return':
      return [{ branch, end: 'returned' }]
    case 'unknown':
      return [
        { branch, end: 'through' },
        { branch, end: 'accept' },
      ]
  }
}

function jumpTo(
  effect: Extract<Effect, { readonly kind: 'jump' }>,
  branch: Branch,
  context: { readonly table: Table; readonly stage: Stage; readonly limits: WalkLimits; readonly depth: number },
): readonly ChainResult[] {
  const chain = context.table.get(effect.chain)
  if (chain === undefined) return [{ branch, end: 'through' }]
  const results = walkChain(context.table, chain, branch, context.stage, context.limits, context.depth + 1)
  // After a goto the end of the other chain is the end of this one.
  if (effect.returns) return results
  return results.map((result) => (result.end === 'through' ? { ...result, end: 'returned' as const } : result))
}

function changed(branch: Branch, packet: PacketState): Branch {
  if (packet === branch.packet || branch.steps === undefined) return { ...branch, packet }
  const { step, previous } = branch.steps
  return { ...branch, packet, steps: { step: { ...step, after: packet }, previous } }
}
