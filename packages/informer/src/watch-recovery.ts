// What follows when a list, a watch or its silence failed: which error is told, whether to wait, and whether to
// follow changes again or to read the whole state again. Pure; the other half of `watch-machine.ts`.
// Source: client-go 1.36 `reflector.go` (list, watch, handleAnyWatch), informer reference §2 and §14.2.

import { beginList, beginProbe, beginState, beginWatch, stay } from './watch-begin.ts'
import { WatchError } from './watch-error.ts'
import type { WatchCommand, WatchContext, WatchState, WatchTransition } from './watch-state.ts'

/** A connection's end: by the server, with an error, or by our giving up on silence. */
export type Outage =
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly error: WatchError }
  | { readonly kind: 'silent' }

/** How long a server that refused a streamed initial list is not asked for one again. */
const pagedForMs = 3_600_000
/** A watch that ends sooner and brought nothing must not be reopened at once (client-go: "very short watch"). */
const shortWatchMs = 1000
/** A watch that ends this close to its own timeout was ended by the server on purpose. */
const timeoutSlackMs = 5000

/** The step after an outage, in whatever phase it came. */
export function recover<T>(state: WatchState, outage: Outage, context: WatchContext): WatchTransition<T> {
  switch (state.phase) {
    case 'listing':
      return outage.kind === 'ended'
        ? stay(state)
        : listFailed(unsureOf(state, outage), errorOf(state, outage), context)
    case 'probing':
      return outage.kind === 'ended'
        ? stay(state)
        : waitAfter(state, errorOf(state, outage), resumeAfter(errorOf(state, outage), 'probe'))
    case 'streaming':
      return streamingFailed(unsureOf(state, outage), outage, context)
    case 'connecting':
      return waitAfter(state, errorOf(state, outage), resumeAfter(errorOf(state, outage), 'probe'))
    case 'watching':
      return outage.kind === 'ended' ? watchEnded(state, context) : watchBroke(state, errorOf(state, outage), context)
    default:
      return stay(state)
  }
}

// A server that is behind the version asked for keeps the request waiting before it says so; perhaps longer than we do.
function unsureOf(state: WatchState, outage: Outage): WatchState {
  return outage.kind === 'silent' && state.hasSynced ? { ...state, isVersionUnavailable: true } : state
}

function listFailed<T>(state: WatchState, error: WatchError, context: WatchContext): WatchTransition<T> {
  const isRefusedVersion = error.code === 'INF_EXPIRED' || error.code === 'INF_TOO_LARGE_VERSION'
  const { listing } = state
  if (isRefusedVersion && listing) {
    // The token's snapshot is gone: one list without pages cannot be cut in the middle (client-go `pager.List`).
    if (listing.page > 1 && error.code === 'INF_EXPIRED') return disconnected(beginList(state, context, true))
    // The version is gone or not there yet: ask at once, and only once, for whatever is most recent.
    if (listing.version !== '') return disconnected(beginList({ ...state, isVersionUnavailable: true }, context))
  }
  return waitAfter(state, error, 'state')
}

function streamingFailed<T>(state: WatchState, outage: Outage, context: WatchContext): WatchTransition<T> {
  const { initialList } = context.settings
  const canFallBack = initialList === 'auto'
  if (outage.kind !== 'failed') {
    // It took the request and never marked the end: an old server, or a proxy in between.
    return canFallBack ? fallBack(state, context, pagedForMs) : waitAfter(state, errorOf(state, outage), 'state')
  }
  const { error } = outage
  switch (error.code) {
    case 'INF_EXPIRED':
    case 'INF_TOO_LARGE_VERSION':
      if (!state.isVersionUnavailable)
        return disconnected(beginState({ ...state, isVersionUnavailable: true }, context))
      return waitAfter(state, error, 'state')
    case 'INF_SERVER': {
      const code = error.status?.code ?? 500
      // 400, 405, 415, 422: it does not know the parameters. 5xx says nothing about them: only this round is paged.
      return canFallBack ? fallBack(state, context, code < 500 ? pagedForMs : 0) : waitAfter(state, error, 'state')
    }
    case 'INF_FORBIDDEN':
    case 'INF_NOT_FOUND':
    case 'INF_BAD_FRAME':
      return canFallBack ? fallBack(state, context, 0) : waitAfter(state, error, 'state')
    default:
      return waitAfter(state, error, 'state')
  }
}

function fallBack<T>(state: WatchState, context: WatchContext, forMs: number): WatchTransition<T> {
  const pagedUntilMs = forMs > 0 ? context.nowMs + forMs : state.pagedUntilMs
  return disconnected(beginList({ ...state, pagedUntilMs }, context))
}

// The stream ended as it should, early, or without ever being one.
function watchEnded<T>(state: WatchState, context: WatchContext): WatchTransition<T> {
  const { connection } = state
  if (!connection) return stay(state)
  const lastedMs = context.nowMs - connection.openedAtMs
  if (lastedMs < shortWatchMs && connection.lastFrameAtMs === undefined) {
    const message = `expected a watch to last, it ended after ${lastedMs} ms and brought nothing`
    return waitAfter(state, new WatchError({ code: 'INF_SHORT_WATCH', step: 'watch', message }), 'state')
  }
  if (lastedMs >= connection.timeoutSeconds * 1000 - timeoutSlackMs) return disconnected(beginWatch(state, context))
  // Ended early: a server that went away, perhaps to come back with older data. See where its versions stand first.
  return disconnected(beginProbe(state, context))
}

function watchBroke<T>(state: WatchState, error: WatchError, context: WatchContext): WatchTransition<T> {
  switch (error.code) {
    case 'INF_CONNECT':
    case 'INF_IDLE': {
      const { connection } = state
      const lastedMs = connection ? context.nowMs - connection.openedAtMs : 0
      if (lastedMs < shortWatchMs && connection?.lastFrameAtMs === undefined) return waitAfter(state, error, 'probe')
      const probe = disconnected<T>(
        beginProbe({ ...state, consecutiveFailures: state.consecutiveFailures + 1 }, context),
      )
      return { state: probe.state, commands: [{ kind: 'report', error }, ...probe.commands] }
    }
    case 'INF_THROTTLED':
      return waitAfter(state, error, 'probe')
    default:
      // Expired, too large, unreadable, server error: the state is listed again, at the last version first.
      return waitAfter(state, error, 'state')
  }
}

// Refused connections and throttling say nothing about the version, so the watch is tried again without a list.
function resumeAfter(error: WatchError, otherwise: 'probe' | 'watch'): WatchState['resumeWith'] {
  return error.code === 'INF_CONNECT' || error.code === 'INF_TLS' || error.code === 'INF_THROTTLED'
    ? otherwise
    : 'state'
}

function waitAfter<T>(state: WatchState, error: WatchError, resumeWith: WatchState['resumeWith']): WatchTransition<T> {
  const next: WatchState = {
    ...state,
    phase: 'waiting',
    resumeWith,
    listing: undefined,
    connection: undefined,
    deadlineMs: undefined,
    consecutiveFailures: state.consecutiveFailures + 1,
  }
  const atLeastMs = (error.status?.retryAfterSeconds ?? 0) * 1000
  return { state: next, commands: [{ kind: 'disconnect' }, { kind: 'report', error }, { kind: 'wait', atLeastMs }] }
}

function disconnected<T>({ state, commands }: WatchTransition<T>): WatchTransition<T> {
  return { state, commands: [{ kind: 'disconnect' } satisfies WatchCommand<T>, ...commands] }
}

function errorOf(state: WatchState, outage: Outage): WatchError {
  if (outage.kind === 'failed') return outage.error
  const step = state.phase === 'listing' || state.phase === 'probing' ? 'list' : 'watch'
  if (outage.kind === 'ended') {
    return new WatchError({
      code: 'INF_CONNECT',
      step,
      message: 'expected a complete answer, the server ended it early',
    })
  }
  const isOpen = state.phase === 'watching' || (state.connection && !Number.isNaN(state.connection.openedAtMs))
  if (!isOpen)
    return new WatchError({ code: 'INF_CONNECT', step, message: 'expected response headers, none came in time' })
  return new WatchError({ code: 'INF_IDLE', step, message: 'expected frames or bookmarks, none came in time' })
}
