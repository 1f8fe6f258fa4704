// `iptables-save` output, or the input of iptables-restore → ruleset. Unknown matches and targets are kept as opaque
// words; lines that are none of the format become problems.

import { type IpFamily, type Problem, quoteFound, type WithProblems, withProblems } from '@kubewire/kube-model'
import type { Policy } from '../ruleset/chain.ts'
import type { Rule } from '../ruleset/rule.ts'
import { type Ruleset, type TableName, tableNames } from '../ruleset/ruleset.ts'
import { parseRuleWords } from './parse-rule.ts'
import { splitWords } from './words.ts'

/** How a text is read. */
export interface ParseSaveOptions {
  /** 4 unless given; iptables-save does not say. */
  readonly family?: IpFamily
  /** For problems. */
  readonly fileName?: string
}

interface OpenChain {
  readonly policy: Policy | undefined
  readonly rules: Rule[]
}

/**
 * Reads the output of iptables-save (with or without counters) or text for iptables-restore.
 *
 * @returns the ruleset and problems `IPT_SAVE_LINE` (a line outside the format) and `IPT_SAVE_TABLE` (unknown table)
 * @example
 * parseSave('*nat\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n').value.tables.nat?.get('PREROUTING')?.policy // 'ACCEPT'
 */
export function parseSave(text: string, options: ParseSaveOptions = {}): WithProblems<Ruleset> {
  const { family = 4, fileName = 'iptables-save' } = options
  const problems: Problem[] = []
  const tables: { [name in TableName]?: Map<string, OpenChain> } = {}
  let chains: Map<string, OpenChain> | undefined
  const lines = text.split('\n')
  const declared = declaredChains(lines)
  lines.forEach((line, i) => {
    const refuse = (code: string, message: string, fallback: string): void => {
      const object = { kind: 'File', name: fileName }
      problems.push({
        code,
        severity: 'error',
        object,
        path: '',
        message,
        fallback,
        position: { file: fileName, line: i + 1 },
      })
    }
    if (line === '' || line.startsWith('#') || line === 'COMMIT') return
    if (line.startsWith('*')) {
      const name = line.slice(1).trim() as TableName
      chains = tableNames.includes(name) ? (tables[name] ?? new Map<string, OpenChain>()) : undefined
      if (chains !== undefined) tables[name] = chains
      if (chains === undefined)
        refuse('IPT_SAVE_TABLE', `expected a table name, found ${quoteFound(line)}`, 'this table is left out')
      return
    }
    if (chains !== undefined && !readLine(line, chains, declared))
      refuse('IPT_SAVE_LINE', `expected a chain or a rule, found ${quoteFound(line)}`, 'this line is left out')
  })
  return withProblems({ family, tables: closeTables(tables) }, problems)
}

// Rules may jump to chains of their table that are declared anywhere in the text.
function declaredChains(lines: readonly string[]): ReadonlySet<string> {
  const names = lines.filter((line) => line.startsWith(':')).map((line) => line.slice(1, line.indexOf(' ')))
  return new Set(names)
}

function readLine(line: string, chains: Map<string, OpenChain>, declared: ReadonlySet<string>): boolean {
  if (line.startsWith(':')) {
    const [name = '', policy = ''] = line.slice(1).split(' ')
    if (!isName(name)) return false
    chains.set(name, { policy: policy === 'ACCEPT' || policy === 'DROP' ? policy : undefined, rules: [] })
    return true
  }
  const words = splitWords(line.replace(/^\[[0-9]+:[0-9]+\] /, ''))
  const [command, name = ''] = words
  if (command === '-X' || command === '-F' || command === '-N') return name !== ''
  if (command !== '-A' || !isName(name) || !hasOnlyNames(words)) return false
  const chain = chains.get(name) ?? { policy: undefined, rules: [] }
  if (!chains.has(name)) chains.set(name, chain)
  chain.rules.push(parseRuleWords(words.slice(2), (target) => declared.has(target)))
  return true
}

// Names of chains, modules and targets stand without quotes wherever iptables prints them.
function isName(word: string): boolean {
  return /^[^\s"'\\\p{Cc}]+$/u.test(word)
}

function hasOnlyNames(words: readonly string[]): boolean {
  return words.every((word, i) => !['-m', '-j', '-g'].includes(word) || isName(words[i + 1] ?? ''))
}

function closeTables(tables: { readonly [name in TableName]?: Map<string, OpenChain> }): Ruleset['tables'] {
  const entries = Object.entries(tables).map(([table, chains]) => [
    table,
    new Map(
      [...chains].map(([name, { policy, rules }]) => [
        name,
        policy === undefined ? { name, rules } : { name, rules, policy },
      ]),
    ),
  ])
  return Object.fromEntries(entries) as Ruleset['tables']
}
