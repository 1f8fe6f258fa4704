// Runs the watch machine over a source: carries out its commands, turns what the source does into signals. The only
// place that holds a connection. It never errors and never ends by itself.

import type { KubeObject } from '@kubewire/kube-model'
import { type Backoff, exponentialBackoff } from './backoff.ts'
import { type Clock, nextTurn, systemClock } from './clock.ts'
import type { ResourceEvent } from './event.ts'
import { laterLandmark } from './landmark.ts'
import type { ListOptions, ResourceSource, WatchFrame, WatchOptions } from './source.ts'
import { asWatchError, type WatchError, type WatchStep, withRetry } from './watch-error.ts'
import { watchStep } from './watch-machine.ts'
import type { WatchResourceOptions } from './watch-options.ts'
import {
  initialWatchState,
  type Landmark,
  type WatchCommand,
  type WatchSettings,
  type WatchSignal,
  type WatchState,
} from './watch-state.ts'

/** Where a running watch delivers. */
export interface WatchSink<T> {
  event(event: ResourceEvent<T>): void
  error(error: WatchError): void
  /** After every step that changed the state. */
  state?(state: WatchState): void
}

/** A watch that runs. */
export interface RunningWatch {
  /** Aborts whatever is open; resolves when the source let go of it. Nothing is delivered afterwards. */
  close(): Promise<void>
}

/** Starts a watch that delivers to `sink` until `close`. */
export function runWatch<T extends KubeObject>(
  source: ResourceSource<T>,
  options: WatchResourceOptions,
  sink: WatchSink<T>,
): RunningWatch {
  return new WatchRun(source, options, sink)
}

/** How often the machine is told of initial events. */
const aliveEveryMs = 500
/** A watch that lasts this long says that its server is well. */
const heldMs = 5000
/** Synchronous work after which the reader lets the rest of the process run. */
const sliceMs = 5

class WatchRun<T extends KubeObject> implements RunningWatch {
  readonly #source: ResourceSource<T>
  readonly #sink: WatchSink<T>
  readonly #settings: WatchSettings
  readonly #clock: Clock
  readonly #random: () => number
  readonly #backoff: Backoff
  readonly #life = new AbortController()
  #connection = new AbortController()
  #state = initialWatchState
  // The latest change among the objects that the open list or stream has brought so far.
  #landmark: Landmark | undefined
  // Work that still holds a connection or a timer; `close` waits for it.
  readonly #pending = new Set<Promise<void>>()
  #wake = new AbortController()
  #asleepUntilMs = Number.POSITIVE_INFINITY
  #toldAliveAtMs = Number.NEGATIVE_INFINITY
  #lastDelayMs = 0

  constructor(source: ResourceSource<T>, options: WatchResourceOptions, sink: WatchSink<T>) {
    const { clock = systemClock, random = Math.random } = options
    this.#source = source
    this.#sink = sink
    this.#clock = clock
    this.#random = random
    this.#backoff = options.backoff ?? exponentialBackoff({ clock, random })
    this.#settings = settingsOf(options)
    this.#track(this.#guardSilence())
    this.#dispatch({ kind: 'start' })
  }

  async close(): Promise<void> {
    this.#life.abort()
    this.#connection.abort()
    this.#wake.abort()
    await Promise.allSettled([...this.#pending])
  }

  #dispatch(signal: WatchSignal<T>): void {
    if (this.#life.signal.aborted) return
    const before = this.#state
    const context = { settings: this.#settings, nowMs: this.#clock.nowMs(), random: this.#random }
    const { state, commands } = watchStep(before, signal, context)
    this.#state = state
    if (before.phase === 'watching' && state.phase !== 'watching') this.#forgetFailuresAfter(before, context.nowMs)
    const delayMs = this.#delayOf(commands)
    for (const command of commands) this.#execute(command, delayMs)
    if (state !== before) this.#sink.state?.(state)
    if (state.deadlineMs !== undefined && state.deadlineMs < this.#asleepUntilMs) this.#wake.abort()
  }

  #execute(command: WatchCommand<T>, delayMs: number | undefined): void {
    // A subscriber may have closed us while it was told the command before.
    if (this.#life.signal.aborted) return
    switch (command.kind) {
      case 'emit':
        this.#sink.event(command.event)
        break
      case 'report':
        this.#sink.error(delayMs === undefined ? command.error : withRetry(command.error, delayMs))
        break
      case 'disconnect':
        this.#connection.abort()
        break
      case 'wait':
        this.#track(this.#wait(delayMs ?? 0))
        break
      case 'list':
        this.#track(this.#read('list', (signal) => this.#readList(command.options, command.isProbe, signal)))
        break
      case 'watch':
        this.#track(this.#read('watch', (signal) => this.#readWatch(command.options, signal)))
    }
  }

  #delayOf(commands: readonly WatchCommand<T>[]): number | undefined {
    const wait = commands.find((command) => command.kind === 'wait')
    if (wait === undefined) return undefined
    // What the server asks for is a lower bound; jitter keeps a fleet from coming back together.
    this.#lastDelayMs = Math.max(this.#backoff.next(), wait.atLeastMs * (1 + 0.2 * this.#random()))
    return this.#lastDelayMs
  }

  // A watch that held, and for longer than it had been waited for, shows a server that is well: what fails next is news, and
  // is not waited for as if the server had never come back. One that soon lets go of every watch is asked ever less often.
  // client-go forgets after two minutes only, and is up to a minute late with a server that restarts more often.
  #forgetFailuresAfter({ connection }: WatchState, nowMs: number): void {
    if (connection !== undefined && nowMs - connection.openedAtMs > Math.max(heldMs, this.#lastDelayMs))
      this.#backoff.reset()
  }

  async #wait(delayMs: number): Promise<void> {
    await this.#clock.sleep(delayMs, this.#life.signal)
    this.#dispatch({ kind: 'elapsed' })
  }

  async #read(step: WatchStep, read: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#connection.abort()
    this.#connection = new AbortController()
    const { signal } = this.#connection
    if (this.#life.signal.aborted) return
    try {
      await read(signal)
    } catch (thrown) {
      // After an abort the machine has moved on; what the old connection says no longer counts.
      if (!signal.aborted) this.#dispatch({ kind: 'failed', error: asWatchError(thrown, step) })
    }
  }

  async #readList(options: ListOptions, isProbe: boolean, signal: AbortSignal): Promise<void> {
    const page = await this.#source.list(options, signal)
    if (signal.aborted) return
    this.#dispatch({ kind: 'opened' })
    if (options.continue === undefined) this.#landmark = undefined
    const slice = createSlices(this.#clock)
    for await (const object of page.items) {
      if (signal.aborted) return
      this.#landmark = laterLandmark(this.#landmark, object)
      if (!isProbe) this.#sink.event({ type: 'initApply', object })
      if (slice.isOver()) await slice.pause()
    }
    if (signal.aborted) return
    if (!isProbe) for (const error of page.problems ?? []) this.#sink.error(error)
    this.#dispatch({
      kind: 'page',
      resourceVersion: page.resourceVersion,
      landmark: this.#landmark,
      ...(page.continue ? { continue: page.continue } : {}),
    })
  }

  async #readWatch(options: WatchOptions, signal: AbortSignal): Promise<void> {
    const frames = await this.#source.watch(options, signal)
    if (signal.aborted) return
    this.#landmark = undefined
    this.#toldAliveAtMs = Number.NEGATIVE_INFINITY
    this.#dispatch({ kind: 'opened' })
    const slice = createSlices(this.#clock)
    for await (const frame of frames) {
      if (signal.aborted) return
      if (this.#isInitial(frame)) this.#initialEvent(frame.object)
      else this.#dispatch({ kind: 'frame', frame, landmark: this.#landmark })
      if (slice.isOver()) await slice.pause()
    }
    if (!signal.aborted) this.#dispatch({ kind: 'ended' })
  }

  #isInitial(frame: WatchFrame<T>): frame is Extract<WatchFrame<T>, { readonly type: 'ADDED' | 'MODIFIED' }> {
    return this.#state.phase === 'streaming' && (frame.type === 'ADDED' || frame.type === 'MODIFIED')
  }

  // Like an item of a list, an initial event asks for no decision; the machine hears of one a while, as a sign of life.
  #initialEvent(object: T): void {
    this.#landmark = laterLandmark(this.#landmark, object)
    const nowMs = this.#clock.nowMs()
    if (nowMs - this.#toldAliveAtMs < aliveEveryMs) {
      this.#sink.event({ type: 'initApply', object })
      return
    }
    this.#toldAliveAtMs = nowMs
    this.#dispatch({ kind: 'frame', frame: { type: 'ADDED', object }, landmark: this.#landmark })
  }

  // One sleeper for the deadline of whatever connection is open; frames only move the deadline, they arm nothing.
  async #guardSilence(): Promise<void> {
    while (!this.#life.signal.aborted) {
      this.#wake = new AbortController()
      this.#asleepUntilMs = this.#state.deadlineMs ?? Number.POSITIVE_INFINITY
      await this.#clock.sleep(this.#asleepUntilMs - this.#clock.nowMs(), this.#wake.signal)
      this.#dispatch({ kind: 'tick' })
    }
  }

  #track(work: Promise<void>): void {
    this.#pending.add(work)
    void work.finally(() => this.#pending.delete(work))
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
