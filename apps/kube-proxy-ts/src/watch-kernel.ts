// What is watched in the kernel after the first sync: whether somebody flushed the tables, or changed single rules.

import { chainNames } from '@kubewire/iptables-gen'
import { watchCanary } from './canary.ts'
import { watchForeignChanges } from './foreign-changes.ts'
import { familyName, type UsableFamily } from './platform.ts'
import type { Shared } from './shared.ts'
import type { RunningFamily } from './start-family.ts'

/** Starts the watching of every family that iptables serves; it ends with the process. */
export function watchKernel(
  shared: Shared,
  families: readonly UsableFamily[],
  running: readonly RunningFamily[],
): void {
  for (const usable of families) {
    const one = running.find(({ family }) => family === usable.family)
    if (usable.kind === 'iptables' && one !== undefined) watchFamily(shared, usable, one)
  }
}

function watchFamily(
  { options, clock, metrics }: Shared,
  { family, iptables }: Extract<UsableFamily, { readonly kind: 'iptables' }>,
  { proxier, audit, syncNow, request }: RunningFamily,
): void {
  const { configuration, log, shutdown } = options
  const ip_family = familyName(family)
  const common = { periodMs: configuration.syncPeriodMs, clock, signal: shutdown.signal }
  const onProblem = (message: string): void => log.warn(message)
  void watchCanary({
    ...common,
    iptables,
    onProblem,
    onFlush: async () => {
      metrics.foreignChanges.inc({ ip_family, found_by: 'canary' })
      log.info(`${chainNames.canary} is gone: making all rules again`, { family: ip_family })
      proxier.forceFull()
      await syncNow()
    },
  })
  if (audit === undefined) return
  void watchForeignChanges({
    ...common,
    audit,
    onProblem,
    onFound: (what) => {
      metrics.foreignChanges.inc({ ip_family, found_by: 'audit' })
      log.warn('Somebody changed an installed rule: reading the rules anew and repairing them', {
        family: ip_family,
        found: what,
      })
      proxier.forceFull()
      request()
    },
  })
}
