// One planned transaction → input for `iptables-restore --noflush`, as a whole or part by part.

import { compareText, type IpFamily } from '@kubewire/kube-model'
import type { RestoreStep, TableEdit } from '../plan.ts'
import type { TableName } from '../ruleset/ruleset.ts'
import { printRestoreChain } from './print-restore.ts'
import { printRestoreRule } from './print-rule.ts'

/** A piece of a transaction, and how many rules it writes to which table. */
export interface StepPart {
  readonly text: string
  readonly table: TableName
  readonly rules: number
}

/** One transaction as input for `iptables-restore --noflush`, chain lines sorted. */
export function printStep(step: RestoreStep): string {
  return [...printStepParts(step)].map(({ text }) => text).join('')
}

/**
 * The same piece by piece, each made when it is taken: the program can read the first while the next is made.
 *
 * @param partRules - about how many rules of new chains are in a piece. Chain lines are sorted within a piece: with many
 * pieces iptables-nft takes a tenth longer, the legacy program does not care.
 */
export function* printStepParts(
  { edits, family }: RestoreStep,
  partRules: number = Number.POSITIVE_INFINITY,
): Generator<StepPart> {
  for (const edit of edits) yield* printEdit(edit, family, partRules)
}

function* printEdit(edit: TableEdit, family: IpFamily, partRules: number): Generator<StepPart> {
  const { table, creates, rewrites, ensures, inserts, deletes, removes } = edit
  let opening = `*${table}\n`
  // Chains that are there for all are declared first: the new ones jump to them.
  let declared = [...ensures, ...removes, ...rewrites.flatMap(({ names }) => names)]
  let lines: string[] = []
  let rules = 0
  const printLot = (): string => {
    // Without a function the order is that of `compareText`, in a third of the time.
    const heads = declared.sort().map((name) => `:${name} - [0:0]\n`)
    // Joined lot by lot: a string that is added to keeps all its pieces until the end.
    const text = [opening, ...heads, ...lines].join('')
    opening = ''
    declared = []
    lines = []
    return text
  }
  for (const { make } of creates) {
    for (const chain of make()) {
      declared.push(chain.name)
      lines.push(printRestoreChain(chain, family))
      rules += chain.rules.length
    }
    if (rules < partRules) continue
    yield { table, text: printLot(), rules }
    rules = 0
  }
  let ends = [printLot()]
  for (const { make } of rewrites)
    for (const chain of make()) {
      ends.push(printRestoreChain(chain, family))
      rules += chain.rules.length
      if (rules < partRules) continue
      yield { table, text: ends.join(''), rules }
      ends = []
      rules = 0
    }
  // New rules first: a front end that moves is never without a rule.
  for (const { chain, rule } of inserts) ends.push(`-I ${chain} ${printRestoreRule(rule, family)}\n`)
  for (const { chain, rule } of deletes) ends.push(`-D ${chain} ${printRestoreRule(rule, family)}\n`)
  for (const name of removes.toSorted(compareText)) ends.push(`-X ${name}\n`)
  yield { table, text: `${ends.join('')}COMMIT\n`, rules: rules + inserts.length }
}
