// What has to happen → transactions for `nft -f -`. Chains, elements and sets that are equal are not mentioned. Many new
// chains, to which nothing leads yet, come first in transactions of their own: in one, the kernel compares every new map
// with every other. Then one transaction switches; what nobody needs any more goes at its end.

import type { NewParts, NftChanges, NftContainer } from './changes.ts'
import { diffNftTables } from './diff-tables.ts'
import { printNftRule, printTypes } from './print-rule.ts'
import { type NftChain, type NftTable, nftTableName } from './table.ts'

/** One transaction; its text is made when its time has come. */
export interface NftStep {
  readonly kind: 'create' | 'switch'
  text(): string
}

/** What a plan depends on besides the changes. */
export interface NftPlanOptions {
  readonly family: NftTable['family']
  /**
   * The program takes rules inside of `add chain` (nft 1.0.7, and 1.0.6 of Debian). It then reads nothing but the names
   * of tables from the kernel before it works, instead of every chain and set.
   */
  readonly takesRulesInChains: boolean
  /** Service ports in one transaction of new chains; 500 unless given, five times as many where each reads everything. */
  readonly batchPorts?: number
  /** Replaces the table whatever is in it, in one transaction. */
  readonly replaces?: boolean
  /** Chains that nobody needs are only emptied: before 6.2 the kernel refuses to delete them in the same transaction. */
  readonly keepsChains?: boolean
}

/** The transactions in order; none when nothing differs. */
export function planNft(changes: NftChanges, options: NftPlanOptions): readonly NftStep[] {
  const { fresh, isNewTable } = changes
  const {
    takesRulesInChains,
    batchPorts = takesRulesInChains ? 500 : 2500,
    replaces = false,
    keepsChains = false,
  } = options
  const printer = createPrinter(options)
  const isSmall = replaces || fresh.length <= batchPorts
  const batches = isSmall ? [] : inBatches(fresh, batchPorts)
  const head = isNewTable || replaces ? printer.newTable(replaces) : ''
  const last = isSmall ? fresh : []
  if (head === '' && isEmpty(changes)) return []
  return [
    ...batches.map(
      (lots, i): NftStep => ({
        kind: 'create',
        text: () => (i === 0 ? head : '') + lots.map((make) => printer.newParts(make())).join(''),
      }),
    ),
    {
      kind: 'switch',
      text: () => (batches.length === 0 ? head : '') + printSwitch(changes, last, printer, keepsChains),
    },
  ]
}

/** The transaction that deletes chains which were emptied some time ago. */
export function printNftRemoval(chains: readonly string[], family: NftTable['family']): string {
  const printer = createPrinter({ family, takesRulesInChains: false })
  return chains.map((name) => printer.removed('chain', name)).join('')
}

/**
 * The text that turns one table into the other, as one transaction; empty when nothing differs. `undefined`: the table
 * is made anew, whatever is there.
 */
export function planNftLoad(installed: NftTable | undefined, wanted: NftTable): string {
  const options = { family: wanted.family, takesRulesInChains: false, replaces: installed === undefined }
  return planNft(diffNftTables(installed, wanted), options)
    .map((step) => step.text())
    .join('')
}

function isEmpty({ fresh, chains, elements, containers, removedChains, removedSets }: NftChanges): boolean {
  return [fresh, chains, elements, containers, removedChains, removedSets].every((list) => list.length === 0)
}

function inBatches<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}

// Chains, sets and maps first: rules and elements may name any of them.
function printSwitch(changes: NftChanges, fresh: NftChanges['fresh'], printer: Printer, keepsChains: boolean): string {
  const { containers, chains, elements, removedChains, removedSets } = changes
  return [
    ...containers.map(printer.container),
    ...chains.filter(({ isNew }) => isNew).map(({ chain }) => printer.chain(chain)),
    ...fresh.map((make) => printer.newParts(make())),
    ...chains.map(({ chain, isNew }) => (isNew ? '' : printer.flush(chain.name)) + printer.rules(chain)),
    ...elements.flatMap(({ container, gone }) => gone.map((key) => printer.removed('element', container.name, key))),
    ...elements.map(({ container, added }) => printer.elements(container, added)),
    ...removedChains.map(printer.flush),
    ...(keepsChains ? [] : removedChains.map((name) => printer.removed('chain', name))),
    ...removedSets.map((name) => printer.removed('set', name)),
  ].join('')
}

type Printer = ReturnType<typeof createPrinter>

function createPrinter({ family, takesRulesInChains }: NftPlanOptions) {
  const target = `${family === 4 ? 'ip' : 'ip6'} ${nftTableName}`
  const hookOf = ({ hook }: NftChain): string =>
    hook === undefined ? '' : `type ${hook.type} hook ${hook.hook} priority ${hook.priority}; `
  const chain = (one: NftChain): string =>
    `add chain ${target} ${one.name}${one.hook === undefined ? '' : ` { ${hookOf(one)}}`}\n`
  const rules = ({ name, rules: list }: NftChain, hook = ''): string => {
    if (list.length === 0) return ''
    const lines = list.map((rule) => printNftRule(rule, family, 'load'))
    return takesRulesInChains
      ? `add chain ${target} ${name} { ${hook}${lines.join('; ')}; }\n`
      : lines.map((line) => `add rule ${target} ${name} ${line}\n`).join('')
  }
  const container = (one: NftContainer, content = ''): string => {
    const timeoutSeconds = one.kind === 'set' ? one.timeoutSeconds : undefined
    const flags = timeoutSeconds === undefined ? '' : ` flags dynamic,timeout; timeout ${timeoutSeconds}s;`
    const type = `${printTypes(one.fields, family)}${one.kind === 'map' ? ' : verdict' : ''}`
    return `add ${one.kind} ${target} ${one.name} { type ${type};${flags}${content} }\n`
  }
  // One command makes a chain with its rules where the program can.
  const newChain = (one: NftChain): string =>
    takesRulesInChains && one.rules.length > 0 ? rules(one, hookOf(one)) : chain(one) + rules(one)
  return {
    newTable: (replaces: boolean): string =>
      `${replaces ? `add table ${target}\ndelete table ${target}\n` : ''}add table ${target} { comment "rules for kube-proxy"; }\n`,
    container: (one: NftContainer): string => container(one),
    chain,
    rules: (one: NftChain): string => rules(one),
    newParts: ({ sets, chains }: NewParts): string =>
      sets.map((set) => container(set)).join('') + chains.map(newChain).join(''),
    flush: (name: string): string => `flush chain ${target} ${name}\n`,
    // As part of a definition where the program is to read little: adding them alone makes it read all sets first.
    elements: (one: NftContainer, added: readonly string[]): string => {
      if (!takesRulesInChains) return added.map((text) => `add element ${target} ${one.name} { ${text} }\n`).join('')
      return added.length === 0 ? '' : container(one, ` elements = { ${added.join(', ')} };`)
    },
    removed: (what: 'element' | 'chain' | 'set', name: string, key?: string): string =>
      `delete ${what} ${target} ${name}${key === undefined ? '' : ` { ${key} }`}\n`,
  }
}
