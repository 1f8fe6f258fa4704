// One planned transaction → input for `iptables-restore --noflush`.

import { compareText, type IpFamily } from '@kubewire/kube-model'
import type { RestoreStep, TableEdit } from '../plan.ts'
import { printRestoreChain } from './print-restore.ts'
import { printRestoreRule } from './print-rule.ts'

/** One transaction as input for `iptables-restore --noflush`, chain lines sorted. */
export function printStep(step: RestoreStep): string {
  return printEdits(step.edits(), step.family)
}

/** The same for whoever wants to look at the edits of a step too. */
export function printEdits(edits: readonly TableEdit[], family: IpFamily): string {
  return edits.map((edit) => printEdit(edit, family)).join('')
}

function printEdit(edit: TableEdit, family: IpFamily): string {
  const { writes, ensures, inserts, deletes, removes } = edit
  const declared = [...writes.map((chain) => chain.name), ...ensures, ...removes].sort(compareText)
  const ordered = writes.toSorted((a, b) => compareText(a.name, b.name))
  const parts = [`*${edit.table}\n`]
  for (const name of declared) parts.push(`:${name} - [0:0]\n`)
  for (const chain of ordered) parts.push(printRestoreChain(chain, family))
  // New rules first: a front end that moves is never without a rule.
  for (const { chain, rule } of inserts) parts.push(`-I ${chain} ${printRestoreRule(rule, family)}\n`)
  for (const { chain, rule } of deletes) parts.push(`-D ${chain} ${printRestoreRule(rule, family)}\n`)
  for (const name of removes.toSorted(compareText)) parts.push(`-X ${name}\n`)
  return `${parts.join('')}COMMIT\n`
}
