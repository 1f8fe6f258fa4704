// One planned transaction → input for `iptables-restore --noflush`.

import { compareText, type IpFamily } from '@kubewire/kube-model'
import type { RestoreStep, TableEdit } from '../plan.ts'
import type { TableName } from '../ruleset/ruleset.ts'
import { printRestoreChain } from './print-restore.ts'
import { printRestoreRule } from './print-rule.ts'

/** A transaction as text, and how many rules it writes by table. */
export interface PrintedStep {
  readonly text: string
  readonly rules: Readonly<Partial<Record<TableName, number>>>
}

/** One transaction as input for `iptables-restore --noflush`, chain lines sorted. */
export function printStep(step: RestoreStep): string {
  return printCountedStep(step).text
}

/** The same for whoever wants to know how much it is. */
export function printCountedStep({ edits, family }: RestoreStep): PrintedStep {
  const rules: Partial<Record<TableName, number>> = {}
  let text = ''
  for (const edit of edits) {
    const printed = printEdit(edit, family)
    text += printed.text
    rules[edit.table] = (rules[edit.table] ?? 0) + printed.rules
  }
  return { text, rules }
}

function printEdit({ table, writes, ensures, inserts, deletes, removes }: TableEdit, family: IpFamily) {
  const declared = [...ensures, ...removes]
  const parts: string[] = []
  let rules = inserts.length
  for (const lot of writes) {
    const chains = lot.make()
    for (const { name, rules: list } of chains) {
      declared.push(name)
      rules += list.length
    }
    // Joined lot by lot: a string that is added to keeps all its pieces until the end.
    parts.push(chains.map((chain) => printRestoreChain(chain, family)).join(''))
  }
  // New rules first: a front end that moves is never without a rule.
  for (const { chain, rule } of inserts) parts.push(`-I ${chain} ${printRestoreRule(rule, family)}\n`)
  for (const { chain, rule } of deletes) parts.push(`-D ${chain} ${printRestoreRule(rule, family)}\n`)
  for (const name of removes.toSorted(compareText)) parts.push(`-X ${name}\n`)
  const heads = declared.sort(compareText).map((name) => `:${name} - [0:0]\n`)
  return { text: `*${table}\n${heads.join('')}${parts.join('')}COMMIT\n`, rules }
}
