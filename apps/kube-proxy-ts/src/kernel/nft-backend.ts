// Rules through nftables: transactions with what differs from the table that was loaded last. A full sync compares with
// the kernel's own listing; when the kernel refused what came of that, the table is replaced as a whole.

import type { Clock } from '@kubewire/daemon-kit'
import {
  auditNftListing,
  type BuiltNftTable,
  createNftTableBuilder,
  diffFromNothing,
  diffNftListing,
  diffNftTables,
  type NftChanges,
  type NftFault,
  type NftPlanOptions,
  type NftStep,
  type NftTableBuilder,
  parseNftListing,
  planNft,
  printNftRemoval,
} from '@kubewire/iptables-gen'
import type { Cidr, IpFamily } from '@kubewire/kube-model'
import type { Nft } from './nft.ts'
import type { RuleBackend } from './rule-backend.ts'

/** What the back end works with. */
export interface NftBackendOptions {
  readonly family: IpFamily
  readonly nft: Pick<Nft, 'load' | 'listTable'>
  readonly takesRulesInChains: boolean
  /** The kernel deletes a chain in the transaction that takes the last way to it away (6.2 and later). */
  readonly deletesChainsAtOnce: boolean
  /** Ranges of Service addresses in this family, as they are now. */
  readonly serviceCidrs: () => readonly Cidr[]
  readonly clock: Pick<Clock, 'nowMs'>
}

// The listing costs as much as everything in the table: the audit takes about a hundredth of the time.
const auditShare = 100
// kube-proxy waits as long before it deletes a chain that it has emptied.
const removalDelayMs = 1000

/** Starts with nothing known about the kernel. */
export function createNftBackend(options: NftBackendOptions): RuleBackend {
  const { family, nft, clock, deletesChainsAtOnce } = options
  const builder = createNftTableBuilder()
  const state: State = {
    hasFailed: false,
    emptied: new Map(),
    nextAuditMs: 0,
    lastFaults: new Set(),
    spellings: new Set(),
  }
  let listing: Promise<string | undefined> | undefined
  return {
    prepare(isFull) {
      listing = (isFull || state.installed === undefined) && !state.hasFailed ? nft.listTable(family) : undefined
      listing?.catch(() => {})
    },
    async apply(built, generatorOptions, isFull) {
      const wanted = builder.build(built, { ...generatorOptions, serviceCidrs: options.serviceCidrs() })
      const before = isFull ? undefined : state.installed
      const started = listing
      const list = () => started ?? nft.listTable(family)
      listing = undefined
      state.installed = undefined
      try {
        const changes =
          before === undefined ? await changesOnKernel(wanted, state, list) : changesBetween(before, wanted)
        const plan: NftPlanOptions = {
          family,
          takesRulesInChains: options.takesRulesInChains,
          keepsChains: !deletesChainsAtOnce,
          replaces: changes === undefined,
        }
        await loadSteps(planNft(changes ?? diffFromNothing(wanted), plan), nft, builder)
        if (!deletesChainsAtOnce) await removeEmptied(changes?.removedChains ?? [], wanted, state, options)
      } catch (error) {
        state.hasFailed = true
        throw error
      }
      state.hasFailed = false
      state.installed = wanted
      return undefined
    },
    async audit() {
      const audited = state.installed
      const startMs = clock.nowMs()
      if (audited === undefined || startMs < state.nextAuditMs) return undefined
      const text = await nft.listTable(family)
      state.nextAuditMs = startMs + (clock.nowMs() - startMs) * auditShare
      // A sync came in between: what was read may be of before or after.
      if (state.installed !== audited) return undefined
      const listed = text === undefined ? undefined : withoutEmptied(text, state)
      return judge(auditNftListing(listed, audited), state)
    },
  }
}

/** What has to be repaired; throws once about what a repair does not change. */
function judge(faults: readonly NftFault[], state: State): string | undefined {
  const found = faults.filter(({ what }) => !state.spellings.has(what))
  const asBefore = found.filter(({ what, mayBeSpelling }) => mayBeSpelling && state.lastFaults.has(what))
  state.lastFaults = new Set(found.map(({ what }) => what))
  for (const { what } of asBefore) state.spellings.add(what)
  if (asBefore.length === found.length && asBefore[0] !== undefined)
    throw new Error(
      `the table was repaired and is listed as before (${tellFaults(asBefore)}): this nft lists it otherwise, which is not looked at again`,
    )
  const rest = found.filter((fault) => !asBefore.includes(fault))
  return rest.length === 0 ? undefined : tellFaults(rest)
}

function tellFaults(faults: readonly NftFault[]): string {
  const rest = faults.length - 1
  return `${faults[0]?.what}${rest === 0 ? '' : ` and ${rest} more`}`
}

interface State {
  installed?: BuiltNftTable | undefined
  /** The kernel refused the last plan. */
  hasFailed: boolean
  /** Chains to delete, and when they were emptied; none on kernels that delete at once. */
  emptied: Map<string, number>
  nextAuditMs: number
  /** What the last audit found; what is read otherwise again after the repair is a matter of how this nft lists. */
  lastFaults: ReadonlySet<string>
  readonly spellings: Set<string>
}

function changesBetween(before: BuiltNftTable, wanted: BuiltNftTable): NftChanges {
  return wanted.changesSince(before) ?? diffNftTables(before, wanted)
}

/** `undefined`: the table has to be replaced. */
async function changesOnKernel(
  wanted: BuiltNftTable,
  { hasFailed }: State,
  list: () => Promise<string | undefined>,
): Promise<NftChanges | undefined> {
  if (hasFailed) return undefined
  const text = await list()
  return text === undefined ? diffFromNothing(wanted) : diffNftListing(parseNftListing(text), wanted)
}

// The text of a step, its program, and what the next sync needs, are made while the kernel works on the one before.
async function loadSteps(
  steps: readonly NftStep[],
  nft: Pick<Nft, 'load'>,
  builder: Pick<NftTableBuilder, 'prepare'>,
): Promise<void> {
  let before: Promise<void> = Promise.resolve()
  for (const step of steps) {
    const next = nft.load(step.text(), before)
    next.catch(() => {})
    await before
    before = next
  }
  builder.prepare()
  await before
}

async function removeEmptied(
  gone: readonly string[],
  wanted: BuiltNftTable,
  { emptied }: State,
  { nft, family, clock }: NftBackendOptions,
): Promise<void> {
  const nowMs = clock.nowMs()
  const due = [...emptied].filter(([, atMs]) => nowMs - atMs >= removalDelayMs).map(([name]) => name)
  for (const name of due) emptied.delete(name)
  for (const name of gone) emptied.set(name, nowMs)
  const unwanted = due.filter((name) => !wanted.chains.has(name))
  if (unwanted.length > 0) await nft.load(printNftRemoval(unwanted, family))
}

function withoutEmptied(text: string, { emptied }: State) {
  const listed = parseNftListing(text)
  return { ...listed, chains: Object.fromEntries(Object.entries(listed.chains).filter(([name]) => !emptied.has(name))) }
}
