// iptables in memory: chains of save-form lines that restore texts and single commands change. For tests of what the
// daemon does with iptables, where no kernel is at hand; failures can be ordered.

import { ruleToSaveForm } from '@kubewire/iptables-gen/cases'
import { type Iptables, IptablesError } from '../../../../apps/kube-proxy-ts/src/kernel/iptables.ts'

/** The tables, and orders for the next calls. */
export interface MemoryIptables extends Iptables {
  readonly tables: ReadonlyMap<string, Map<string, string[]>>
  /** Exit status of the next restores; 0 works. */
  restoreExit: number
  /** Exit status of the next saves; 0 works. */
  saveExit: number
  /** Texts that were restored, oldest first. */
  readonly restored: string[]
}

const builtIns: Readonly<Record<string, readonly string[]>> = {
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  mangle: ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'],
}

/** Empty tables with their built-in chains, or those of an iptables-save text. */
export function createMemoryIptables(saved = ''): MemoryIptables {
  const tables = new Map(
    Object.entries(builtIns).map(([table, chains]) => [table, new Map(chains.map((chain) => [chain, [] as string[]]))]),
  )
  const chainsOf = (table: string): Map<string, string[]> => {
    const chains = tables.get(table)
    if (chains === undefined) throw new Error(`no table ${table}`)
    return chains
  }
  const memory: MemoryIptables = {
    family: 4,
    tables,
    restoreExit: 0,
    saveExit: 0,
    restored: [],
    version: async () => ({ version: '1.8.9', backend: 'nft' }),
    assertUsable: async () => {},
    async listChain(table, chain) {
      const rules = chainsOf(table).get(chain)
      return rules && `-N ${chain}\n${rules.join('\n')}\n`
    },
    async save() {
      if (memory.saveExit !== 0) throw new IptablesError('IPT_SAVE', `status ${memory.saveExit}`, memory.saveExit)
      return printTables(tables)
    },
    async restore(pieces) {
      if (memory.restoreExit !== 0)
        throw new IptablesError('IPT_RESTORE', `status ${memory.restoreExit}`, memory.restoreExit)
      const text = [...pieces].join('')
      memory.restored.push(text)
      restoreText(text, chainsOf)
    },
    restoreNext: (text) => memory.restore([text]),
    async ensureChain(table, chain) {
      if (chainsOf(table).has(chain)) return false
      chainsOf(table).set(chain, [])
      return true
    },
    hasChain: async (table, chain) => chainsOf(table).has(chain),
    hasRule: async (table, chain, words) => (chainsOf(table).get(chain) ?? []).includes(lineOf(table, chain, words)),
    async deleteRule(table, chain, words) {
      removeLine(chainsOf(table).get(chain) ?? [], lineOf(table, chain, words))
    },
  }
  if (saved !== '') restoreText(saved, chainsOf)
  return memory
}

function lineOf(table: string, chain: string, words: readonly string[]): string {
  const quoted = words.map((word) => (/[^\w.:/,!-]/.test(word) ? `"${word}"` : word))
  return ruleToSaveForm(table, `-A ${chain} ${quoted.join(' ')}`, 4)
}

function restoreText(text: string, chainsOf: (table: string) => Map<string, string[]>): void {
  let table = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('*')) table = line.slice(1)
    else if (line.startsWith(':')) chainsOf(table).set(line.slice(1, line.indexOf(' ')), [])
    else if (line.startsWith('-')) runCommand(line, table, chainsOf(table))
  }
}

function runCommand(line: string, table: string, chains: Map<string, string[]>): void {
  const [verb, chain = '', ...rest] = line.split(' ')
  if (verb === '-X') {
    if ((chains.get(chain) ?? ['?']).length > 0) throw new Error(`-X ${chain}: not empty`)
    chains.delete(chain)
    return
  }
  const rules = chains.get(chain)
  if (rules === undefined) throw new Error(`no chain ${chain} for ${line}`)
  const rule = ruleToSaveForm(table, `-A ${chain} ${rest.join(' ')}`.trimEnd(), 4)
  if (verb === '-A') rules.push(rule)
  else if (verb === '-I') rules.unshift(rule)
  else if (verb === '-D') removeLine(rules, rule)
  else throw new Error(`unknown command ${line}`)
}

function removeLine(rules: string[], line: string): void {
  const at = rules.indexOf(line)
  if (at >= 0) rules.splice(at, 1)
}

function printTables(tables: ReadonlyMap<string, Map<string, string[]>>): string {
  return [...tables]
    .map(([table, chains]) => {
      const heads = [...chains.keys()].map(
        (chain) => `:${chain} ${builtIns[table]?.includes(chain) ? 'ACCEPT' : '-'} [0:0]\n`,
      )
      return `*${table}\n${heads.join('')}${[...chains.values()]
        .flat()
        .map((line) => `${line}\n`)
        .join('')}COMMIT\n`
    })
    .join('')
}
