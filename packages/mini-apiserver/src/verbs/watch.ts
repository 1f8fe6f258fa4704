// Watches: where they start, which changes they show, bookmarks, and how they end (reference of the wire: watches).
// Writes frames into a sink; knows no sockets.

import type { ApiObject } from '../api-object.ts'
import { type ApiStatusError, expired } from '../api-status.ts'
import type { JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { apiVersionOf } from '../kinds/kind-registry.ts'
import type { ListOptions } from '../request/list-options.ts'
import type { ServerState } from '../server-state.ts'
import type { Change } from '../storage/collection.ts'
import { atVersion } from '../storage/storage.ts'
import { futureWaitMs, tooLargeVersion } from './list.ts'
import { isSelected, type Selection } from './selection.ts'

/** One event of a watch. */
export interface WatchFrame {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: JsonObject
}

/** Where frames go. */
export interface WatchSink {
  send(frame: WatchFrame): void
  /** The server ends the stream. */
  end(): void
}

/**
 * Starts a watch. Frames may come at once.
 *
 * @returns a function that stops it (the client went away)
 */
export function watchObjects(
  state: ServerState,
  kind: ApiKind,
  selection: Selection,
  options: ListOptions,
  sink: WatchSink,
): () => void {
  const stops: (() => void)[] = []
  let isOver = false
  const stop = () => {
    isOver = true
    for (const each of stops.splice(0)) each()
  }
  const end = () => {
    if (isOver) return
    stop()
    sink.end()
  }
  const timeoutMs = timeoutOf(state, options) * 1000
  const run = (): void => startFrames(state, kind, selection, options, sink, stops, timeoutMs, end)
  stops.push(state.clock.after(timeoutMs, end))
  const asked = Number(options.resourceVersion || '0')
  if (options.sendsInitialEvents === undefined || asked <= state.storage.version()) run()
  else stops.push(waitThen(state, asked, run, (error) => fail(sink, error, end)))
  return stop
}

function startFrames(
  state: ServerState,
  kind: ApiKind,
  selection: Selection,
  options: ListOptions,
  sink: WatchSink,
  stops: (() => void)[],
  timeoutMs: number,
  end: () => void,
): void {
  const collection = state.storage.collection(kind.storage)
  const asked = Number(options.resourceVersion || '0')
  const showsState = options.sendsInitialEvents ?? asked === 0
  let shown = state.storage.version()
  if (showsState) {
    for (const stored of collection.list()) {
      const object = kind.fromStorage(stored)
      if (isSelected(selection, object, kind)) sink.send({ type: 'ADDED', object })
    }
    sendInitialBookmark(kind, options, shown, sink)
  } else if (asked > 0) {
    const changes = collection.changesAfter(asked)
    if (!changes) {
      fail(sink, expired(`too old resource version: ${asked} (${collection.oldest})`), end)
      return
    }
    for (const change of changes) sendChange(change, kind, selection, sink)
    shown = Math.max(shown, asked)
  }
  const from = shown
  stops.push(
    collection.subscribe((change) => {
      if (change.version <= from) return
      sendChange(change, kind, selection, sink)
    }),
  )
  if (options.allowsBookmarks) stops.push(...scheduleBookmarks(state, kind, sink, timeoutMs, from))
}

// With `sendInitialEvents` the end of the state is marked; without it, a watch from "0" gets a plain bookmark.
function sendInitialBookmark(kind: ApiKind, options: ListOptions, version: number, sink: WatchSink): void {
  if (!options.allowsBookmarks) return
  const isMarked = options.sendsInitialEvents === true
  if (isMarked || options.resourceVersion === '0') sink.send(bookmark(kind, version, isMarked))
}

function sendChange({ before, after, version }: Change, kind: ApiKind, selection: Selection, sink: WatchSink): void {
  const old = before && kind.fromStorage(before)
  const next = after && kind.fromStorage(after)
  const was = old !== undefined && isSelected(selection, old, kind)
  const is = next !== undefined && isSelected(selection, next, kind)
  if (is) sink.send({ type: was ? 'MODIFIED' : 'ADDED', object: next })
  else if (was) sink.send({ type: 'DELETED', object: atVersion(old, version) })
}

function scheduleBookmarks(
  state: ServerState,
  kind: ApiKind,
  sink: WatchSink,
  timeoutMs: number,
  from: number,
): (() => void)[] {
  const { clock, bookmarkIntervalMs, storage } = state
  const send = () => sink.send(bookmark(kind, Math.max(from, storage.version()), false))
  const timers: { cancel: () => void } = { cancel: () => {} }
  const repeat = () => {
    timers.cancel = clock.after(bookmarkIntervalMs, () => {
      send()
      repeat()
    })
  }
  repeat()
  const cancelLast = timeoutMs > 2000 ? clock.after(timeoutMs - 2000, send) : () => {}
  return [() => timers.cancel(), cancelLast]
}

/** A bookmark: the empty object of its kind at a version. */
function bookmark(kind: ApiKind, version: number, endsInitialEvents: boolean): WatchFrame {
  const metadata: JsonObject = { resourceVersion: String(version) }
  if (endsInitialEvents) metadata['annotations'] = { 'k8s.io/initial-events-end': 'true' }
  return { type: 'BOOKMARK', object: { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata, ...kind.emptyBody } }
}

function fail(sink: WatchSink, error: ApiStatusError, end: () => void): void {
  sink.send({ type: 'ERROR', object: error.status })
  end()
}

function waitThen(
  state: ServerState,
  version: number,
  run: () => void,
  failed: (error: ApiStatusError) => void,
): () => void {
  const untilMs = state.clock.nowMs() + futureWaitMs
  const timer: { cancel: () => void } = { cancel: () => {} }
  const poll = () => {
    if (state.storage.version() >= version) run()
    else if (state.clock.nowMs() >= untilMs) failed(tooLargeVersion(version, state.storage.version()))
    else timer.cancel = state.clock.after(100, poll)
  }
  poll()
  return () => timer.cancel()
}

// Without a timeout the original picks one to two times half an hour.
function timeoutOf({ random }: ServerState, { timeoutSeconds }: ListOptions): number {
  return timeoutSeconds ? timeoutSeconds : 1800 * (1 + random())
}

/** The object of a frame, when it is one of the watched kind. */
export function frameObject(frame: WatchFrame): ApiObject | undefined {
  return frame.type === 'ERROR' ? undefined : (frame.object as ApiObject)
}
