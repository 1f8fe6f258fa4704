// Several processes that serve as one (`-workers N`). This one only starts them, passes signals on and asks them for each
// other; each worker is a whole server with its own watches, and shares every port with the others. What is new is tried
// by the first worker alone: a start or a reload that fails there reaches no other.

import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { FromWorker, GroupFact, ToWorker } from './worker-messages.ts'

/** The running workers. */
export interface Workers {
  /** The lines that tell what is served. */
  readonly startText: string
  /** Lets every worker load the Corefile again, the first before the others. */
  reload(): Promise<void>
  /** Lets all finish; the largest of their exit codes. */
  shutDown(): Promise<number>
}

/** A worker that does not say its part in this time is left out. */
const tellLimitMs = 2000
/** A reload waits for the clusters of the new configuration. */
const reloadLimitMs = 60_000

/** Which worker a process is: set in its environment, from 1. */
export const workerNumberVariable = 'KUBEWIRE_WORKER'

/**
 * Starts `count` workers one after the other. Resolves to the exit code when one could not start.
 *
 * @param lost - told the number and exit code of a worker that ended by itself; the others are to be ended then, as every
 * thread of a process would
 */
export async function runWorkers(
  count: number,
  lost: (number: number, exitCode: number) => void,
): Promise<Workers | number> {
  // Connections are taken by whoever is free; the other policy would send each through this process.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const group = new WorkerGroup(lost)
  const others = Array.from({ length: count - 1 }, (_, i) => i + 2)
  const first = await group.start(1)
  const exitCodes = first === undefined ? await Promise.all(others.map((number) => group.start(number))) : [first]
  const exitCode = exitCodes.find((code) => code !== undefined)
  if (exitCode === undefined) return group
  await group.shutDown()
  return exitCode
}

class WorkerGroup implements Workers {
  startText = ''
  private readonly lost: (number: number, exitCode: number) => void
  private readonly workers = new Map<number, Worker>()
  private readonly serving = new Set<Worker>()
  private readonly waiting = new Map<number, (value: unknown) => void>()
  private nextId = 1
  private isEnding = false
  private exitCode = 0
  private reloading: Promise<void> = Promise.resolve()

  constructor(lost: (number: number, exitCode: number) => void) {
    this.lost = lost
  }

  /** Resolves when it serves, or to its exit code when it ended before. */
  async start(number: number): Promise<number | undefined> {
    const worker = cluster.fork({ [workerNumberVariable]: String(number) })
    this.workers.set(number, worker)
    const serving = new Promise<undefined>((resolve) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind !== 'serving') this.receive(worker, message)
        else {
          this.serving.add(worker)
          this.startText = message.startText
          resolve(undefined)
        }
      })
    })
    const ended = once(worker, 'exit').then(([code]) => Number(code ?? 1))
    const exitCode = await Promise.race([serving, ended])
    void ended.then((code) => {
      this.workers.delete(number)
      this.exitCode = Math.max(this.exitCode, code)
      if (!this.isEnding && exitCode === undefined) this.lost(number, code)
    })
    return exitCode
  }

  reload(): Promise<void> {
    this.reloading = this.reloading.then(async () => {
      for (const worker of this.workers.values()) {
        const isLoaded = await this.ask(worker, (id) => ({ kind: 'reload', id }), reloadLimitMs)
        if (isLoaded !== true) return
      }
    })
    return this.reloading
  }

  async shutDown(): Promise<number> {
    this.isEnding = true
    const ends = [...this.workers.values()].map(async (worker) => {
      const exit = once(worker, 'exit')
      send(worker, { kind: 'end' })
      await exit
    })
    await Promise.all(ends)
    return this.exitCode
  }

  private receive(worker: Worker, message: Exclude<FromWorker, { kind: 'serving' }>): void {
    switch (message.kind) {
      case 'told':
        this.waiting.get(message.id)?.(message.value)
        return
      case 'changed':
        void this.reload()
        return
      case 'gather':
        void this.gather(message.fact).then((values) => send(worker, { kind: 'gathered', id: message.id, values }))
    }
  }

  private async gather(fact: GroupFact): Promise<readonly unknown[]> {
    // Before it serves the first has only itself to ask about: the others start after it.
    const [first] = this.workers.values()
    const asked = [...this.workers.values()].filter((worker) => worker === first || this.serving.has(worker))
    const parts = asked.map((worker) => this.ask(worker, (id) => ({ kind: 'tell', id, fact }), tellLimitMs))
    return (await Promise.all(parts)).filter((value) => value !== undefined)
  }

  private ask(worker: Worker, question: (id: number) => ToWorker, limitMs: number): Promise<unknown> {
    const id = this.nextId++
    return new Promise((resolve) => {
      const end = (value: unknown): void => {
        clearTimeout(timer)
        worker.off('exit', lost)
        this.waiting.delete(id)
        resolve(value)
      }
      const lost = (): void => end(undefined)
      const timer = setTimeout(lost, limitMs)
      worker.once('exit', lost)
      this.waiting.set(id, end)
      send(worker, question(id))
    })
  }
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
