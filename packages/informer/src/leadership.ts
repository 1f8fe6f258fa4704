// Leader election over a Lease: campaigns, renews, and tells. Decisions are in `lease-machine.ts`.
// Defaults and jitter: client-go `tools/leaderelection` (lease 15 s, renew deadline 10 s, retry 2 s, factor 1.2).

import { Observable } from 'rxjs'
import { type Clock, systemClock } from './clock.ts'
import {
  canClaim,
  claimedLease,
  holdsLease,
  initialLeaseState,
  type Lease,
  type LeaseClaim,
  type LeaseState,
  leaseHolder,
  observeLease,
  releasedLease,
} from './lease-machine.ts'
import type { Cluster } from './source.ts'
import { asWatchError, WatchError } from './watch-error.ts'

/** The lease to hold and how long things may take. Required: lease > renew deadline > 1.2 × retry. */
export interface LeaseOptions {
  readonly name: string
  readonly namespace: string
  /** Unique per candidate: pod name, or host name and a random part. */
  readonly identity: string
  /** Others may take the lease when they saw no renewal for so long; default 15. */
  readonly leaseDurationSeconds?: number
  /** Without a successful renewal for so long we stop leading; default 10. */
  readonly renewDeadlineSeconds?: number
  /** Time between two attempts; default 2. */
  readonly retryPeriodSeconds?: number
  /** Gives the lease up when we stop, so that another leads at once; default true. */
  readonly releaseOnAbort?: boolean
  readonly clock?: Clock
  readonly random?: () => number
  /** Time written into the lease, milliseconds since the epoch; default the clock's. */
  readonly wallMs?: () => number
  /** Told about every failed attempt; none is fatal. */
  readonly onError?: (error: WatchError) => void
}

/** Who leads, as far as we know. */
export interface Leadership {
  readonly isLeader: boolean
  readonly leader: string | undefined
}

const jitterFactor = 1.2

/**
 * Takes part in an election for as long as someone is subscribed. Emits on every change of leader, first with the state
 * that the first attempt found. When the API server cannot be reached within the renew deadline, `isLeader` turns false
 * before others may take the lease. Unsubscribing releases it.
 *
 * @throws Error when the durations contradict each other
 */
export function watchLeadership(cluster: Cluster, lease: LeaseOptions): Observable<Leadership> {
  const election = electionOf(lease)
  return new Observable((subscriber) => {
    const life = new AbortController()
    void campaign(cluster, election, life.signal, (leadership) => subscriber.next(leadership))
    return () => life.abort()
  })
}

/**
 * Campaigns until leading, then runs `lead` with a signal that aborts when leadership is lost or `signal` aborts; after a
 * loss it campaigns again. Resolves when `signal` aborts, or when `lead` returns by itself while leading. The lease is
 * released only after `lead` has returned.
 */
export async function runAsLeader(
  cluster: Cluster,
  lease: LeaseOptions & { readonly signal: AbortSignal },
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const election = electionOf(lease)
  const life = new AbortController()
  const stop = (): void => life.abort()
  if (lease.signal.aborted) stop()
  lease.signal.addEventListener('abort', stop)
  let term: { readonly loss: AbortController; readonly work: Promise<void> } | undefined
  let failure: { readonly error: unknown } | undefined
  const begin = (): void => {
    const loss = new AbortController()
    const work = lead(loss.signal).then(
      () => {
        // Returning while leading means that the job is done.
        if (!loss.signal.aborted) stop()
      },
      (error: unknown) => {
        failure ??= { error }
        stop()
      },
    )
    term = { loss, work }
  }
  const finish = async (): Promise<void> => {
    term?.loss.abort()
    await term?.work
    term = undefined
  }
  const abortTerm = (): void => term?.loss.abort()
  life.signal.addEventListener('abort', abortTerm)
  try {
    await campaign(
      cluster,
      election,
      life.signal,
      async ({ isLeader }) => {
        if (isLeader && term === undefined) begin()
        else if (!isLeader && term !== undefined) await finish()
      },
      finish,
    )
  } finally {
    lease.signal.removeEventListener('abort', stop)
  }
  if (failure !== undefined) throw failure.error
}

interface Election {
  readonly claim: LeaseClaim
  readonly renewDeadlineMs: number
  readonly retryMs: number
  readonly isReleased: boolean
  readonly clock: Clock
  readonly random: () => number
  readonly wallMs: () => number
  readonly onError: (error: WatchError) => void
}

function electionOf(options: LeaseOptions): Election {
  const { leaseDurationSeconds = 15, renewDeadlineSeconds = 10, retryPeriodSeconds = 2 } = options
  const { name, namespace, identity, clock = systemClock, random = Math.random } = options
  if (!(leaseDurationSeconds > renewDeadlineSeconds && renewDeadlineSeconds > jitterFactor * retryPeriodSeconds)) {
    throw new Error('expected leaseDurationSeconds > renewDeadlineSeconds > 1.2 × retryPeriodSeconds')
  }
  return {
    claim: { name, namespace, identity, leaseDurationSeconds },
    renewDeadlineMs: renewDeadlineSeconds * 1000,
    retryMs: retryPeriodSeconds * 1000,
    isReleased: options.releaseOnAbort !== false,
    clock,
    random,
    wallMs: options.wallMs ?? (() => clock.nowMs()),
    onError: options.onError ?? (() => undefined),
  }
}

async function campaign(
  cluster: Cluster,
  election: Election,
  signal: AbortSignal,
  tell: (leadership: Leadership) => void | Promise<void>,
  beforeRelease: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { clock, retryMs, random } = election
  let state = initialLeaseState
  let told: Leadership | undefined
  const announce = async (isLeader: boolean): Promise<void> => {
    const leadership = { isLeader, leader: leaseHolder(state) }
    if (told?.isLeader === isLeader && told.leader === leadership.leader) return
    told = leadership
    await tell(leadership)
  }
  while (!signal.aborted) {
    const attempt = await tryClaim(cluster, election, state, signal)
    state = attempt.state
    if (signal.aborted) break
    if (attempt.isDecided || told?.isLeader) await announce(stillLeads(state, election))
    const pauseMs = told?.isLeader ? retryMs : retryMs * (1 + jitterFactor * random())
    await clock.sleep(Math.min(pauseMs, leadRestMs(state, election, told?.isLeader === true)), signal)
    if (told?.isLeader && !stillLeads(state, election)) await announce(false)
  }
  await beforeRelease()
  if (election.isReleased && holdsLease(state, election.claim, clock.nowMs())) await release(cluster, election, state)
}

// We stop when the renew deadline has passed, earlier than others may begin (lease duration).
function stillLeads(state: LeaseState, { claim, clock, renewDeadlineMs }: Election): boolean {
  const nowMs = clock.nowMs()
  return holdsLease(state, claim, nowMs) && nowMs < (state.renewedAtMs ?? 0) + renewDeadlineMs
}

function leadRestMs(state: LeaseState, { clock, renewDeadlineMs }: Election, isLeader: boolean): number {
  if (!isLeader || state.renewedAtMs === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, state.renewedAtMs + renewDeadlineMs - clock.nowMs())
}

interface Attempt {
  readonly state: LeaseState
  /** The server answered, so we know who leads. */
  readonly isDecided: boolean
}

async function tryClaim(
  cluster: Cluster,
  election: Election,
  state: LeaseState,
  signal: AbortSignal,
): Promise<Attempt> {
  const { claim, clock } = election
  // One attempt may not outlive the renew deadline, or a hanging request would hide the loss of leadership.
  const timeoutMs = Math.max(1000, leadRestMs(state, election, holdsLease(state, claim, clock.nowMs())))
  const limits = { signal, timeoutMs: Math.min(timeoutMs, election.renewDeadlineMs) }
  try {
    if (holdsLease(state, claim, clock.nowMs())) {
      const renewed = await writeLease(cluster, election, state, limits)
      if (renewed !== undefined) return { state: renewed, isDecided: true }
    }
    const path = leasePath(claim)
    const found = await cluster
      .request<Lease>({ method: 'GET', path: `${path}/${encodeURIComponent(claim.name)}`, ...limits })
      .catch(notFound)
    const seen = found === undefined ? { ...state, lease: undefined } : observeLease(state, found, clock.nowMs())
    if (!canClaim(seen, claim, clock.nowMs())) return { state: { ...seen, renewedAtMs: undefined }, isDecided: true }
    const written = await writeLease(cluster, election, seen, limits)
    // Lost the race: who won is known after the next look.
    return { state: written ?? seen, isDecided: written !== undefined }
  } catch (thrown) {
    if (!signal.aborted) election.onError(asWatchError(thrown, 'request'))
    return { state, isDecided: false }
  }
}

interface Limits {
  readonly signal?: AbortSignal
  readonly timeoutMs: number
}

// `undefined`: someone else wrote first; the caller reads again.
async function writeLease(
  cluster: Cluster,
  election: Election,
  state: LeaseState,
  limits: Limits,
): Promise<LeaseState | undefined> {
  const { claim, clock, wallMs } = election
  const body = claimedLease(state, claim, wallMs())
  const path = leasePath(claim)
  // Counted from before the request: others count from when they see the change, which is later.
  const startedAtMs = clock.nowMs()
  const isNew = state.lease === undefined
  try {
    const lease = await cluster.request<Lease>({
      method: isNew ? 'POST' : 'PUT',
      path: isNew ? path : `${path}/${encodeURIComponent(claim.name)}`,
      body,
      ...limits,
    })
    return { lease, seenAtMs: startedAtMs, renewedAtMs: startedAtMs }
  } catch (thrown) {
    if (thrown instanceof WatchError && thrown.status?.code === 409) return undefined
    throw thrown
  }
}

async function release(cluster: Cluster, election: Election, state: LeaseState): Promise<void> {
  const { claim, wallMs } = election
  if (state.lease === undefined) return
  const body = releasedLease(state.lease, wallMs())
  try {
    const path = `${leasePath(claim)}/${encodeURIComponent(claim.name)}`
    await cluster.request({ method: 'PUT', path, body, timeoutMs: 5000 })
  } catch (thrown) {
    election.onError(asWatchError(thrown, 'request'))
  }
}

function leasePath({ namespace }: LeaseClaim): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`
}

function notFound(thrown: unknown): undefined {
  if (thrown instanceof WatchError && thrown.status?.code === 404) return undefined
  throw thrown
}
