// The pure half of a leader election over a Lease: what we saw, whether we may take it, what we would write.
// Source: client-go `tools/leaderelection` (LeaderElector.tryAcquireOrRenew). Expiry never trusts the timestamps in the
// object, only the time since we saw it change, so a skewed clock cannot steal a lease.

import type { KubeObject } from '@kubewire/kube-model'

/** coordination.k8s.io/v1 Lease: who leads, and until when. */
export interface Lease extends KubeObject {
  readonly spec?: LeaseSpec
}

/** `spec` of a Lease; times are RFC 3339 with microseconds. */
export interface LeaseSpec {
  readonly holderIdentity?: string
  readonly leaseDurationSeconds?: number
  readonly acquireTime?: string
  readonly renewTime?: string
  readonly leaseTransitions?: number
}

/** What one candidate knows. */
export interface LeaseState {
  /** The lease as last seen or written. */
  readonly lease: Lease | undefined
  /** On our own clock. */
  readonly seenAtMs: number
  /** When our own claim was last accepted. */
  readonly renewedAtMs: number | undefined
}

/** Who we are and how long a claim lasts. */
export interface LeaseClaim {
  readonly name: string
  readonly namespace: string
  readonly identity: string
  readonly leaseDurationSeconds: number
}

/** Nothing seen yet. */
export const initialLeaseState: LeaseState = {
  lease: undefined,
  seenAtMs: Number.NEGATIVE_INFINITY,
  renewedAtMs: undefined,
}

/** The state after a lease was read; only a changed record counts as a sign of life of its holder. */
export function observeLease(state: LeaseState, lease: Lease, nowMs: number): LeaseState {
  const isSame = JSON.stringify(lease.spec) === JSON.stringify(state.lease?.spec)
  return isSame && state.lease !== undefined ? { ...state, lease } : { ...state, lease, seenAtMs: nowMs }
}

/** The holder as last seen; `undefined` when nobody holds it. */
export function leaseHolder({ lease }: LeaseState): string | undefined {
  return lease?.spec?.holderIdentity || undefined
}

/** Whether we may write the lease: it is ours, nobody's, or its holder was silent for its whole duration. */
export function canClaim(state: LeaseState, claim: LeaseClaim, nowMs: number): boolean {
  const holder = leaseHolder(state)
  if (holder === undefined || holder === claim.identity) return true
  const durationMs = (state.lease?.spec?.leaseDurationSeconds ?? claim.leaseDurationSeconds) * 1000
  return nowMs >= state.seenAtMs + durationMs
}

/** Whether what we know says that we lead and our lease is still valid at `nowMs`. */
export function holdsLease(state: LeaseState, claim: LeaseClaim, nowMs: number): boolean {
  if (leaseHolder(state) !== claim.identity || state.renewedAtMs === undefined) return false
  return nowMs < state.renewedAtMs + claim.leaseDurationSeconds * 1000
}

/** The lease with our claim on it. `wallMs` is the time written into it. */
export function claimedLease(state: LeaseState, claim: LeaseClaim, wallMs: number): Lease {
  const before = state.lease?.spec
  const isOurs = before?.holderIdentity === claim.identity
  const isTransition = state.lease !== undefined && !isOurs
  const time = microTime(wallMs)
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { ...state.lease?.metadata, name: claim.name, namespace: claim.namespace },
    spec: {
      ...before,
      holderIdentity: claim.identity,
      leaseDurationSeconds: claim.leaseDurationSeconds,
      acquireTime: isOurs ? (before?.acquireTime ?? time) : time,
      renewTime: time,
      leaseTransitions: (before?.leaseTransitions ?? 0) + (isTransition ? 1 : 0),
    },
  }
}

/** The lease given up: no holder, expired after a second (client-go `release`). */
export function releasedLease(lease: Lease, wallMs: number): Lease {
  const time = microTime(wallMs)
  return {
    ...lease,
    spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time },
  }
}

/** RFC 3339 with six digits of the second, the API's MicroTime. */
export function microTime(wallMs: number): string {
  return new Date(wallMs).toISOString().replace('Z', '000Z')
}
