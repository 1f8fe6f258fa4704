// State, signals and commands of a self-healing watch as plain data. `watch-machine.ts` steps it.

import type { ResourceEvent } from './event.ts'
import type { ListOptions, WatchFrame, WatchOptions } from './source.ts'
import type { WatchError } from './watch-error.ts'

/** What the machine is told about its surroundings, the same for every step of one watch. */
export interface WatchSettings {
  readonly initialList: 'auto' | 'streaming' | 'paged'
  readonly pageSize: number
  /** The user chose the page size, so it is used for every list. */
  readonly isPageSizeExplicit: boolean
  readonly listSemantics: 'any' | 'mostRecent'
  readonly minWatchTimeoutSeconds: number
  readonly idleTimeoutMs: number
  readonly connectTimeoutMs: number
}

/** Facts of the open connection. */
export interface Connection {
  readonly openedAtMs: number
  readonly timeoutSeconds: number
  /** To the second; `undefined` before the first frame. */
  readonly lastFrameAtMs: number | undefined
  readonly hasBookmark: boolean
}

/** A list under way. */
export interface Listing {
  /** The version asked for; `''` is the most recent. */
  readonly version: string
  readonly page: number
  readonly isFull: boolean
}

/** An object by which a server's history is recognised: the latest change we know of. */
export interface Landmark {
  readonly name: string
  readonly namespace: string | undefined
  readonly uid: string
  readonly version: string
}

/** State of one watch; `initialWatchState` is the first. */
export interface WatchState {
  readonly phase: 'idle' | 'listing' | 'streaming' | 'probing' | 'connecting' | 'watching' | 'waiting'
  /** What follows the wait. */
  readonly resumeWith: 'state' | 'watch' | 'probe'
  readonly hasSynced: boolean
  readonly lastVersion: string | undefined
  /** `undefined` when there is none, or when the latest change was a deletion. */
  readonly landmark: Landmark | undefined
  /** The server refused `lastVersion`: ask for the most recent state. */
  readonly isVersionUnavailable: boolean
  /** This server cuts even its cached lists into pages. */
  readonly isPaginated: boolean
  /** Until then a streamed initial list is not tried again. */
  readonly pagedUntilMs: number
  readonly listing: Listing | undefined
  readonly connection: Connection | undefined
  /** When to give the connection up if no signal comes first. */
  readonly deadlineMs: number | undefined
  readonly consecutiveFailures: number
}

/** What happened. */
export type WatchSignal<T> =
  | { readonly kind: 'start' }
  | { readonly kind: 'opened' }
  | {
      readonly kind: 'page'
      readonly resourceVersion: string
      readonly continue?: string
      /** Of all objects of this list so far; of a probe, what it found. */
      readonly landmark: Landmark | undefined
    }
  /** `landmark`: of all initial events so far. */
  | { readonly kind: 'frame'; readonly frame: WatchFrame<T>; readonly landmark: Landmark | undefined }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly error: WatchError }
  | { readonly kind: 'elapsed' }
  | { readonly kind: 'tick' }

/** What to do, in order. */
export type WatchCommand<T> =
  | { readonly kind: 'list'; readonly options: ListOptions; readonly isProbe: boolean }
  | { readonly kind: 'watch'; readonly options: WatchOptions }
  | { readonly kind: 'emit'; readonly event: ResourceEvent<T> }
  | { readonly kind: 'report'; readonly error: WatchError }
  /** Wait for the next back-off delay, but at least so long, then say `elapsed`. */
  | { readonly kind: 'wait'; readonly atLeastMs: number }
  /** Drop the open connection; nothing more may be heard of it. */
  | { readonly kind: 'disconnect' }

/** Result of a step. */
export interface WatchTransition<T> {
  readonly state: WatchState
  readonly commands: readonly WatchCommand<T>[]
}

/** What a step may use besides its arguments. */
export interface WatchContext {
  readonly settings: WatchSettings
  readonly nowMs: number
  /** 0 ≤ x < 1; spreads watch timeouts. */
  readonly random: () => number
}

/** Before `start`. */
export const initialWatchState: WatchState = {
  phase: 'idle',
  resumeWith: 'state',
  hasSynced: false,
  lastVersion: undefined,
  landmark: undefined,
  isVersionUnavailable: false,
  isPaginated: false,
  pagedUntilMs: Number.NEGATIVE_INFINITY,
  listing: undefined,
  connection: undefined,
  deadlineMs: undefined,
  consecutiveFailures: 0,
}
