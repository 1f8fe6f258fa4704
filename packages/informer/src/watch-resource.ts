// Runs the machine over a source: carries out its commands, turns what the source does into signals. The only place
// that holds a connection. It never errors and never ends by itself.

import type { KubeObject } from '@kubewire/kube-model'
import { Observable } from 'rxjs'
import { type Backoff, exponentialBackoff } from './backoff.ts'
import { type Clock, nextTurn, systemClock } from './clock.ts'
import type { ResourceEvent } from './event.ts'
import type { ListOptions, ResourceSource, WatchOptions } from './source.ts'
import { asWatchError, type WatchError, withRetry } from './watch-error.ts'
import { watchStep } from './watch-machine.ts'
import {
  initialWatchState,
  type WatchCommand,
  type WatchSettings,
  type WatchSignal,
  type WatchState,
} from './watch-state.ts'

/** Options of every watch; the defaults are client-go's where it has one. */
export interface WatchResourceOptions {
  /** How the state is obtained: `auto` tries the streamed list once and falls back to pages for an hour. */
  readonly initialList?: 'auto' | 'streaming' | 'paged'
  /** Objects per page; default 500. Set, it is used for every list, also those a cache would serve whole. */
  readonly pageSize?: number
  /** `any` (default): the first list may be answered from a cache (version "0"); `mostRecent`: a consistent read. */
  readonly listSemantics?: 'any' | 'mostRecent'
  /** Each watch asks the server to end it after 1–2 times this; default 300. */
  readonly minWatchTimeoutSeconds?: number
  /** A connection that has sent bookmarks is dropped after this long without a frame; default 150 000. */
  readonly idleTimeoutMs?: number
  /** Until response headers; default 30 000. */
  readonly connectTimeoutMs?: number
  readonly backoff?: Backoff
  readonly clock?: Clock
  readonly random?: () => number
  /** Called for everything that goes wrong, also what is healed at once. */
  readonly onError?: (error: WatchError) => void
}

/** Where a running watch delivers. */
export interface WatchSink<T> {
  event(event: ResourceEvent<T>): void
  error?(error: WatchError): void
  /** After every step that changed the state. */
  state?(state: WatchState): void
}

/** A watch that runs. */
export interface RunningWatch {
  /** Aborts whatever is open; resolves when the source let go of it. Nothing is delivered afterwards. */
  close(): Promise<void>
}

/**
 * Watches a resource for as long as someone is subscribed: the whole state first, then changes, healed after any
 * failure. The stream never errors and never completes; failures go to `onError`. Unsubscribing aborts the request.
 *
 * @see client-go `Reflector`, kube-rs `watcher`
 * @example
 * watchResource(cluster.source(Services)).subscribe((event) => console.log(event.type))
 */
export function watchResource<T extends KubeObject>(
  source: ResourceSource<T>,
  options: WatchResourceOptions = {},
): Observable<ResourceEvent<T>> {
  return new Observable((subscriber) => {
    const watch = runWatch(source, options, { event: (event) => subscriber.next(event) })
    return () => void watch.close()
  })
}

/** Synchronous work after which the reader lets the rest of the process run. */
const sliceMs = 5

/** Starts a watch that delivers to `sink` until `close`. */
export function runWatch<T extends KubeObject>(
  source: ResourceSource<T>,
  options: WatchResourceOptions,
  sink: WatchSink<T>,
): RunningWatch {
  const { clock = systemClock, random = Math.random, onError } = options
  const backoff = options.backoff ?? exponentialBackoff({ clock, random })
  const settings = settingsOf(options)
  const life = new AbortController()
  let state = initialWatchState
  let connection = new AbortController()
  // Work that still holds a connection; `close` waits for it.
  const pending = new Set<Promise<void>>()
  let wake = new AbortController()
  let asleepUntilMs = Number.POSITIVE_INFINITY

  const dispatch = (signal: WatchSignal<T>): void => {
    if (life.signal.aborted) return
    const before = state
    const { state: next, commands } = watchStep(state, signal, { settings, nowMs: clock.nowMs(), random })
    state = next
    const delayMs = delayOf(commands)
    for (const command of commands) execute(command, delayMs)
    if (state !== before) sink.state?.(state)
    if (state.deadlineMs !== undefined && state.deadlineMs < asleepUntilMs) wake.abort()
  }

  const execute = (command: WatchCommand<T>, delayMs: number | undefined): void => {
    if (life.signal.aborted) return
    switch (command.kind) {
      case 'emit':
        sink.event(command.event)
        break
      case 'report': {
        const error = delayMs === undefined ? command.error : withRetry(command.error, delayMs)
        sink.error?.(error)
        onError?.(error)
        break
      }
      case 'disconnect':
        connection.abort()
        break
      case 'wait':
        track(clock.sleep(delayMs ?? 0, life.signal).then(() => dispatch({ kind: 'elapsed' })))
        break
      case 'list':
        track(readList(command.options, command.isProbe, freshConnection()))
        break
      case 'watch':
        track(readWatch(command.options, freshConnection()))
    }
  }

  const delayOf = (commands: readonly WatchCommand<T>[]): number | undefined => {
    const wait = commands.find((command) => command.kind === 'wait')
    if (wait === undefined) return undefined
    // What the server asks for is a lower bound; jitter keeps a fleet from coming back together.
    return Math.max(backoff.next(), wait.atLeastMs * (1 + 0.2 * random()))
  }

  const freshConnection = (): AbortSignal => {
    connection.abort()
    connection = new AbortController()
    if (life.signal.aborted) connection.abort()
    return connection.signal
  }

  const readList = async (listOptions: ListOptions, isProbe: boolean, signal: AbortSignal): Promise<void> => {
    const tell = (told: WatchSignal<T>): void => (signal.aborted ? undefined : dispatch(told))
    try {
      const page = await source.list(listOptions, signal)
      tell({ kind: 'opened' })
      const slice = createSlices(clock)
      for await (const object of page.items) {
        if (signal.aborted) return
        if (!isProbe) sink.event({ type: 'initApply', object })
        if (slice.isOver()) await slice.pause()
      }
      if (signal.aborted) return
      if (!isProbe) for (const error of page.problems ?? []) execute({ kind: 'report', error }, undefined)
      tell({
        kind: 'page',
        resourceVersion: page.resourceVersion,
        ...(page.continue ? { continue: page.continue } : {}),
      })
    } catch (thrown) {
      tell({ kind: 'failed', error: asWatchError(thrown, 'list') })
    }
  }

  const readWatch = async (watchOptions: WatchOptions, signal: AbortSignal): Promise<void> => {
    const tell = (told: WatchSignal<T>): void => (signal.aborted ? undefined : dispatch(told))
    try {
      const frames = await source.watch(watchOptions, signal)
      tell({ kind: 'opened' })
      const slice = createSlices(clock)
      for await (const frame of frames) {
        if (signal.aborted) return
        dispatch({ kind: 'frame', frame })
        if (slice.isOver()) await slice.pause()
      }
      tell({ kind: 'ended' })
    } catch (thrown) {
      tell({ kind: 'failed', error: asWatchError(thrown, 'watch') })
    }
  }

  const track = (work: Promise<void>): void => {
    pending.add(work)
    void work.finally(() => pending.delete(work))
  }

  // One sleeper for the deadline of whatever connection is open; frames only move the deadline, they arm nothing.
  const guardSilence = async (): Promise<void> => {
    while (!life.signal.aborted) {
      wake = new AbortController()
      asleepUntilMs = state.deadlineMs ?? Number.POSITIVE_INFINITY
      await clock.sleep(asleepUntilMs - clock.nowMs(), wake.signal)
      dispatch({ kind: 'tick' })
    }
  }

  track(guardSilence())
  dispatch({ kind: 'start' })
  return {
    close: async () => {
      life.abort()
      connection.abort()
      wake.abort()
      await Promise.allSettled([...pending])
    },
  }
}

function createSlices(clock: Clock): { isOver(): boolean; pause(): Promise<void> } {
  let startedAtMs = clock.nowMs()
  return {
    isOver: () => clock.nowMs() - startedAtMs >= sliceMs,
    pause: async () => {
      await nextTurn()
      startedAtMs = clock.nowMs()
    },
  }
}

function settingsOf(options: WatchResourceOptions): WatchSettings {
  return {
    initialList: options.initialList ?? 'auto',
    pageSize: options.pageSize ?? 500,
    isPageSizeExplicit: options.pageSize !== undefined,
    listSemantics: options.listSemantics ?? 'any',
    minWatchTimeoutSeconds: options.minWatchTimeoutSeconds ?? 300,
    idleTimeoutMs: options.idleTimeoutMs ?? 150_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 30_000,
  }
}
