// Trace → sentences that name Services instead of hashes. Ways that share their first steps share them in the text.

import { type Explanation, joinHostPort, type ObjectRef, printRef } from '@kubewire/kube-model'
import { matchDefinition } from './match/registry.ts'
import type { Rule } from './ruleset/rule.ts'
import type { PacketState } from './simulate/packet.ts'
import type { Outcome, Trace, TraceStep } from './simulate/trace.ts'
import { targetDefinition } from './target/registry.ts'

/**
 * Tells what happens to a packet: one line a rule that decided, with what it changed and the Service it is from.
 *
 * @example
 * printExplanation(explainPacket(simulatePacket(ruleset, packet, machine)))
 */
export function explainPacket(trace: Trace): Explanation {
  const { source, sourcePort, destination, destinationPort, protocol } = trace.packet
  const from = sourcePort === undefined ? source.text : joinHostPort(source.text, sourcePort)
  const to = destinationPort === undefined ? destination.text : joinHostPort(destination.text, destinationPort)
  const summary = [...new Set(trace.outcomes.map(summarize))].join('; or ')
  return {
    where: `${protocol} ${from} → ${to}`,
    what: summary === '' ? 'nothing is known' : summary,
    ...(trace.isCut ? { why: 'too many matches are unknown; some ways are left out' } : {}),
    steps: tree(trace.outcomes, 0),
  }
}

/** What finally happens, in words. */
function summarize({ verdict, packet, rejectsWith }: Outcome): string {
  if (verdict === 'drop') return 'is dropped'
  if (verdict === 'reject') return `is rejected${rejectsWith ? ` with ${rejectsWith}` : ''}`
  const source = packet.isSnat ? 'from an address of this node' : 'with its own source'
  return packet.isDnat ? `reaches ${endpointOf(packet)} ${source}` : `goes on untranslated ${source}`
}

function endpointOf(packet: PacketState): string {
  const { destination, destinationPort } = packet
  return destinationPort === undefined ? destination.text : joinHostPort(destination.text, destinationPort)
}

function tree(outcomes: readonly Outcome[], depth: number): readonly Explanation[] {
  const groups = new Map<TraceStep | undefined, Outcome[]>()
  for (const outcome of outcomes) {
    const step = outcome.steps[depth]
    groups.set(step, [...(groups.get(step) ?? []), outcome])
  }
  return [...groups].flatMap(([step, members]) => {
    if (step === undefined) return members.map(ending)
    const rest = tree(members, depth + 1)
    // A line of steps stays a line; only a choice is indented.
    return rest.length > 1 || groups.size > 1 ? [{ ...explainStep(step), steps: rest }] : [explainStep(step), ...rest]
  })
}

function ending(outcome: Outcome): Explanation {
  const { assumptions, probability } = outcome
  // Chances count among the ways with the same assumptions, and sum up to more than one over all of them.
  const why = assumptions.length === 0 ? {} : { why: `assuming ${[...new Set(assumptions)].join(' and ')}` }
  return { where: 'result', what: summarize(outcome), ...why, probability }
}

function explainStep(step: TraceStep): Explanation {
  const where = `${step.table} ${step.hook === step.chain ? step.chain : `${step.hook} ${step.chain}`}`
  if (step.rule === undefined) return { where, what: 'the policy drops the packet' }
  const { rule } = step
  const what = rule.target === undefined ? 'counts the packet' : targetDefinition(rule.target).describe(rule.target)
  const conditions = conditionsOf(rule)
  const assumed = step.assumes?.length ? `assuming ${step.assumes.join(' and ')}` : ''
  const why = [conditions, assumed].filter((part) => part !== '').join('; ')
  const change = step.after === undefined ? undefined : describeChange(step.before, step.after)
  return {
    where: `${where} rule ${step.position}`,
    what,
    ...(why === '' ? {} : { why }),
    ...(change === undefined ? {} : { changed: change }),
    ...(step.probability === undefined ? {} : { probability: step.probability }),
    ...originOf(rule),
  }
}

function conditionsOf(rule: Rule): string {
  const comment = rule.matches.find((match) => match.kind === 'comment')
  const others = rule.matches
    .filter((match) => match.kind !== 'comment' && match.kind !== 'statistic')
    .map((match) => matchDefinition(match).describe(match))
    .filter((text) => text !== '')
  const reason = others.join(', ')
  if (comment === undefined || comment.kind !== 'comment') return reason
  return reason === '' ? `"${comment.text}"` : `${reason}: "${comment.text}"`
}

function describeChange(before: PacketState, after: PacketState): string | undefined {
  if (!before.isDnat && after.isDnat) return `dst ${endpointOf(before)} → ${endpointOf(after)}`
  if (!before.isSnat && after.isSnat) return 'src becomes this node'
  if (before.mark !== after.mark) return `mark 0x${before.mark.toString(16)} → 0x${after.mark.toString(16)}`
  return undefined
}

function originOf(rule: Rule): { readonly origin: readonly ObjectRef[] } | Record<string, never> {
  const origin = rule.origin ?? originOfComment(rule)
  return origin === undefined ? {} : { origin: [origin] }
}

// Rules read from a kernel have no origin; kube-proxy's comments start with `namespace/name`.
function originOfComment(rule: Rule): ObjectRef | undefined {
  const comment = rule.matches.find((match) => match.kind === 'comment')
  if (comment === undefined || comment.kind !== 'comment') return undefined
  const match = /(?:^|for )([a-z0-9-]+)\/([a-z0-9-]+)(?::[a-z0-9-]+)?(?:$| )/.exec(comment.text)
  const [, namespace, name] = match ?? []
  return namespace === undefined || name === undefined ? undefined : { kind: 'Service', namespace, name }
}

/** Objects named by a trace, each once, as `Service shop/web`. */
export function tracedObjects(trace: Trace): readonly string[] {
  const refs = trace.outcomes.flatMap((outcome) =>
    outcome.steps.flatMap((step) => (step.rule === undefined ? [] : (originOf(step.rule)['origin'] ?? []))),
  )
  return [...new Set(refs.map(printRef))]
}
