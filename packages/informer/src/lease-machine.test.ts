import { describe, expect, it } from 'vitest'
import {
  canClaim,
  claimedLease,
  holdsLease,
  initialLeaseState,
  type Lease,
  microTime,
  observeLease,
  releasedLease,
} from './lease-machine.ts'

const claim = { name: 'ingress', namespace: 'edge', identity: 'me', leaseDurationSeconds: 15 }
const heldBy = (holderIdentity: string, renewTime = '2026-01-01T00:00:00.000000Z'): Lease => ({
  metadata: { name: 'ingress', namespace: 'edge', resourceVersion: '7' },
  spec: {
    holderIdentity,
    leaseDurationSeconds: 15,
    renewTime,
    acquireTime: '2025-01-01T00:00:00.000000Z',
    leaseTransitions: 3,
  },
})

describe('whether a lease may be claimed', () => {
  it.each<[string, Lease | undefined, number, number, boolean]>([
    ['nobody has written it', undefined, 0, 0, true],
    ['it was released', heldBy(''), 0, 0, true],
    ['it is ours', heldBy('me'), 0, 0, true],
    ['another holds it and we just saw it change', heldBy('other'), 1000, 2000, false],
    ['another holds it and was silent for just less than its duration', heldBy('other'), 1000, 15_999, false],
    ['another holds it and was silent for its duration', heldBy('other'), 1000, 16_000, true],
    [
      'its timestamps are years old: only what we saw counts',
      heldBy('other', '1999-01-01T00:00:00.000000Z'),
      1000,
      2000,
      false,
    ],
    [
      'its timestamps are in the future: only what we saw counts',
      heldBy('other', '2999-01-01T00:00:00.000000Z'),
      1000,
      16_000,
      true,
    ],
  ])('%s', (_name, lease, seenAtMs, nowMs, may) => {
    const state = lease === undefined ? initialLeaseState : observeLease(initialLeaseState, lease, seenAtMs)
    expect(canClaim(state, claim, nowMs)).toBe(may)
  })

  it('a record that did not change is no sign of life, one that did is', () => {
    const seen = observeLease(initialLeaseState, heldBy('other'), 1000)
    expect(observeLease(seen, heldBy('other'), 9000).seenAtMs).toBe(1000)
    expect(observeLease(seen, heldBy('other', '2026-01-01T00:00:02.000000Z'), 9000).seenAtMs).toBe(9000)
  })
})

describe('what is written', () => {
  const wallMs = Date.parse('2026-02-03T04:05:06.789Z')
  it('a first claim starts counting transitions at 0', () => {
    expect(claimedLease(initialLeaseState, claim, wallMs)).toMatchObject({
      kind: 'Lease',
      metadata: { name: 'ingress', namespace: 'edge' },
      spec: {
        holderIdentity: 'me',
        leaseTransitions: 0,
        acquireTime: '2026-02-03T04:05:06.789000Z',
        renewTime: '2026-02-03T04:05:06.789000Z',
      },
    })
  })
  it('a renewal keeps the time of acquisition and the transitions, and the version it was read at', () => {
    const lease = claimedLease(observeLease(initialLeaseState, heldBy('me'), 0), claim, wallMs)
    expect(lease.spec).toMatchObject({
      leaseTransitions: 3,
      acquireTime: '2025-01-01T00:00:00.000000Z',
      renewTime: microTime(wallMs),
    })
    expect(lease.metadata?.resourceVersion).toBe('7')
  })
  it('taking over counts a transition', () => {
    const lease = claimedLease(observeLease(initialLeaseState, heldBy('other'), 0), claim, wallMs)
    expect(lease.spec).toMatchObject({ holderIdentity: 'me', leaseTransitions: 4, acquireTime: microTime(wallMs) })
  })
  it('a release names nobody and lasts a second', () => {
    expect(releasedLease(heldBy('me'), wallMs).spec).toMatchObject({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      leaseTransitions: 3,
    })
  })
})

it('we hold a lease from our renewal for its duration', () => {
  const state = { lease: heldBy('me'), seenAtMs: 1000, renewedAtMs: 1000 }
  expect([holdsLease(state, claim, 15_999), holdsLease(state, claim, 16_000)]).toEqual([true, false])
  expect(holdsLease({ ...state, lease: heldBy('other') }, claim, 2000)).toBe(false)
})
