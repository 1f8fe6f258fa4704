// A packet's trace → the chains it visited, how it came from one to the other, and how likely each way is.

import type { Outcome, TableName } from '@kubewire/iptables-gen'

/** A chain of one hook, with the rules that decided there. */
export interface ChainVisit {
  readonly id: string
  readonly table: TableName
  readonly hook: string
  readonly chain: string
  /** Positions, from 1. */
  readonly rules: Set<number>
}

/** A way from one chain to another, or into the packet's end. */
export interface ChainWay {
  readonly from: string
  readonly to: string
  /** Probability that a packet takes it. */
  share: number
}

/** What was walked. */
export interface ChainWalk {
  readonly visits: ReadonlyMap<string, ChainVisit>
  readonly ways: readonly ChainWay[]
}

/** Name of a chain in a path. */
export function chainId(table: string, hook: string, chain: string): string {
  return `${table} ${hook} ${chain}`
}

/** Follows all outcomes from `start`; `endOf` names the card that an outcome ends in. */
export function walkChains(
  outcomes: readonly Outcome[],
  start: string,
  endOf: (outcome: Outcome) => string,
): ChainWalk {
  const visits = new Map<string, ChainVisit>()
  const ways = new Map<string, ChainWay>()
  const go = (from: string, to: string, share: number): void => {
    const way = ways.get(`${from}\0${to}`)
    if (way === undefined) ways.set(`${from}\0${to}`, { from, to, share })
    else way.share += share
  }
  for (const outcome of outcomes) {
    let before = start
    let stage = ''
    let seen = new Set<string>()
    for (const { table, hook, chain, position } of outcome.steps) {
      const id = chainId(table, hook, chain)
      if (`${table} ${hook}` !== stage) seen = new Set()
      stage = `${table} ${hook}`
      // A chain that was left by a jump and is back is walked on, not entered again.
      if (!seen.has(id)) go(before, id, outcome.probability)
      seen.add(id)
      before = id
      const visit = visits.get(id) ?? { id, table, hook, chain, rules: new Set<number>() }
      visit.rules.add(position)
      visits.set(id, visit)
    }
    go(before, endOf(outcome), outcome.probability)
  }
  return { visits, ways: [...ways.values()] }
}
