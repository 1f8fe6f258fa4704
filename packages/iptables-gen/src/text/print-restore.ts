// Ruleset → text. Chain lines are sorted by name: iptables-nft keeps declared chains in a sorted list, and any other
// order makes a large restore quadratic.

import { compareText, type IpFamily } from '@kubewire/kube-model'
import type { Chain } from '../ruleset/chain.ts'
import { type Ruleset, tableNames } from '../ruleset/ruleset.ts'
import { printSaveRule, restoreWords } from './print-rule.ts'

const hookOrder = ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING']

/** The rules of a chain as lines for iptables-restore, each ending with a newline. */
export function printRestoreChain(chain: Chain, family: IpFamily): string {
  const start = `-A ${chain.name}`
  let text = ''
  for (const rule of chain.rules) text += `${start}${restoreWords(rule, family)}\n`
  return text
}

/** The rules of a chain as iptables-save prints them, each ending with a newline. */
export function printSaveChain(chain: Chain, family: IpFamily): string {
  let text = ''
  for (const rule of chain.rules) text += ruleLine(chain, printSaveRule(rule, family))
  return text
}

/**
 * The whole ruleset as input for `iptables-restore --noflush`: built-in chains are left out, every other chain is
 * emptied and filled. An empty chain that others share (KUBE-FIREWALL) is not mentioned.
 *
 * @example
 * printRestore(buildRuleset(snapshot, proxyOptions({ family: 4, nodeName: 'node-a' })).ruleset)
 */
export function printRestore(ruleset: Ruleset): string {
  const parts: string[] = []
  for (const name of [...tableNames].reverse()) {
    const table = ruleset.tables[name]
    if (table === undefined) continue
    const chains: Chain[] = []
    for (const chain of table.values()) if (chain.policy === undefined && !isSharedAndEmpty(chain)) chains.push(chain)
    chains.sort((a, b) => compareText(a.name, b.name))
    parts.push(`*${name}\n`)
    for (const chain of chains) parts.push(`:${chain.name} - [0:0]\n`)
    for (const chain of chains) parts.push(printRestoreChain(chain, ruleset.family))
    parts.push('COMMIT\n')
  }
  return parts.join('')
}

/** The whole ruleset as iptables-save would print it, without counters and comment lines. */
export function printSave(ruleset: Ruleset): string {
  let text = ''
  for (const name of tableNames) {
    const table = ruleset.tables[name]
    if (table === undefined) continue
    const builtIn = [...table.values()].filter((chain) => chain.policy !== undefined)
    builtIn.sort((a, b) => hookOrder.indexOf(a.name) - hookOrder.indexOf(b.name))
    const own = [...table.values()].filter((chain) => chain.policy === undefined)
    own.sort((a, b) => compareText(a.name, b.name))
    text += `*${name}\n`
    for (const chain of [...builtIn, ...own]) text += `:${chain.name} ${chain.policy ?? '-'} [0:0]\n`
    for (const chain of [...builtIn, ...own]) text += printSaveChain(chain, ruleset.family)
    text += 'COMMIT\n'
  }
  return text
}

function ruleLine(chain: Chain, words: string): string {
  return words === '' ? `-A ${chain.name}\n` : `-A ${chain.name} ${words}\n`
}

function isSharedAndEmpty(chain: Chain): boolean {
  return chain.name === 'KUBE-FIREWALL' && chain.rules.length === 0
}
