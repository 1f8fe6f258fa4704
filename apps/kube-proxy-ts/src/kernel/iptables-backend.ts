// Rules through iptables: the installed ruleset is kept as a model, planned against, and read back on full syncs.

import type { Log } from '@kubewire/daemon-kit'
import {
  auditChain,
  auditTurn,
  type Chain,
  jumpHooks,
  parseSave,
  planRestore,
  printRestoreRule,
  printStepParts,
  type RestoreStep,
  type Ruleset,
  splitWords,
} from '@kubewire/iptables-gen'
import type { IpFamily } from '@kubewire/kube-model'
import type { Iptables } from './iptables.ts'
import type { RuleBackend, WrittenRules } from './rule-backend.ts'

/** What the back end works with. */
export interface IptablesBackendOptions {
  readonly family: IpFamily
  readonly iptables: Pick<Iptables, 'save' | 'restore' | 'restoreNext' | 'hasRule' | 'listChain'>
  readonly variant: 'nft' | 'legacy'
  /** Small transactions go to a program that stays. */
  readonly keepsProgram: boolean
  readonly log: Log
}

// Rules in a piece of a legacy transaction, about.
const pieceRules = 500

// A program that stays does not keep the memory of a large transaction.
const maxSmallText = 65_536

// Chains of Services in one turn of the audit: every call of the legacy program copies the whole table.
const auditedChains = { nft: 32, legacy: 4 } as const

/** Starts with nothing known about the kernel. */
export function createIptablesBackend(options: IptablesBackendOptions): RuleBackend {
  let installed: Ruleset | undefined
  let reading: Promise<Ruleset> | undefined
  let auditPlace = 0
  const read = (isFull: boolean): Promise<Ruleset> => {
    const started = isFull || installed === undefined ? readInstalled(options) : Promise.resolve(installed)
    started.catch(() => {})
    return started
  }
  return {
    prepare(isFull) {
      reading = read(isFull)
    },
    async apply(built, _options, isFull) {
      const before = await (reading ?? read(isFull))
      reading = undefined
      installed = undefined
      const written = await applySteps(planRestore(before, built.ruleset, { backend: options.variant }), options)
      installed = built.ruleset
      return written
    },
    async audit() {
      const audited = installed
      if (audited === undefined) return undefined
      const { due, next } = auditTurn(audited, auditPlace, auditedChains[options.variant])
      auditPlace = next
      for (const one of due) {
        const listing = await options.iptables.listChain(one.table, one.chain.name)
        // A sync came in between: what was read may be of before or after.
        if (installed !== audited) return undefined
        const fault = auditChain(one, listing, options.family)
        if (fault !== undefined) return `${one.table} ${one.chain.name}: ${fault}`
      }
      return undefined
    },
  }
}

async function readInstalled(options: IptablesBackendOptions): Promise<Ruleset> {
  const { iptables, family, log } = options
  try {
    const { value, problems } = parseSave(await iptables.save(), { family })
    for (const problem of problems) log.warn('unreadable line of iptables-save', { message: problem.message })
    return value
  } catch (error) {
    // Without the saved state everything is written; chains that are stale stay until the next full sync.
    log.error('Failed to execute iptables-save: stale chains will not be deleted', { err: messageOf(error) })
    return presentJumps(options)
  }
}

async function presentJumps({ iptables, family }: IptablesBackendOptions): Promise<Ruleset> {
  const tables: { filter: Map<string, Chain>; nat: Map<string, Chain> } = { filter: new Map(), nat: new Map() }
  for (const { table, from, rule } of jumpHooks) {
    if (table !== 'filter' && table !== 'nat') continue
    if (!(await iptables.hasRule(table, from, splitWords(printRestoreRule(rule, family))))) continue
    const rules = tables[table].get(from)?.rules ?? []
    tables[table].set(from, { name: from, rules: [...rules, rule], policy: 'ACCEPT' })
  }
  return { family, tables }
}

async function applySteps(
  steps: readonly RestoreStep[],
  { iptables, keepsProgram }: IptablesBackendOptions,
): Promise<WrittenRules> {
  const written: Record<string, number> = { filter: 0, nat: 0 }
  let before: Promise<void> = Promise.resolve()
  for (const step of steps) {
    // The text is made while the kernel works on the step before, and complete before the program starts: it holds the lock
    // that everybody else waits for.
    const input = [...countedPieces(step, written)]
    await before
    const isSmall = input.reduce((sum, piece) => sum + piece.length, 0) <= maxSmallText
    before = keepsProgram && isSmall ? iptables.restoreNext(input.join('')) : iptables.restore(input)
    before.catch(() => {})
  }
  await before
  return written
}

function* countedPieces(step: RestoreStep, written: Record<string, number>): Generator<string> {
  for (const { text, table, rules } of printStepParts(step, pieceRules)) {
    written[table] = (written[table] ?? 0) + rules
    yield text
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
