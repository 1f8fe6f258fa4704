// A source that a test plays by hand: objects with versions, watches that can be dropped, refused or told anything.
// Behaves as a small API server without watch-list (422) unless told otherwise. No time, no sockets.

import { type KubeObject, keyOf, type ObjectKey } from '@kubewire/kube-model'
import { isOlder } from '../resource-version.ts'
import type { ListOptions, ListPage, ResourceSource, WatchFrame, WatchOptions } from '../source.ts'
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
  return new Script(objects, options)
}

type Verb = 'list' | 'watch'

class Script<T extends KubeObject> implements ScriptedSource<T> {
  readonly requests: string[] = []
  readonly objects = new Map<ObjectKey, T>()
  version = 0
  readonly #hasWatchList: boolean
  readonly #watches = new Set<FrameQueue<WatchFrame<T>>>()
  readonly #refusals: { readonly verb: Verb; readonly error: WatchError }[] = []
  readonly #stalled = new Set<Verb>()
  readonly #history: { readonly version: number; readonly frame: WatchFrame<T> }[] = []
  #isSilent = false

  constructor(objects: readonly T[], { hasWatchList = false }: ScriptedSourceOptions) {
    this.#hasWatchList = hasWatchList
    for (const object of objects) this.#store(object)
  }

  get openWatches(): number {
    return this.#watches.size
  }

  async list(query: ListOptions, signal: AbortSignal): Promise<ListPage<T>> {
    await this.#answer('list', query, signal)
    const all = [...this.objects.values()]
    const from = Number(query.continue ?? 0)
    // Version "0" is answered by the watch cache, which does not cut into pages.
    const size = query.limit === undefined || query.resourceVersion === '0' ? all.length : query.limit
    const items = all.slice(from, from + size)
    const isLast = from + size >= all.length
    return { items, resourceVersion: String(this.version), ...(isLast ? {} : { continue: String(from + size) }) }
  }

  async watch(query: WatchOptions, signal: AbortSignal): Promise<AsyncIterable<WatchFrame<T>>> {
    await this.#answer('watch', query, signal)
    if (query.sendInitialEvents && !this.#hasWatchList) throw refusal('watch', { code: 422, reason: 'Invalid' })
    const queue = createFrameQueue<WatchFrame<T>>(signal)
    this.#watches.add(queue)
    void queue.closed.then(() => this.#watches.delete(queue))
    if (query.sendInitialEvents) {
      for (const object of this.objects.values()) queue.push({ type: 'ADDED', object })
      queue.push({ type: 'BOOKMARK', resourceVersion: String(this.version), isInitialEventsEnd: true })
    } else {
      const from = query.resourceVersion ?? '0'
      for (const { version, frame } of this.#history) if (isOlder(from, String(version))) queue.push(frame)
    }
    return queue.frames()
  }

  add(object: T): void {
    this.#tell({ type: 'ADDED', object: this.#store(object) })
  }

  modify(object: T): void {
    this.#tell({ type: 'MODIFIED', object: this.#store(object) })
  }

  delete(object: T): void {
    const last = this.objects.get(keyOf(object)) ?? object
    this.objects.delete(keyOf(object))
    this.version++
    this.#tell({
      type: 'DELETED',
      object: { ...last, metadata: { ...last.metadata, resourceVersion: String(this.version) } },
    })
  }

  silently(change: () => void): void {
    this.#isSilent = true
    change()
    this.#isSilent = false
  }

  bookmark(): void {
    this.frame({ type: 'BOOKMARK', resourceVersion: String(this.version), isInitialEventsEnd: false })
  }

  frame(frame: WatchFrame<T>): void {
    for (const watch of this.#watches) watch.push(frame)
  }

  expire(): void {
    this.refuse('watch', { code: 410, reason: 'Expired', message: 'too old resource version' })
  }

  drop(error?: WatchError): void {
    for (const watch of this.#watches) watch.end(error)
  }

  refuse(verb: Verb, answered: Status | WatchError, times = 1): void {
    const error = answered instanceof WatchError ? answered : refusal(verb, answered)
    for (let i = 0; i < times; i++) this.#refusals.push({ verb, error })
  }

  stall(verb: Verb, isStalled = true): void {
    if (isStalled) this.#stalled.add(verb)
    else this.#stalled.delete(verb)
  }

  #store(object: T): T {
    const own = Number(object.metadata?.resourceVersion)
    this.version = Number.isNaN(own) || own <= this.version ? this.version + 1 : own
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.version) } }
    this.objects.set(keyOf(stored), stored)
    return stored
  }

  #tell(frame: WatchFrame<T>): void {
    if (this.#isSilent) return
    this.#history.push({ version: this.version, frame })
    this.frame(frame)
  }

  async #answer(verb: Verb, query: object, signal: AbortSignal): Promise<void> {
    this.requests.push(`${verb} ${printOptions(query)}`.trim())
    if (this.#stalled.has(verb)) {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(aborted(verb))))
    }
    const at = this.#refusals.findIndex((refused) => refused.verb === verb)
    const [refused] = at < 0 ? [] : this.#refusals.splice(at, 1)
    if (refused !== undefined) throw refused.error
  }
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
