// Health of the proxy, as a pure state: a family is late when the oldest sync asked for waits for two periods.
// Source: kube-proxy 1.36 pkg/proxy/healthcheck/proxy_health.go.

import type { Node } from '@kubewire/kube-model'

/** Times of one family, milliseconds since the epoch. */
export interface FamilyHealth {
  readonly updatedAtMs?: number
  readonly queuedAtMs?: number
}

/** Health of all families that reported. */
export interface ProxyHealth {
  readonly families: { readonly [family: string]: FamilyHealth }
}

/** An HTTP answer. */
export interface HealthAnswer {
  readonly status: 200 | 503
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** Nobody reported yet. */
export const initialHealth: ProxyHealth = { families: {} }

/** A sync of the family succeeded, or its loop started. */
export function healthUpdated(health: ProxyHealth, family: string, nowMs: number): ProxyHealth {
  return { families: { ...health.families, [family]: { updatedAtMs: nowMs } } }
}

/** A sync of the family was asked for; the start of the wait does not move. */
export function healthQueued(health: ProxyHealth, family: string, nowMs: number): ProxyHealth {
  const known = health.families[family]
  if (known?.queuedAtMs !== undefined) return health
  return { families: { ...health.families, [family]: { ...known, queuedAtMs: nowMs } } }
}

/** Whether the family is in time. */
function isFamilyHealthy(family: FamilyHealth, nowMs: number, syncPeriodMs: number): boolean {
  return family.queuedAtMs === undefined || nowMs - family.queuedAtMs < 2 * syncPeriodMs
}

/** Whether every family that ever reported is in time. */
export function isHealthy(health: ProxyHealth, nowMs: number, syncPeriodMs: number): boolean {
  return Object.values(health.families).every(
    (family) => family.updatedAtMs === undefined || isFamilyHealthy(family, nowMs, syncPeriodMs),
  )
}

const autoscalerTaint = 'ToBeDeletedByClusterAutoscaler'

/** Whether load balancers may use this node: known, not being deleted, not about to be scaled away. */
export function isNodeEligible(node: Node | undefined): boolean {
  if (node === undefined || node.metadata?.deletionTimestamp !== undefined) return false
  return !(node.spec?.taints ?? []).some((taint) => taint.key === autoscalerTaint)
}

/**
 * The answer of `/healthz` (with the node) or `/livez` (without).
 *
 * @param offsetMs - what the time of day is ahead of the clock that the health was noted by
 */
export function healthAnswer(
  health: ProxyHealth,
  nowMs: number,
  syncPeriodMs: number,
  isEligible: boolean | undefined,
  offsetMs = 0,
): HealthAnswer {
  const healthy = isHealthy(health, nowMs, syncPeriodMs)
  const isOk = healthy && isEligible !== false
  const print = (ms: number | undefined): string => (ms === undefined ? zeroTime : printTime(ms + offsetMs))
  const updates = Object.values(health.families).flatMap((family) => family.updatedAtMs ?? [])
  const latest = updates.length === 0 ? undefined : Math.max(...updates)
  const status = Object.fromEntries(
    Object.entries(health.families)
      .filter(([, family]) => family.updatedAtMs !== undefined)
      .map(([name, family]) => [
        name,
        { lastUpdated: print(family.updatedAtMs), healthy: isFamilyHealthy(family, nowMs, syncPeriodMs) },
      ]),
  )
  const body = {
    lastUpdated: print(isOk ? nowMs : latest),
    currentTime: print(nowMs),
    ...(isEligible === undefined ? {} : { nodeEligible: isEligible }),
    healthy,
    ...(Object.keys(status).length === 0 ? {} : { status }),
  }
  const headers = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' }
  return { status: isOk ? 200 : 503, headers, body: JSON.stringify(body) }
}

// What Go prints for a time that was never set.
const zeroTime = '0001-01-01T00:00:00Z'

/** RFC 3339 in UTC, as Go prints a time with fractions. */
export function printTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0*Z$/, 'Z')
}
