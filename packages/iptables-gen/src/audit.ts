// A slow look at what is installed: some chains at a time, so that a rule that somebody else changed by hand is found
// at a bounded cost. Which chains are due, and what is wrong with one; reading them is the caller's business.

import type { IpFamily } from '@kubewire/kube-model'
import type { Chain } from './ruleset/chain.ts'
import { PartTable } from './ruleset/part-table.ts'
import type { Ruleset } from './ruleset/ruleset.ts'
import { parseSave } from './text/parse-save.ts'
import { printSaveRule } from './text/print-rule.ts'

/** A chain to look at. */
export interface AuditedChain {
  readonly table: 'filter' | 'nat'
  readonly chain: Chain
}

/** What is due now, and where the next turn goes on. */
export interface AuditTurn {
  readonly due: readonly AuditedChain[]
  /** Place among the Services; 0: the round is over. */
  readonly next: number
}

/** Rounds in which the shared chains of a cluster of this many Services are looked at every time. */
const fewParts = 500

/**
 * The chains of one turn: those of some Services, and at the start of a round those that all Services share. In a small
 * cluster the shared ones are due in every turn.
 *
 * @param place - what the last turn gave as `next`, 0 at first
 * @param count - about how many chains of Services, at least those of one Service
 */
export function auditTurn(installed: Ruleset, place: number, count: number): AuditTurn {
  const due: AuditedChain[] = []
  const { filter, nat } = installed.tables
  if (!(nat instanceof PartTable) || !(filter instanceof PartTable)) return { due, next: 0 }
  if (place === 0 || nat.parts.length <= fewParts) {
    for (const chain of filter.frameChains().values()) due.push({ table: 'filter', chain })
    for (const chain of nat.frameChains().values()) due.push({ table: 'nat', chain })
  }
  let next = place
  let left = count
  for (; next < nat.parts.length && left > 0; next++) {
    const part = nat.parts[next]
    if (part === undefined) break
    for (const chain of nat.ownChains(part)) {
      due.push({ table: 'nat', chain })
      left -= 1
    }
  }
  return { due, next: next < nat.parts.length ? next : 0 }
}

/**
 * What is wrong with a chain, in words; `undefined` when it is as it was written. Built-in chains may hold rules of others.
 *
 * @param listing - output of `iptables -S CHAIN`; `undefined` when there is no such chain
 */
export function auditChain(
  { table, chain }: AuditedChain,
  listing: string | undefined,
  family: IpFamily,
): string | undefined {
  if (listing === undefined) return 'the chain is gone'
  const wanted = chain.rules.map((rule) => printSaveRule(rule, family))
  const found = readListing(listing, table, chain.name, family)
  const missing = wanted.find((rule) => !found.includes(rule))
  if (missing !== undefined) return `a rule is missing: ${missing}`
  if (chain.policy !== undefined) return undefined
  const foreign = found.find((rule) => !wanted.includes(rule))
  if (foreign !== undefined) return `a rule is not ours: ${foreign}`
  if (found.length !== wanted.length) return 'a rule is there twice'
  return found.every((rule, i) => rule === wanted[i]) || isUnordered(chain.name)
    ? undefined
    : 'the rules changed places'
}

// The chains that dispatch by address and port grow at their heads.
function isUnordered(name: string): boolean {
  return !/^KUBE-(?:SVC|SVL|EXT|FW|SEP)-/.test(name)
}

function readListing(listing: string, table: string, chain: string, family: IpFamily): readonly string[] {
  const rules = listing.split('\n').filter((line) => line.startsWith('-A '))
  // A jump is told from a target of a module by its chain being known.
  const targets = rules.flatMap((rule) => / -[jg] (KUBE-\S+)/.exec(rule)?.[1] ?? [])
  const heads = [...new Set([chain, ...targets])].map((name) => `:${name} - [0:0]\n`)
  const text = `*${table}\n${heads.join('')}${rules.map((rule) => `${rule}\n`).join('')}COMMIT\n`
  const { value } = parseSave(text, { family })
  return (value.tables[table as 'nat']?.get(chain)?.rules ?? []).map((rule) => printSaveRule(rule, family))
}
