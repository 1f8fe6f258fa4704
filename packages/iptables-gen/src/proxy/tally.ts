// What is counted over all Services, kept up by what changed.

import type { PartChange } from '../ruleset/part-table.ts'
import { type HealthCheck, healthChecks } from './health-checks.ts'
import type { ServiceRules } from './service-rules.ts'

/** Sums over all Services. */
export interface Tally {
  /** Service ports without a local endpoint though their policy is Local, by traffic (a metric of kube-proxy). */
  readonly noLocalEndpoints: { readonly internal: number; readonly external: number }
  /** Services with a health check node port, by `namespace/name`; the same value until one of them changes. */
  readonly healthChecks: ReadonlyMap<string, HealthCheck>
}

/** Without any Service. */
export const emptyTally: Tally = { noLocalEndpoints: { internal: 0, external: 0 }, healthChecks: new Map() }

/** The sums after some Services changed. */
export function changedTally(before: Tally, changes: readonly PartChange<ServiceRules>[]): Tally {
  const noLocalEndpoints = { ...before.noLocalEndpoints }
  let checks: Map<string, HealthCheck> | undefined
  for (const change of changes) {
    countNoLocal(change.before, -1, noLocalEndpoints)
    countNoLocal(change.after, 1, noLocalEndpoints)
    const [gone, now] = [checksOf(change.before), checksOf(change.after)]
    if (gone.size + now.size === 0) continue
    checks ??= new Map(before.healthChecks)
    for (const key of gone.keys()) checks.delete(key)
    for (const [key, check] of now) checks.set(key, check)
  }
  return { noLocalEndpoints, healthChecks: checks ?? before.healthChecks }
}

const noChecks: ReadonlyMap<string, HealthCheck> = new Map()

function checksOf(service: ServiceRules | undefined): ReadonlyMap<string, HealthCheck> {
  const hasOne = service?.ports.some((port) => port.facts.healthCheckNodePort !== undefined)
  return service === undefined || !hasOne ? noChecks : healthChecks(service.ports)
}

function countNoLocal(
  service: ServiceRules | undefined,
  sign: 1 | -1,
  sums: { internal: number; external: number },
): void {
  for (const { endpoints } of service?.ports ?? []) {
    if (endpoints.hasEndpoints && !endpoints.hasInternal) sums.internal += sign
    if (endpoints.hasEndpoints && !endpoints.hasExternal) sums.external += sign
  }
}
