// One address family: its change trackers, its wanted and installed rules, its syncs. Two of these are dual stack; they
// share nothing but the health server.

import type { Clock, Log } from '@kubewire/daemon-kit'
import {
  type BuiltRuleset,
  countRules,
  createRulesetBuilder,
  createServiceChanges,
  createSliceChanges,
  type ProxyOptions,
  type ProxySnapshot,
  staleFlows,
} from '@kubewire/iptables-gen'
import type { EndpointSlice, IpFamily, Service } from '@kubewire/kube-model'
import { countsOf, type HealthPorts } from './health/health-ports.ts'
import type { Conntrack } from './kernel/conntrack.ts'
import { IptablesError } from './kernel/iptables.ts'
import { NftError } from './kernel/nft.ts'
import type { RuleBackend, WrittenRules } from './kernel/rule-backend.ts'
import type { ProxyMetrics } from './metrics.ts'
import { createTriggerTimes } from './trigger-times.ts'

/** What a proxier works with. */
export interface FamilyProxierOptions {
  readonly family: IpFamily
  /** Brings the kernel in line: iptables or nftables. */
  readonly backend: RuleBackend
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
  const state: State = { hasSynced: false, lastFullMs: 0, isLargeCluster: false }
  return {
    serviceChanged(service, isDeleted) {
      metrics.serviceChanges.inc()
      const isPending = services.update(service, isDeleted)
      metrics.serviceChangesPending.set(services.pending)
      return isPending
    },
    sliceChanged(slice, isDeleted) {
      // Slices of the other family are not this proxier's business.
      if (!slices.concerns(slice)) return false
      metrics.endpointChanges.inc()
      const isChanged = slices.update(slice, isDeleted)
      if (!isChanged) return false
      triggers.note(slice, isDeleted)
      metrics.endpointChangesPending.inc()
      return true
    },
    forceFull() {
      state.hasSynced = false
    },
    async sync() {
      const startMs = clock.nowMs()
      const isHourly = startMs - state.lastFullMs >= fullEveryMs && !state.isLargeCluster
      const isFull = !state.hasSynced || isHourly
      // COMPAT: taken before the kernel accepted, so that a cleanup of tracked flows is not made up for after a failure.
      const changedServices = services.accept()
      const { services: withChangedSlices, touchesUdp } = slices.accept()
      const changed = { services: [...changedServices, ...withChangedSlices], slicesOf: slices.slicesOf }
      metrics.serviceChangesPending.set(0)
      metrics.endpointChangesPending.set(0)
      try {
        const generatorOptions = options.options()
        options.backend.prepare(isFull)
        const how = isFull ? { rewritesAll: true } : { changed }
        const built = builder.build(options.snapshot(), generatorOptions, how)
        const written = await options.backend.apply(built, generatorOptions, isFull)
        state.hasSynced = true
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
        state.hasSynced = false
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
  /** The last sync succeeded; otherwise the next one trusts nothing. */
  hasSynced: boolean
  lastFullMs: number
  isLargeCluster: boolean
}

function tellSuccess(
  facts: {
    readonly built: BuiltRuleset
    readonly isFull: boolean
    readonly startMs: number
    readonly written: WrittenRules | undefined
    readonly ip_family: string
  },
  { metrics, clock, log, onSuccess }: FamilyProxierOptions,
): void {
  const { built, isFull, startMs, written, ip_family } = facts
  const { tables } = built.ruleset
  if (written !== undefined)
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
  const isNft = error instanceof NftError
  const isRestore = error instanceof IptablesError && (error.code === 'IPT_RESTORE' || error.code === 'IPT_LOCK')
  if (isNft) metrics.nftSyncFailures.inc({ ip_family })
  if (isRestore) metrics.restoreFailures.inc({ ip_family })
  if (isRestore && !isFull) metrics.partialRestoreFailures.inc({ ip_family })
  log.error(`Failed to sync ${isNft ? 'nftables' : 'iptables'} rules`, { family: ip_family, err: messageOf(error) })
}

async function updateHealthPorts(built: BuiltRuleset, { healthPorts }: FamilyProxierOptions): Promise<void> {
  await healthPorts.setServices(built.healthChecks)
  healthPorts.setCounts(countsOf(built.healthChecks))
}

async function removeStaleFlows(
  built: BuiltRuleset,
  ip_family: string,
  { conntrack, family, metrics, clock, log }: FamilyProxierOptions,
): Promise<void> {
  const startMs = clock.nowMs()
  try {
    const stale = staleFlows(await conntrack.list(family), built.ports)
    await conntrack.remove(
      family,
      stale.map(({ flow }) => flow),
    )
    metrics.conntrackDeleted.inc({ ip_family }, stale.length)
    for (const { flow, servicePort, reason } of stale) {
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
