// A source that a test plays by hand: objects with versions, watches that can be dropped, refused or told anything.
// Behaves as a small API server without watch-list (422) unless told otherwise. No time, no sockets.

import { type KubeObject, keyOf, type ObjectKey } from '@kubewire/kube-model'
import { isOlder } from '../resource-version.ts'
import type { ListOptions, ResourceSource, WatchFrame, WatchOptions } from '../source.ts'
import type { Status } from '../status.ts'
import { errorOfStatus, WatchError } from '../watch-error.ts'
import { createFrameQueue, type FrameQueue } from './frame-queue.ts'

export { type FakeClock, fakeClock, settle } from './fake-clock.ts'

/** Options of `scriptedSource`. */
export interface ScriptedSourceOptions {
  /** Streams initial events when asked; default false: such a watch is answered 422, as by servers before 1.27. */
  readonly hasWatchList?: boolean
}

/** A source and the strings to pull. */
export interface ScriptedSource<T extends KubeObject> extends ResourceSource<T> {
  /** Every request so far, such as `list limit=500&resourceVersion=0` or `watch resourceVersion=7&…`. */
  readonly requests: readonly string[]
  /** What a list answers now. */
  readonly objects: ReadonlyMap<ObjectKey, T>
  /** The newest version given out; a plain number, set it to make versions jump. */
  version: number
  /** Stores the object under the next version, or under its own when it has one, and tells open watches. */
  add(object: T): void
  modify(object: T): void
  delete(object: T): void
  /** Changes the content without telling any watch: an event that got lost. */
  silently(change: () => void): void
  bookmark(): void
  /** Tells open watches anything. */
  frame(frame: WatchFrame<T>): void
  /** The next watch answers 410. */
  expire(): void
  /** The open watches end, cleanly or with an error. */
  drop(error?: WatchError): void
  /** The next `times` requests of this kind are answered with this status or error. */
  refuse(verb: 'list' | 'watch', answer: Status | WatchError, times?: number): void
  /** Requests of this kind get no answer until it is called with `false`. */
  stall(verb: 'list' | 'watch', isStalled?: boolean): void
  readonly openWatches: number
}

/** A scripted source that holds `objects`. */
export function scriptedSource<T extends KubeObject>(
  objects: readonly T[] = [],
  options: ScriptedSourceOptions = {},
): ScriptedSource<T> {
  const held = new Map<ObjectKey, T>()
  const requests: string[] = []
  const watches = new Set<FrameQueue<WatchFrame<T>>>()
  const refusals: { verb: 'list' | 'watch'; error: WatchError }[] = []
  const stalled = new Set<'list' | 'watch'>()
  const history: { version: number; frame: WatchFrame<T> }[] = []
  let isSilent = false

  const versioned = (object: T): T => {
    const own = Number(object.metadata?.resourceVersion)
    source.version = Number.isNaN(own) || own <= source.version ? source.version + 1 : own
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(source.version) } }
  }
  const tell = (frame: WatchFrame<T>): void => {
    if (isSilent) return
    history.push({ version: source.version, frame })
    for (const watch of watches) watch.push(frame)
  }
  const answer = async (verb: 'list' | 'watch', query: object, signal: AbortSignal): Promise<void> => {
    requests.push(`${verb} ${printOptions(query)}`.trim())
    if (stalled.has(verb))
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(aborted(verb))))
    const at = refusals.findIndex((refusal) => refusal.verb === verb)
    if (at >= 0) throw (refusals.splice(at, 1)[0] as { error: WatchError }).error
  }

  const source: ScriptedSource<T> = {
    requests,
    objects: held,
    version: 0,
    list: async (query, signal) => {
      await answer('list', query, signal)
      const all = [...held.values()]
      const from = Number(query.continue ?? 0)
      // Version "0" is answered by the watch cache, which does not cut into pages.
      const size = query.limit === undefined || query.resourceVersion === '0' ? all.length : query.limit
      const items = all.slice(from, from + size)
      const isLast = from + size >= all.length
      return { items, resourceVersion: String(source.version), ...(isLast ? {} : { continue: String(from + size) }) }
    },
    watch: async (query, signal) => {
      await answer('watch', query, signal)
      if (query.sendInitialEvents && !options.hasWatchList) throw refusal('watch', { code: 422, reason: 'Invalid' })
      const queue = createFrameQueue<WatchFrame<T>>(signal)
      watches.add(queue)
      void queue.closed.then(() => watches.delete(queue))
      if (query.sendInitialEvents) {
        for (const object of held.values()) queue.push({ type: 'ADDED', object })
        queue.push({ type: 'BOOKMARK', resourceVersion: String(source.version), isInitialEventsEnd: true })
      } else {
        const from = query.resourceVersion ?? '0'
        for (const { version, frame } of history) if (isOlder(from, String(version))) queue.push(frame)
      }
      return queue.frames()
    },
    add: (object) => {
      const stored = versioned(object)
      held.set(keyOf(stored), stored)
      tell({ type: 'ADDED', object: stored })
    },
    modify: (object) => {
      const stored = versioned(object)
      held.set(keyOf(stored), stored)
      tell({ type: 'MODIFIED', object: stored })
    },
    delete: (object) => {
      const last = held.get(keyOf(object)) ?? object
      held.delete(keyOf(object))
      source.version++
      const gone = { ...last, metadata: { ...last.metadata, resourceVersion: String(source.version) } }
      tell({ type: 'DELETED', object: gone })
    },
    silently: (change) => {
      isSilent = true
      change()
      isSilent = false
    },
    bookmark: () => {
      for (const watch of watches) {
        watch.push({ type: 'BOOKMARK', resourceVersion: String(source.version), isInitialEventsEnd: false })
      }
    },
    frame: (frame) => {
      for (const watch of watches) watch.push(frame)
    },
    expire: () => source.refuse('watch', { code: 410, reason: 'Expired', message: 'too old resource version' }),
    drop: (error) => {
      for (const watch of watches) watch.end(error)
    },
    refuse: (verb, answered, times = 1) => {
      const error = answered instanceof WatchError ? answered : refusal(verb, answered)
      for (let i = 0; i < times; i++) refusals.push({ verb, error })
    },
    stall: (verb, isStalled = true) => {
      if (isStalled) stalled.add(verb)
      else stalled.delete(verb)
    },
    get openWatches() {
      return watches.size
    },
  }
  for (const object of objects) {
    const stored = versioned(object)
    held.set(keyOf(stored), stored)
  }
  return source
}

function refusal(verb: 'list' | 'watch', status: Status): WatchError {
  return errorOfStatus(status, verb, `${verb} of the script`)
}

function aborted(step: 'list' | 'watch'): WatchError {
  return new WatchError({ code: 'INF_CONNECT', step, message: 'aborted' })
}

function printOptions(options: ListOptions | WatchOptions | object): string {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return entries.map(([name, value]) => `${name}=${value}`).join('&')
}
