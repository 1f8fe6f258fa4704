// One chain as a card: what led to it, the rules that decided with their neighbours, the object it was made for.

import { printSaveRule, type Rule, type Ruleset } from '@kubewire/iptables-gen'
import type { Explanation } from '@kubewire/kube-model'
import type { ChainVisit } from './chain-walk.ts'
import { type Card, type CardLine, plainCard } from './path.ts'
import { uniqueRefs } from './unique-refs.ts'

/** A card whose column is not known yet. */
export type CardDraft = Omit<Card, 'layer'>

/** The card of a visited chain; `leading` is the comment of the rule that jumped there, `stepAt` explains a rule. */
export function chainCard(
  ruleset: Ruleset,
  { id, table, hook, chain, rules }: ChainVisit,
  leading: string | undefined,
  stepAt: (place: string) => Explanation | undefined,
): CardDraft {
  const isBase = hook === chain
  const place = `${table} ${isBase ? chain : `${hook} ${chain}`}`
  const all = ruleset.tables[table]?.get(chain)?.rules ?? []
  const origins = uniqueRefs(all.flatMap(({ origin }) => origin ?? []))
  const note = isBase ? 'hook of the kernel' : leading
  return {
    ...plainCard,
    id,
    kind: 'chain',
    label: table,
    place: isBase ? `${table} · hook of the kernel` : `${table} · ${hook}`,
    title: chain,
    ...(note === undefined ? {} : { note }),
    lines: linesOf(all, rules, ruleset, (position) => stepAt(`${place} rule ${position}`)),
    // A chain that serves every Service is nobody's.
    objects: origins.length === 1 ? origins : [],
  }
}

/** The comment of a rule. */
export function commentOf(rule: Rule | undefined): string | undefined {
  const comment = rule?.matches.find((match) => match.kind === 'comment')
  return comment?.kind === 'comment' ? comment.text : undefined
}

// Shorter chains are shown whole; of others the rules that decided, with so many before and behind.
const shortChain = 10
const around = 2

function linesOf(
  all: readonly Rule[],
  decided: ReadonlySet<number>,
  { family }: Ruleset,
  stepAt: (position: number) => Explanation | undefined,
): readonly CardLine[] {
  const isShown = (position: number): boolean =>
    all.length <= shortChain || [...decided].some((one) => Math.abs(one - position) <= around)
  const lines: CardLine[] = []
  let hidden = 0
  const flush = (): void => {
    if (hidden > 0) lines.push({ text: `… ${hidden} more ${hidden === 1 ? 'rule' : 'rules'}`, isLit: false })
    hidden = 0
  }
  for (const [at, rule] of all.entries()) {
    const position = at + 1
    if (!isShown(position)) {
      hidden += 1
      continue
    }
    flush()
    const step = decided.has(position) ? stepAt(position) : undefined
    const note = step === undefined ? undefined : [step.what, step.changed].filter(Boolean).join('; ')
    lines.push({
      text: `${position}  ${printSaveRule(rule, family)}`,
      isLit: decided.has(position),
      ...(note === undefined ? {} : { note }),
    })
  }
  flush()
  return lines
}
