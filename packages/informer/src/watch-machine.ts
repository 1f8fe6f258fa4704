// The decisions of a self-healing watch as a pure function: (state, signal, now) → state and commands. No clock, no
// I/O; `watch-resource.ts` carries the commands out. What each failure leads to is in `watch-recovery.ts`.
// Behaviour: client-go 1.36 `tools/cache/reflector.go`, kube-rs `watcher.rs`, and what both miss (see README).
//
//   idle ─start─▶ streaming ─end bookmark──────────▶ watching ─ended─▶ probing ─▶ connecting ─▶ watching
//           └───▶ listing ──last page──▶ connecting ─opened─▶ ┘                └─ versions went back ─▶ listing
//   any failure ─▶ waiting ─elapsed─▶ listing, streaming, probing or connecting

import type { KubeObject } from '@kubewire/kube-model'
import type { ResourceEvent } from './event.ts'
import { landmarkOf } from './landmark.ts'
import { isOlder, newerVersion } from './resource-version.ts'
import type { ListOptions, WatchFrame } from './source.ts'
import { isExpired } from './status.ts'
import { beginProbe, beginState, beginWatch, stay, streamingIdleMs } from './watch-begin.ts'
import { errorOfStatus, WatchError } from './watch-error.ts'
import { recover } from './watch-recovery.ts'
import type {
  Connection,
  Landmark,
  WatchCommand,
  WatchContext,
  WatchSignal,
  WatchState,
  WatchTransition,
} from './watch-state.ts'

/** Grace after the server should have ended the watch by itself. */
const timeoutGraceMs = 15_000
/** How exactly the time of the last frame is kept. */
const lifeGrainMs = 1000

/**
 * One step of the watch. Total: a signal that makes no sense in a phase changes nothing.
 *
 * @see client-go `Reflector.ListAndWatchWithContext`
 */
export function watchStep<T>(state: WatchState, signal: WatchSignal<T>, context: WatchContext): WatchTransition<T> {
  switch (signal.kind) {
    case 'start':
      return state.phase === 'idle' ? beginState(state, context) : stay(state)
    case 'elapsed':
      return state.phase === 'waiting' ? resume(state, context) : stay(state)
    case 'opened':
      return opened(state, context)
    case 'page':
      return pageDone(state, signal, context)
    case 'frame':
      return frameCame(state, signal, context)
    case 'ended':
      return recover(state, { kind: 'ended' }, context)
    case 'failed':
      return state.phase === 'idle' || state.phase === 'waiting' ? stay(state) : recover(state, signal, context)
    case 'tick':
      return ticked(state, context)
  }
}

function resume<T>(state: WatchState, context: WatchContext): WatchTransition<T> {
  if (state.resumeWith === 'watch') return beginWatch(state, context)
  return state.resumeWith === 'probe' ? beginProbe(state, context) : beginState(state, context)
}

function opened<T>(state: WatchState, context: WatchContext): WatchTransition<T> {
  const { phase, connection, listing } = state
  if (phase === 'probing') return stay({ ...state, deadlineMs: undefined })
  if (phase === 'listing') {
    const isFirst = listing?.page === 1
    const commands: readonly WatchCommand<T>[] = isFirst ? [{ kind: 'emit', event: initEvent(state) }] : []
    return { state: { ...state, deadlineMs: undefined }, commands }
  }
  if (!connection || (phase !== 'streaming' && phase !== 'connecting')) return stay(state)
  const open: WatchState = { ...state, connection: { ...connection, openedAtMs: context.nowMs } }
  if (phase === 'streaming') {
    const next: WatchState = { ...open, deadlineMs: context.nowMs + streamingIdleMs }
    return { state: next, commands: [{ kind: 'emit', event: initEvent(state) }] }
  }
  return stay(watchDeadline({ ...open, phase: 'watching' }, context))
}

// At the most recent state after a refusal, the server may have lost history: equal versions prove nothing then.
function initEvent<T>(state: WatchState): ResourceEvent<T> {
  return state.isVersionUnavailable && state.hasSynced ? { type: 'init', isHistoryUncertain: true } : { type: 'init' }
}

// Before the first bookmark only the server's own timeout is a sign of life to count on (bookmarks are optional).
function watchDeadline(state: WatchState, { nowMs, settings }: WatchContext): WatchState {
  const { connection } = state
  if (!connection) return state
  const untilEndMs = connection.openedAtMs + connection.timeoutSeconds * 1000 + timeoutGraceMs
  return { ...state, deadlineMs: connection.hasBookmark ? nowMs + settings.idleTimeoutMs : untilEndMs }
}

// Kept to the second: a list streamed as a hundred thousand frames must not make as many states.
function signOfLife(state: WatchState, connection: Connection, isBookmark: boolean, context: WatchContext): WatchState {
  const { nowMs } = context
  const isFresh = nowMs - (connection.lastFrameAtMs ?? Number.NEGATIVE_INFINITY) < lifeGrainMs
  const hasBookmark = connection.hasBookmark || isBookmark
  if (isFresh && hasBookmark === connection.hasBookmark && state.consecutiveFailures === 0) return state
  const alive: WatchState = {
    ...state,
    connection: { ...connection, lastFrameAtMs: nowMs, hasBookmark },
    consecutiveFailures: 0,
  }
  return state.phase === 'streaming' ? { ...alive, deadlineMs: nowMs + streamingIdleMs } : watchDeadline(alive, context)
}

function pageDone<T>(
  state: WatchState,
  page: Extract<WatchSignal<T>, { readonly kind: 'page' }>,
  context: WatchContext,
): WatchTransition<T> {
  if (state.phase === 'probing') return probeDone(state, page, context)
  const { listing } = state
  if (state.phase !== 'listing' || !listing) return stay(state)
  if (page.continue) {
    const next: WatchState = {
      ...state,
      listing: { ...listing, page: listing.page + 1 },
      isPaginated: state.isPaginated || listing.version === '0',
      deadlineMs: context.nowMs + context.settings.connectTimeoutMs,
    }
    // Version and match must be clear on later pages: the token carries the version.
    const options: ListOptions = { limit: context.settings.pageSize, continue: page.continue }
    return { state: next, commands: [{ kind: 'list', options, isProbe: false }] }
  }
  if (!page.resourceVersion) {
    const message = 'expected a list with metadata.resourceVersion, got none'
    return recover(
      state,
      { kind: 'failed', error: new WatchError({ code: 'INF_BAD_LIST', step: 'list', message }) },
      context,
    )
  }
  const synced = syncedAt<T>(state, page.resourceVersion, page.landmark)
  const watch = beginWatch<T>(synced.state, context)
  return { state: watch.state, commands: [...synced.commands, ...watch.commands] }
}

// The whole state is there: tell it, and report when the server's versions went backwards meanwhile.
function syncedAt<T>(state: WatchState, resourceVersion: string, landmark: Landmark | undefined): WatchTransition<T> {
  const commands: WatchCommand<T>[] = [{ kind: 'emit', event: { type: 'initDone', resourceVersion } }]
  // Only the most recent state is never older than what we saw; a cache ("0") may be.
  if (state.isVersionUnavailable && isOlder(resourceVersion, state.lastVersion)) {
    commands.push({ kind: 'report', error: rollbackError(state.lastVersion, resourceVersion) })
  }
  const next: WatchState = {
    ...state,
    hasSynced: true,
    lastVersion: resourceVersion,
    landmark,
    isVersionUnavailable: false,
    listing: undefined,
    consecutiveFailures: 0,
  }
  return { state: next, commands }
}

// The landmark unchanged and the versions not behind ours: the same history, the watch resumes. Anything else may be a
// restored or wiped storage, also one whose counter has overtaken ours meanwhile; only the whole state tells.
function probeDone<T>(
  state: WatchState,
  page: Extract<WatchSignal<T>, { readonly kind: 'page' }>,
  context: WatchContext,
): WatchTransition<T> {
  const { landmark, lastVersion } = state
  const isSame = landmark?.uid === page.landmark?.uid && landmark?.version === page.landmark?.version
  if (isSame && !isOlder(page.resourceVersion, lastVersion))
    return beginWatch({ ...state, listing: undefined }, context)
  return beginState({ ...state, isVersionUnavailable: true }, context)
}

function rollbackError(before: string | undefined, after: string): WatchError {
  const message = `expected versions to grow, but the server went from ${before} back to ${after}; its state was read anew`
  return new WatchError({ code: 'INF_VERSION_ROLLBACK', step: 'list', message })
}

function frameCame<T>(
  state: WatchState,
  { frame, landmark }: Extract<WatchSignal<T>, { readonly kind: 'frame' }>,
  context: WatchContext,
): WatchTransition<T> {
  const { phase, connection } = state
  if (!connection || (phase !== 'watching' && phase !== 'streaming')) return stay(state)
  if (frame.type === 'ERROR') {
    const error = errorOfStatus(frame.status, 'watch', isExpired(frame.status) ? 'watch resume' : 'watch')
    return recover(state, { kind: 'failed', error }, context)
  }
  const seen = signOfLife(state, connection, frame.type === 'BOOKMARK', context)
  return phase === 'streaming' ? streamedFrame(seen, frame, landmark, context) : watchedFrame(seen, frame)
}

type UsableFrame<T> = Exclude<WatchFrame<T>, { readonly type: 'ERROR' }>

function streamedFrame<T>(
  state: WatchState,
  frame: UsableFrame<T>,
  landmark: Landmark | undefined,
  context: WatchContext,
): WatchTransition<T> {
  if (frame.type === 'BOOKMARK') {
    // A version-less end mark would leave nothing to resume from.
    if (!frame.isInitialEventsEnd || !frame.resourceVersion) return stay(state)
    const synced = syncedAt<T>(state, frame.resourceVersion, landmark)
    return { state: watchDeadline({ ...synced.state, phase: 'watching' }, context), commands: synced.commands }
  }
  if (frame.type === 'INVALID') return { state, commands: [{ kind: 'report', error: frame.error }] }
  // Versions of synthetic ADDED frames come in no order and are not taken over.
  const event = frame.type === 'DELETED' ? deleteEvent(frame) : ({ type: 'initApply', object: frame.object } as const)
  return { state, commands: [{ kind: 'emit', event }] }
}

function watchedFrame<T>(state: WatchState, frame: UsableFrame<T>): WatchTransition<T> {
  const next = followVersion(state, frame)
  switch (frame.type) {
    case 'INVALID':
      return { state: next, commands: [{ kind: 'report', error: frame.error }] }
    case 'BOOKMARK': {
      if (!frame.resourceVersion) return stay(next)
      const event: ResourceEvent<T> = { type: 'bookmark', resourceVersion: frame.resourceVersion }
      return { state: next, commands: [{ kind: 'emit', event }] }
    }
    case 'DELETED':
      return { state: next, commands: [{ kind: 'emit', event: deleteEvent(frame) }] }
    default:
      return { state: next, commands: [{ kind: 'emit', event: { type: 'apply', object: frame.object } }] }
  }
}

function followVersion<T>(state: WatchState, frame: UsableFrame<T>): WatchState {
  if (frame.type === 'BOOKMARK' || frame.type === 'INVALID') {
    const lastVersion = newerVersion(state.lastVersion, frame.resourceVersion)
    return lastVersion === state.lastVersion ? state : { ...state, lastVersion }
  }
  const changed = landmarkOf(frame.object as KubeObject)
  // A frame said twice or late is no news.
  if (changed === undefined || isOlder(changed.version, state.lastVersion)) return state
  const landmark = frame.type === 'DELETED' ? undefined : changed
  return { ...state, lastVersion: newerVersion(state.lastVersion, changed.version), landmark }
}

function deleteEvent<T>(frame: { readonly object: T; readonly isHidden?: true }): ResourceEvent<T> {
  return { type: 'delete', object: frame.object, ...(frame.isHidden ? { isHidden: true } : {}) }
}

function ticked<T>(state: WatchState, context: WatchContext): WatchTransition<T> {
  if (state.deadlineMs === undefined || context.nowMs < state.deadlineMs) return stay(state)
  return recover(state, { kind: 'silent' }, context)
}
