// Compares states in the words of iptables-save. Order counts in every chain except the dispatch chains, which are
// sets with the node-port jumps last.

import { parseSave } from '../text/parse-save.ts'
import { printSave } from '../text/print-restore.ts'

/** Rule lines by table and chain. Built-in chains without rules are left out. */
export type SavedTables = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

const dispatch = new Set([
  'nat KUBE-SERVICES',
  'nat KUBE-NODEPORTS',
  'filter KUBE-SERVICES',
  'filter KUBE-EXTERNAL-SERVICES',
  'filter KUBE-NODEPORTS',
  'filter KUBE-PROXY-FIREWALL',
])

/** Reads text of iptables-save. */
export function readSaved(text: string): SavedTables {
  const tables = new Map<string, Map<string, string[]>>()
  let chains = new Map<string, string[]>()
  for (const raw of text.split('\n')) {
    const line = raw.replace(/^\[\d+:\d+\] /, '').trimEnd()
    if (line.startsWith('*')) {
      chains = tables.get(line.slice(1)) ?? new Map()
      tables.set(line.slice(1), chains)
    } else if (line.startsWith(':')) {
      const name = line.slice(1, line.indexOf(' '))
      if (!chains.has(name)) chains.set(name, [])
    } else if (line.startsWith('-A ')) {
      const name = line.split(' ')[1] ?? ''
      const rules = chains.get(name) ?? []
      chains.set(name, rules)
      rules.push(line)
    }
  }
  return tables
}

/** A text in restore form as iptables-save would print it. */
export function toSaveForm(restoreText: string, family: 4 | 6): string {
  return printSave(parseSave(restoreText, { family }).value)
}

/** One rule line in restore form as iptables-save would print it. */
export function ruleToSaveForm(table: string, line: string, family: 4 | 6): string {
  const chains = new Set([
    line.split(' ')[1] ?? '',
    ...[...line.matchAll(/-j (KUBE-[A-Z0-9-]+)/g)].map((m) => m[1] ?? ''),
  ])
  const text = `*${table}\n${[...chains].map((name) => `:${name} - [0:0]\n`).join('')}${line}\nCOMMIT\n`
  return (
    toSaveForm(text, family)
      .split('\n')
      .find((found) => found.startsWith('-A ')) ?? line
  )
}

/** Why two contents of one chain differ, or undefined. `undefined` stands for a chain that does not exist. */
export function chainDifference(
  table: string,
  chain: string,
  wanted: readonly string[] | undefined,
  found: readonly string[] | undefined,
): string | undefined {
  if (wanted === undefined || found === undefined) {
    if (wanted === found) return undefined
    return wanted === undefined ? `${table} ${chain} should not exist` : `${table} ${chain} does not exist`
  }
  const order = (rules: readonly string[]): readonly string[] => {
    if (!dispatch.has(`${table} ${chain}`)) return rules
    const isJump = (rule: string): boolean => rule.includes('this must be the last rule')
    return [...rules.filter((rule) => !isJump(rule)).sort(), '(then)', ...rules.filter(isJump).sort()]
  }
  const lastIsJump = (rules: readonly string[]): boolean =>
    chain !== 'KUBE-SERVICES' ||
    rules.findIndex((rule) => rule.includes('this must be the last rule')) < 0 ||
    rules
      .slice(rules.findIndex((rule) => rule.includes('this must be the last rule')))
      .every((rule) => rule.includes('this must be the last rule'))
  if (!lastIsJump(found)) return `${table} ${chain}: the node-port jump is not last`
  const [a, b] = [order(wanted), order(found)]
  if (a.length === b.length && a.every((rule, i) => rule === b[i])) return undefined
  const missing = a.filter((rule) => !b.includes(rule))
  const extra = b.filter((rule) => !a.includes(rule))
  const lines = [...missing.map((rule) => `- ${rule}`), ...extra.map((rule) => `+ ${rule}`)]
  return `${table} ${chain} differs:\n${(lines.length > 0 ? lines : ['order', ...b]).join('\n')}`
}

/** Chains that the recorded states list: KUBE-… except the canary, and built-in ones with rules. */
export function isListedChain(name: string, rules: readonly string[]): boolean {
  if (name === 'KUBE-PROXY-CANARY' || name.startsWith('KUBE-KUBELET-') || name === 'KUBE-IPTABLES-HINT') return false
  return name.startsWith('KUBE-') || rules.length > 0
}
