// Follows a packet through the hooks of one machine. Knows netfilter only: never a Service, never our chain names.

import type { Ruleset } from '../ruleset/ruleset.ts'
import { forward, input, loopbackPrerouting, output, postrouting, prerouting, type Stage } from './hooks.ts'
import { enterPacket, isLocalAddress, type Machine, type Packet, type PacketState } from './packet.ts'
import type { Outcome, Trace, TraceStep } from './trace.ts'
import { type Branch, type ChainResult, type StepList, type WalkLimits, walkChain } from './walk-chain.ts'

const maxUndecided = 2000

/**
 * Follows the first packet of a connection through a ruleset.
 *
 * Random picks are enumerated with exact probabilities. Matches that nothing is known about are followed both ways and
 * named in `assumptions`.
 *
 * @param ruleset - built by `buildRuleset` or read by `parseSave`
 * @param machine - local addresses, and which `recent` lists hold the source
 * @returns every way the packet can go
 * @example
 * simulatePacket(ruleset, packet, { localAddresses: [] }).outcomes.map((o) => o.packet.destination.text)
 */
export function simulatePacket(ruleset: Ruleset, packet: Packet, machine: Machine): Trace {
  const limits: WalkLimits = { branchesLeft: maxUndecided, isCut: false }
  const run: Run = { ruleset, limits, outcomes: [] }
  const start: Branch = { packet: enterPacket(packet, machine), probability: 1, steps: undefined }
  if (packet.entry === 'local') runOutgoing(run, start)
  else runArriving(run, start)
  return { packet, outcomes: run.outcomes, isCut: limits.isCut }
}

interface Run {
  readonly ruleset: Ruleset
  readonly limits: WalkLimits
  readonly outcomes: Outcome[]
}

function runArriving(run: Run, start: Branch): void {
  for (const branch of runStages(run, prerouting, [start], 'forward')) {
    if (isLocalAddress(branch.packet.machine, branch.packet.destination)) {
      for (const end of runStages(run, input, [branch], 'input')) finish(run, end, 'input')
    } else {
      for (const end of runStages(run, [...forward, ...postrouting], [branch], 'forward')) finish(run, end, 'forward')
    }
  }
}

function runOutgoing(run: Run, start: Branch): void {
  for (const branch of runStages(run, [...output, ...postrouting], [leaving(start)], 'output')) {
    if (!isLocalAddress(branch.packet.machine, branch.packet.destination)) {
      finish(run, branch, 'output')
      continue
    }
    const back = { ...branch, packet: { ...branch.packet, inInterface: 'lo' } }
    for (const end of runStages(run, [...loopbackPrerouting, ...input], [back], 'input')) finish(run, end, 'input')
  }
}

// A packet to ourselves leaves by `lo`; DNAT in OUTPUT may route it anew, which only changes a name we were given.
function leaving(branch: Branch): Branch {
  const isLoopback = isLocalAddress(branch.packet.machine, branch.packet.destination)
  return isLoopback ? { ...branch, packet: { ...branch.packet, outInterface: 'lo' } } : branch
}

function runStages(
  run: Run,
  stages: readonly Stage[],
  start: readonly Branch[],
  path: Outcome['path'],
): readonly Branch[] {
  let open = start
  for (const stage of stages) {
    const next: Branch[] = []
    for (const branch of open) {
      for (const result of runStage(run, stage, branch)) {
        if (result.end === 'drop' || result.end === 'reject') refuse(run, result, path)
        else next.push(result.branch)
      }
    }
    open = next
  }
  return open
}

function runStage(run: Run, stage: Stage, branch: Branch): readonly ChainResult[] {
  const table = run.ruleset.tables[stage.table]
  const chain = table?.get(stage.hook)
  // The nat table sees only the first packet of a connection.
  const isSkipped = stage.table === 'nat' && branch.packet.connection !== 'NEW'
  if (table === undefined || chain === undefined || isSkipped) return [{ branch, end: 'through' }]
  const packet: PacketState = { ...branch.packet, hook: stage.hook }
  return walkChain(table, chain, { ...branch, packet }, stage, run.limits).map((result) => {
    if (result.end !== 'through' || chain.policy !== 'DROP') return result
    const step: TraceStep = {
      table: stage.table,
      hook: stage.hook,
      chain: chain.name,
      position: 0,
      before: result.branch.packet,
    }
    return { branch: { ...result.branch, steps: { step, previous: result.branch.steps } }, end: 'drop' as const }
  })
}

function refuse(run: Run, { branch, end, rejectsWith }: ChainResult, path: Outcome['path']): void {
  const verdict = end === 'reject' ? 'reject' : 'drop'
  run.outcomes.push({ ...outcome(branch, path, verdict), ...(rejectsWith === undefined ? {} : { rejectsWith }) })
}

function finish(run: Run, branch: Branch, path: Outcome['path']): void {
  run.outcomes.push(outcome(branch, path, 'accept'))
}

function outcome(branch: Branch, path: Outcome['path'], verdict: Outcome['verdict']): Outcome {
  const steps = toArray(branch.steps)
  const assumptions = steps.flatMap((step) => step.assumes ?? [])
  return { verdict, probability: branch.probability, packet: branch.packet, path, steps, assumptions }
}

function toArray(list: StepList | undefined): readonly TraceStep[] {
  const steps: TraceStep[] = []
  for (let at = list; at !== undefined; at = at.previous) steps.push(at.step)
  return steps.reverse()
}
