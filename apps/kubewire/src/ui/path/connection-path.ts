// A packet's trace as a path: the chains it walks as cards, jumps as wires, endpoints at the end. Chains that its own
// chains could have led to are drawn dim, so that the way taken can be told from the ways not taken.

import { explainPacket, type Outcome, printSaveRule, type Ruleset, type Trace } from '@kubewire/iptables-gen'
import { type Explanation, joinHostPort, printPercent } from '@kubewire/kube-model'
import { type CardDraft, chainCard, commentOf } from './chain-card.ts'
import { type ChainVisit, type ChainWalk, chainId, walkChains } from './chain-walk.ts'
import { collapsePath } from './collapse-path.ts'
import { type LayerWire, layersOf } from './layers.ts'
import type { ObjectIndex } from './object-index.ts'
import { type Card, type PathAnswer, plainCard, type Wire } from './path.ts'

const start = 'question'

/** Where a packet goes, chain by chain. */
export function connectionPath(ruleset: Ruleset, trace: Trace, index: ObjectIndex): PathAnswer {
  const walk = walkChains(trace.outcomes, start, endId)
  const explanation = explainPacket(trace)
  const steps = stepsByPlace(explanation)
  const ends = new Map(trace.outcomes.map((outcome) => [endId(outcome), endCard(outcome, index)]))
  const dim = dimChains(ruleset, walk)
  const drafts: readonly CardDraft[] = [
    questionCard(trace, index),
    ...[...walk.visits.values()].map((visit) =>
      chainCard(ruleset, visit, leadingComment(ruleset, walk, visit), (place) => steps.get(place)),
    ),
    ...dim.cards,
    ...ends.values(),
  ]
  const wires = [...litWires(walk), ...dim.wires]
  const ids = drafts.map(({ id }) => id)
  const layers = layersOf(
    ids,
    wires.map(({ from, to }): LayerWire => ({ from, to, span: startsAtHook(from, to) ? 0 : 1 })),
  )
  const last = Math.max(...layers.values())
  const cards = drafts.map((draft): Card => {
    return { ...draft, layer: ends.has(draft.id) ? last : (layers.get(draft.id) ?? 0) }
  })
  return { ...summary(trace), path: collapsePath({ cards, wires }), explanation }
}

/** The kernel's own chain and what it jumps to stand in one column. */
function startsAtHook(from: string, to: string): boolean {
  const [table, hook, chain] = from.split(' ')
  return hook !== undefined && hook === chain && to.startsWith(`${table} ${hook} `)
}

function questionCard({ packet }: Trace, index: ObjectIndex): CardDraft {
  const { source, sourcePort, destination, destinationPort, protocol } = packet
  return {
    ...plainCard,
    id: start,
    kind: 'question',
    label: `${protocol} packet`,
    title: hostPort(destination.text, destinationPort),
    note: `from ${hostPort(source.text, sourcePort)}`,
    objects: index.ofAddress(destination.text),
  }
}

/** A wire says its share where the way before it parted. */
function litWires({ ways }: ChainWalk): readonly Wire[] {
  return ways.map(({ from, to, share }) => {
    const isPart = ways.some((other) => other.from === from && other.to !== to && other.share < 0.9999)
    const label = isPart && share < 0.9999 ? { label: printPercent(share) } : {}
    return { from, to, isLit: true, ...label }
  })
}

/** What the rule that jumped into the chain says of itself. */
function leadingComment(ruleset: Ruleset, { visits, ways }: ChainWalk, { id, chain }: ChainVisit): string | undefined {
  for (const { from } of ways.filter(({ to }) => to === id)) {
    const visit = visits.get(from)
    const rules = visit === undefined ? [] : (ruleset.tables[visit.table]?.get(visit.chain)?.rules ?? [])
    const jump = [...(visit?.rules ?? [])]
      .map((position) => rules[position - 1])
      .find((rule) => rule?.target?.kind === 'jump' && rule.target.chain === chain)
    const comment = commentOf(jump)
    if (comment !== undefined) return comment
  }
  return undefined
}

/** Chains that visited chains could have jumped to. */
function dimChains(
  ruleset: Ruleset,
  { visits }: ChainWalk,
): { readonly cards: readonly CardDraft[]; readonly wires: readonly Wire[] } {
  const cards = new Map<string, CardDraft>()
  const wires = new Map<string, Wire>()
  for (const [from, { table, hook, chain }] of visits) {
    const rules = ruleset.tables[table]?.get(chain)?.rules ?? []
    // Of a long chain only its last way out is worth a card.
    for (const rule of rules.length > 10 ? rules.slice(-1) : rules) {
      if (rule.target?.kind !== 'jump') continue
      const id = chainId(table, hook, rule.target.chain)
      if (visits.has(id)) continue
      cards.set(id, {
        ...plainCard,
        id,
        kind: 'chain',
        label: table,
        place: `${table} · ${hook}`,
        title: rule.target.chain,
        note: commentOf(rule) ?? 'not for this packet',
        isLit: false,
        lines: [{ text: printSaveRule(rule, ruleset.family), isLit: false }],
      })
      wires.set(`${from}\0${id}`, { from, to: id, isLit: false })
    }
  }
  return { cards: [...cards.values()], wires: [...wires.values()] }
}

function endId({ verdict, packet }: Outcome): string {
  return verdict === 'accept'
    ? `end ${hostPort(packet.destination.text, packet.destinationPort)} ${packet.isSnat}`
    : `end ${verdict}`
}

function endCard(outcome: Outcome, index: ObjectIndex): CardDraft {
  const { verdict, rejectsWith, packet } = outcome
  const id = endId(outcome)
  if (verdict !== 'accept') {
    const title = verdict === 'drop' ? 'dropped' : 'rejected'
    const note = rejectsWith === undefined ? {} : { note: `with ${rejectsWith}` }
    return { ...plainCard, id, kind: 'outcome', label: 'verdict', title, ...note, tone: 'bad' }
  }
  return {
    ...plainCard,
    id,
    kind: packet.isDnat ? 'endpoint' : 'outcome',
    label: packet.isDnat ? 'endpoint' : 'untranslated',
    title: hostPort(packet.destination.text, packet.destinationPort),
    note: packet.isSnat ? 'source: this node' : 'source: unchanged',
    tone: packet.isDnat ? 'good' : 'plain',
    objects: index.ofAddress(packet.destination.text),
  }
}

function summary({ outcomes, isCut }: Trace): Pick<PathAnswer, 'headline' | 'tone' | 'remarks'> {
  const places = [...new Set(outcomes.filter(isTranslated).map(({ packet }) => placeOf(packet)))]
  const others = [...new Set(outcomes.filter((outcome) => !isTranslated(outcome)).map(tellOther))]
  const reaches = places.length === 1 ? `reaches ${places[0]}` : `reaches one of ${places.length} endpoints`
  const text = [...(places.length === 0 ? [] : [reaches]), ...others].join(', or ')
  const assumptions = [...new Set(outcomes.flatMap((outcome) => outcome.assumptions))]
  return {
    headline: text === '' ? 'Nothing is known' : `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
    tone: outcomes.some(({ verdict }) => verdict !== 'accept') ? 'bad' : places.length > 0 ? 'good' : 'plain',
    remarks: [
      ...sourceRemark(outcomes),
      ...(assumptions.length === 0 ? [] : [`assuming ${assumptions.join(' and ')}`]),
      ...(isCut ? ['some ways are left out'] : []),
    ],
  }
}

function tellOther({ verdict, rejectsWith, packet }: Outcome): string {
  if (verdict === 'drop') return 'is dropped'
  if (verdict === 'reject') return `is rejected${rejectsWith === undefined ? '' : ` with ${rejectsWith}`}`
  return `goes on to ${placeOf(packet)}, no rule translates it`
}

function sourceRemark(outcomes: readonly Outcome[]): readonly string[] {
  const reached = outcomes.filter(({ verdict }) => verdict === 'accept')
  if (reached.length === 0) return []
  const masqueraded = reached.filter(({ packet }) => packet.isSnat).length
  if (masqueraded === reached.length) return ['masqueraded: it arrives from an address of this node']
  return [masqueraded === 0 ? 'it arrives with its own source' : 'masqueraded on some of the ways']
}

function isTranslated({ verdict, packet }: Outcome): boolean {
  return verdict === 'accept' && packet.isDnat
}

function placeOf({ destination, destinationPort }: Outcome['packet']): string {
  return hostPort(destination.text, destinationPort)
}

/** Every step of an explanation by its place: `nat PREROUTING rule 1`. */
function stepsByPlace(explanation: Explanation, into = new Map<string, Explanation>()): Map<string, Explanation> {
  if (!into.has(explanation.where)) into.set(explanation.where, explanation)
  for (const step of explanation.steps ?? []) stepsByPlace(step, into)
  return into
}

function hostPort(address: string, port: number | undefined): string {
  return port === undefined ? address : joinHostPort(address, port)
}
