// One address family: its change trackers, its wanted and installed rules, its syncs. Two of these are dual stack; they
// share nothing but the health server.

import type { Clock, Log } from '@kubewire/daemon-kit'
import {
  type BuiltRuleset,
  type Chain,
  countRules,
  createRulesetBuilder,
  createServiceChanges,
  createSliceChanges,
  healthChecks,
  jumpHooks,
  type ProxyOptions,
  type ProxySnapshot,
  parseSave,
  planRestore,
  printRestoreRule,
  printStep,
  type RestoreStep,
  type Ruleset,
  splitWords,
  staleFlows,
} from '@kubewire/iptables-gen'
import type { EndpointSlice, IpFamily, Service } from '@kubewire/kube-model'
import type { Conntrack } from './conntrack.ts'
import { countsOf, type HealthPorts } from './health-ports.ts'
import { type Iptables, IptablesError } from './iptables.ts'
import type { ProxyMetrics } from './metrics.ts'
import { createTriggerTimes } from './trigger-times.ts'

/** What a proxier works with. */
export interface FamilyProxierOptions {
  readonly family: IpFamily
  readonly iptables: Pick<Iptables, 'save' | 'restore' | 'hasRule'>
  readonly backend: 'nft' | 'legacy'
  readonly conntrack: Conntrack
  readonly healthPorts: Pick<HealthPorts, 'setServices' | 'setCounts'>
  readonly metrics: ProxyMetrics
  readonly clock: Clock
  readonly log: Log
  /** The objects as they are now. */
  readonly snapshot: () => ProxySnapshot
  /** Options of the generator as the node is now. */
  readonly options: () => ProxyOptions
  readonly onSuccess: () => void
}

/** A proxier; `sync` is called by one caller at a time. */
export interface FamilyProxier {
  /** Whether the change asks for a sync. */
  serviceChanged(service: Service, isDeleted: boolean): boolean
  /** Whether the change asks for a sync. */
  sliceChanged(slice: EndpointSlice, isDeleted: boolean): boolean
  /** The next sync trusts nothing: it reads the kernel's own state and makes every chain anew. */
  forceFull(): void
  /** Brings the kernel in line. Never throws; false when it could not. */
  sync(): Promise<boolean>
}

const fullEveryMs = 3_600_000

/** Creates a proxier that has not synced yet. */
export function createFamilyProxier(options: FamilyProxierOptions): FamilyProxier {
  const { family, metrics, clock, log } = options
  const ip_family = family === 4 ? 'IPv4' : 'IPv6'
  const services = createServiceChanges(family)
  const slices = createSliceChanges(family)
  const triggers = createTriggerTimes(clock.nowMs())
  const builder = createRulesetBuilder()
  const state: State = { installed: undefined, lastFullMs: 0, isLargeCluster: false }
  return {
    serviceChanged(service, isDeleted) {
      metrics.serviceChanges.inc()
      const isPending = services.update(service, isDeleted)
      metrics.serviceChangesPending.set(services.pending)
      return isPending
    },
    sliceChanged(slice, isDeleted) {
      metrics.endpointChanges.inc()
      const isChanged = slices.update(slice, isDeleted)
      if (isChanged) triggers.note(slice, isDeleted)
      metrics.endpointChangesPending.set(slices.pending)
      return isChanged
    },
    forceFull() {
      state.installed = undefined
    },
    async sync() {
      const startMs = clock.nowMs()
      const isHourly = startMs - state.lastFullMs >= fullEveryMs && !state.isLargeCluster
      const isFull = state.installed === undefined || isHourly
      // COMPAT: taken before the kernel accepted, so that a cleanup of tracked flows is not made up for after a failure.
      services.accept()
      const { touchesUdp } = slices.accept()
      metrics.serviceChangesPending.set(0)
      metrics.endpointChangesPending.set(0)
      try {
        const built = builder.build(options.snapshot(), options.options(), { rewritesAll: isFull })
        const installed = isFull ? await readInstalled(options) : (state.installed as Ruleset)
        const steps = planRestore(installed, built.ruleset, { backend: options.backend })
        const written = await applySteps(steps, options, (after) => {
          state.installed = after
        })
        state.installed = built.ruleset
        state.isLargeCluster = built.isLargeCluster
        if (isFull) state.lastFullMs = startMs
        tellSuccess({ built, isFull, startMs, written, ip_family }, options)
        for (const ms of triggers.take())
          metrics.programmingSeconds.observe({ ip_family }, Math.max(0, clock.nowMs() - ms) / 1000)
        await updateHealthPorts(built, options)
        if (touchesUdp) await removeStaleFlows(built, ip_family, options)
        return true
      } catch (error) {
        tellFailure(error, isFull, ip_family, options)
        state.installed = undefined
        return false
      } finally {
        const seconds = (clock.nowMs() - startMs) / 1000
        metrics.syncSeconds.observe({ ip_family }, seconds)
        log.debug('sync ended', { family: ip_family, seconds })
      }
    },
  }
}

interface State {
  /** What the kernel holds; `undefined`: read it. */
  installed: Ruleset | undefined
  lastFullMs: number
  isLargeCluster: boolean
}

async function readInstalled(options: FamilyProxierOptions): Promise<Ruleset> {
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

async function presentJumps({ iptables, family }: FamilyProxierOptions): Promise<Ruleset> {
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
  { iptables }: FamilyProxierOptions,
  accept: (after: Ruleset) => void,
): Promise<Readonly<Record<string, number>>> {
  const written: Record<string, number> = { filter: 0, nat: 0 }
  for (const step of steps) {
    await iptables.restore(printStep(step))
    accept(step.after())
    for (const { table, writes, inserts } of step.edits)
      written[table] =
        (written[table] ?? 0) + inserts.length + writes.reduce((sum, chain) => sum + chain.rules.length, 0)
  }
  return written
}

function tellSuccess(
  facts: {
    readonly built: BuiltRuleset
    readonly isFull: boolean
    readonly startMs: number
    readonly written: Readonly<Record<string, number>>
    readonly ip_family: string
  },
  { metrics, clock, log, onSuccess }: FamilyProxierOptions,
): void {
  const { built, isFull, startMs, written, ip_family } = facts
  const { tables } = built.ruleset
  for (const table of ['filter', 'nat'] as const) {
    metrics.rulesTotal.set({ table, ip_family }, countRules(tables[table]))
    metrics.rulesLast.set({ table, ip_family }, written[table] ?? 0)
  }
  metrics.noLocalEndpoints.set({ traffic_policy: 'internal', ip_family }, built.noLocalEndpoints.internal)
  metrics.noLocalEndpoints.set({ traffic_policy: 'external', ip_family }, built.noLocalEndpoints.external)
  const seconds = (clock.nowMs() - startMs) / 1000
  ;(isFull ? metrics.fullSyncSeconds : metrics.partialSyncSeconds).observe({ ip_family }, seconds)
  metrics.lastSync.set({ ip_family }, clock.nowMs() / 1000)
  if (isFull)
    for (const problem of built.problems)
      log.warn(
        `${problem.object.kind} ${problem.object.namespace ?? ''}/${problem.object.name} ${problem.path}: ${problem.message}; ${problem.fallback}`,
      )
  onSuccess()
}

function tellFailure(error: unknown, isFull: boolean, ip_family: string, { metrics, log }: FamilyProxierOptions): void {
  const isRestore = error instanceof IptablesError && (error.code === 'IPT_RESTORE' || error.code === 'IPT_LOCK')
  if (isRestore) metrics.restoreFailures.inc({ ip_family })
  if (isRestore && !isFull) metrics.partialRestoreFailures.inc({ ip_family })
  log.error('Failed to sync iptables rules', { family: ip_family, err: messageOf(error) })
}

async function updateHealthPorts(built: BuiltRuleset, { healthPorts }: FamilyProxierOptions): Promise<void> {
  const checks = healthChecks(built.ports)
  await healthPorts.setServices(checks)
  healthPorts.setCounts(countsOf(checks))
}

async function removeStaleFlows(
  built: BuiltRuleset,
  ip_family: string,
  { conntrack, family, metrics, clock, log }: FamilyProxierOptions,
): Promise<void> {
  const startMs = clock.nowMs()
  try {
    const stale = staleFlows(await conntrack.list(family), built.ports)
    for (const { flow, servicePort, reason } of stale) {
      await conntrack.remove(family, flow)
      metrics.conntrackDeleted.inc({ ip_family })
      log.info('Deleted a tracked UDP flow', {
        servicePort,
        reason,
        client: `${flow.source}:${flow.sourcePort}`,
        answered: `${flow.replySource}:${flow.replySourcePort}`,
      })
    }
  } catch (error) {
    log.error('Failed to clean up tracked UDP flows', { family: ip_family, err: messageOf(error) })
  }
  metrics.conntrackSeconds.observe({ ip_family }, (clock.nowMs() - startMs) / 1000)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
