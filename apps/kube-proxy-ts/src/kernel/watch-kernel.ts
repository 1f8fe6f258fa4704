// What is watched in the kernel after the first sync: whether somebody flushed the tables, or changed single rules.

import { chainNames } from '@kubewire/iptables-gen'
import type { Shared } from '../shared.ts'
import type { RunningFamily } from '../start-family.ts'
import { watchCanary } from './canary.ts'
import { watchForeignChanges } from './foreign-changes.ts'
import { familyName, type UsableFamily } from './platform.ts'

/** Starts the watching of every family; it ends with the process. */
export function watchKernel(
  shared: Shared,
  families: readonly UsableFamily[],
  running: readonly RunningFamily[],
): void {
  for (const usable of families) {
    const one = running.find(({ family }) => family === usable.family)
    if (one === undefined) continue
    if (usable.kind === 'iptables') watchFlush(shared, usable, one)
    watchRules(shared, one)
  }
}

function watchFlush(
  shared: Shared,
  { family, iptables }: Extract<UsableFamily, { readonly kind: 'iptables' }>,
  { proxier, syncNow }: RunningFamily,
): void {
  const ip_family = familyName(family)
  const { log } = shared.options
  void watchCanary({
    ...watching(shared),
    iptables,
    onFlush: async () => {
      shared.metrics.foreignChanges.inc({ ip_family, found_by: 'canary' })
      log.info(`${chainNames.canary} is gone: making all rules again`, { family: ip_family })
      proxier.forceFull()
      await syncNow()
    },
  })
}

function watching({ options: { configuration, log, shutdown }, clock }: Shared) {
  const onProblem = (message: string): void => log.warn(message)
  return { periodMs: configuration.syncPeriodMs, clock, signal: shutdown.signal, onProblem }
}

// nftables has no canary: there the whole table is looked at.
function watchRules(shared: Shared, { family, proxier, audit, request }: RunningFamily): void {
  if (audit === undefined) return
  const ip_family = familyName(family)
  void watchForeignChanges({
    ...watching(shared),
    audit,
    onFound: (what) => {
      shared.metrics.foreignChanges.inc({ ip_family, found_by: 'audit' })
      shared.options.log.warn('Somebody changed an installed rule: reading the rules anew and repairing them', {
        family: ip_family,
        found: what,
      })
      proxier.forceFull()
      request()
    },
  })
}
