// The four ways a watch goes on: read the state streamed or by pages, probe, follow changes. Pure.
// Parameters: client-go 1.36 `reflector.go` (list, watch, watchList).

import type { ListOptions, WatchOptions } from './source.ts'
import type { WatchContext, WatchState, WatchTransition } from './watch-state.ts'

/** Without a frame for so long while the initial events are awaited, the server is taken not to send their end mark. */
export const streamingIdleMs = 10_000

/** Obtains the state: streamed when the server is believed to do that, else by pages. */
export function beginState<T>(state: WatchState, context: WatchContext): WatchTransition<T> {
  const { initialList } = context.settings
  const canStream = initialList === 'streaming' || (initialList === 'auto' && context.nowMs >= state.pagedUntilMs)
  return canStream ? beginStreaming(state, context) : beginList(state, context)
}

function beginStreaming<T>(state: WatchState, context: WatchContext): WatchTransition<T> {
  const timeoutSeconds = pickTimeoutSeconds(context)
  const options: WatchOptions = {
    resourceVersion: state.isVersionUnavailable ? '' : (state.lastVersion ?? ''),
    resourceVersionMatch: 'NotOlderThan',
    sendInitialEvents: true,
    allowWatchBookmarks: true,
    timeoutSeconds,
  }
  return connect(state, 'streaming', options, context)
}

/** Lists from the first page. `isFull` asks for everything in one piece. */
export function beginList<T>(state: WatchState, context: WatchContext, isFull = false): WatchTransition<T> {
  const { settings } = context
  const first = settings.listSemantics === 'any' ? '0' : ''
  const version = state.isVersionUnavailable ? '' : (state.lastVersion ?? first)
  // A list at a real version is answered from the watch cache only without a limit (client-go `Reflector.list`).
  const isPaged = !isFull && (settings.isPageSizeExplicit || state.isPaginated || version === '' || version === '0')
  const options: ListOptions = {
    ...(isPaged ? { limit: settings.pageSize } : {}),
    ...(version === '' ? {} : { resourceVersion: version }),
  }
  const next: WatchState = {
    ...state,
    phase: 'listing',
    listing: { version, page: 1, isFull },
    connection: undefined,
    deadlineMs: context.nowMs + settings.connectTimeoutMs,
  }
  return { state: next, commands: [{ kind: 'list', options, isProbe: false }] }
}

/**
 * Looks, before a watch is resumed, whether the server still has the history we followed: asks for the landmark alone.
 * A watch from a version that the server has not reached (again) is answered with silence (kube-apiserver 1.36).
 */
export function beginProbe<T>(state: WatchState, context: WatchContext): WatchTransition<T> {
  const deadlineMs = context.nowMs + context.settings.connectTimeoutMs
  const next: WatchState = { ...state, phase: 'probing', connection: undefined, listing: undefined, deadlineMs }
  const { landmark } = state
  const place = landmark?.namespace === undefined ? '' : `,metadata.namespace=${landmark.namespace}`
  const options: ListOptions = {
    limit: 1,
    ...(landmark === undefined ? {} : { fieldSelector: `metadata.name=${landmark.name}${place}` }),
  }
  return { state: next, commands: [{ kind: 'list', options, isProbe: true }] }
}

/** Follows changes from the last version. */
export function beginWatch<T>(state: WatchState, context: WatchContext): WatchTransition<T> {
  const options: WatchOptions = {
    resourceVersion: state.lastVersion ?? '',
    allowWatchBookmarks: true,
    timeoutSeconds: pickTimeoutSeconds(context),
  }
  return connect(state, 'connecting', options, context)
}

/** The same state with nothing to do. */
export function stay<T>(state: WatchState): WatchTransition<T> {
  return { state, commands: [] }
}

function connect<T>(
  state: WatchState,
  phase: 'streaming' | 'connecting',
  options: WatchOptions,
  { nowMs, settings }: WatchContext,
): WatchTransition<T> {
  const next: WatchState = {
    ...state,
    phase,
    listing: undefined,
    connection: {
      openedAtMs: Number.NaN,
      timeoutSeconds: options.timeoutSeconds ?? 0,
      lastFrameAtMs: undefined,
      hasBookmark: false,
    },
    deadlineMs: nowMs + settings.connectTimeoutMs,
  }
  return { state: next, commands: [{ kind: 'watch', options }] }
}

// client-go: uniformly random in [min, 2·min), so that the watches of a fleet do not end together.
function pickTimeoutSeconds({ settings, random }: WatchContext): number {
  return Math.floor(settings.minWatchTimeoutSeconds * (1 + random()))
}
