// Ordered closing: what was started last is closed first, each within a limit, whatever the reason.

import type { Log } from './log.ts'

/** A daemon's way down. */
export interface Shutdown {
  /** Aborts when the first signal arrives or `begin` is called. */
  readonly signal: AbortSignal
  /** Registers something to close; the last registered is closed first. What comes after the end is closed at once. */
  defer(name: string, close: () => Promise<void> | void): void
  /** Starts closing. A second call, or a second signal, changes nothing. */
  begin(reason: string): void
  /** Resolves with the reason once everything is closed or its time is over. */
  readonly done: Promise<string>
}

/** How a daemon goes down. */
export interface ShutdownOptions {
  /** Signals that begin it; default `SIGINT`, `SIGTERM`. An empty list listens to none. */
  readonly signals?: readonly NodeJS.Signals[]
  /** Limit of each close; default 5 000 ms. */
  readonly limitMs?: number
  readonly log?: Pick<Log, 'info' | 'warn'>
}

/**
 * Makes the shutdown of a process.
 *
 * @example
 * const shutdown = createShutdown({ log })
 * shutdown.defer('metrics', () => endpoints.close())
 * await shutdown.done
 */
export function createShutdown(options: ShutdownOptions = {}): Shutdown {
  const { signals = ['SIGINT', 'SIGTERM'], limitMs = 5000, log } = options
  const controller = new AbortController()
  const closers: { readonly name: string; readonly close: () => Promise<void> | void }[] = []
  let isOver = false
  let finish: (reason: string) => void = () => {}
  const done = new Promise<string>((resolve) => {
    finish = resolve
  })
  const closeAll = async (reason: string): Promise<void> => {
    for (let next = closers.pop(); next !== undefined; next = closers.pop()) {
      await closeWithin(next.name, next.close, limitMs, log)
    }
    isOver = true
    for (const name of signals) process.removeListener(name, onSignal)
    finish(reason)
  }
  const begin = (reason: string): void => {
    if (controller.signal.aborted) return
    log?.info(`shutting down: ${reason}`)
    controller.abort(reason)
    void closeAll(reason)
  }
  const onSignal = (name: NodeJS.Signals): void => begin(name)
  for (const name of signals) process.on(name, onSignal)
  return {
    signal: controller.signal,
    done,
    begin,
    defer: (name, close) => {
      // A signal during the start: what is still being opened must not keep the process.
      if (isOver) void closeWithin(name, close, limitMs, log)
      else closers.push({ name, close })
    },
  }
}

async function closeWithin(
  name: string,
  close: () => Promise<void> | void,
  limitMs: number,
  log: ShutdownOptions['log'],
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limitMs)
  })
  try {
    const result = await Promise.race([Promise.resolve().then(close), limit])
    if (result === 'late') log?.warn(`${name} did not close within ${limitMs} ms`)
  } catch (error) {
    log?.warn(`${name} did not close: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    clearTimeout(timer)
  }
}
