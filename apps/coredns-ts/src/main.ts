// Entry of coredns-ts: flags, then `serve` until a signal, in this process or in several.

import { rmSync, writeFileSync } from 'node:fs'
import { createLog, type Log, printFlags } from '@kubewire/daemon-kit'
import { pluginRegistry } from '@kubewire/dns-core'
import { type CorednsFlags, flagTable, readFlags } from './flags.ts'
import { type Serving, serve } from './serve.ts'
import { versionText } from './version.ts'
import { type Group, joinGroup } from './workers/join-group.ts'
import { runWorkers, workerNumberVariable } from './workers/run-workers.ts'

await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<void> {
  const { flags, parsed } = readFlags(argv)
  const { args, problems, isHelp } = parsed
  if (isHelp || problems.length > 0) {
    for (const { message } of problems) process.stderr.write(`${message}\n`)
    process.stderr.write(`Usage of coredns-ts:\n${printFlags(flagTable)}`)
    process.exit(isHelp ? 0 : 2)
  }
  if (args.length > 0) fail(`extra command line arguments: ${args.join(' ')}`)
  if (flags.isVersion) {
    process.stdout.write(`${versionText}\n`)
    return
  }
  if (flags.listsPlugins) {
    process.stdout.write(`Server types:\n  dns\n\nOther plugins:\n${pluginNames()}`)
    return
  }
  if (flags.workers < 1) fail(`invalid value "${flags.workers}" for flag -workers: expected 1 or more`)
  const log = createLog({ format: flags.isJsonLog ? 'json' : 'coredns', level: 'debug' })
  const number = Number(process.env[workerNumberVariable] ?? 0)
  if (number > 0) await workAsOne(number, flags, log)
  else {
    const running = flags.workers === 1 ? await serveAlone(flags, log) : await startWorkers(flags.workers, log)
    process.stdout.write(running.startText)
    if (flags.pidFile !== '') writeFileSync(flags.pidFile, `${process.pid}\n`)
    handleSignals(running, () => {
      if (flags.pidFile !== '') rmSync(flags.pidFile, { force: true })
      log.flush()
    })
  }
}

/** What signals are handed to. */
interface Running {
  readonly startText: string
  reload(): Promise<unknown>
  /** The exit code. */
  shutDown(): Promise<number>
}

async function serveAlone(flags: CorednsFlags, log: Log, group?: Group): Promise<Running> {
  const fatal = (message: string): void => {
    log.flush()
    process.stdout.write(`[FATAL] ${message}\n`)
    process.exit(1)
  }
  try {
    const serving = await serve({ ...flags, log, fatal, ...(group === undefined ? {} : { group }) })
    const { startText, reload } = serving
    return { startText, reload, shutDown: () => endOf(serving) }
  } catch (error) {
    log.flush()
    fail(error instanceof Error ? error.message : String(error))
  }
}

/** 3 when closing failed, as for the original. */
async function endOf(serving: Serving): Promise<number> {
  try {
    await serving.shutDown()
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 3
  }
}

async function startWorkers(count: number, log: Log): Promise<Running> {
  const workers = await runWorkers(count, (number, exitCode) => {
    log.error(`worker ${number} ended with status ${exitCode}`)
    log.flush()
    if (typeof workers === 'object') void workers.shutDown().then(() => process.exit(exitCode === 0 ? 1 : exitCode))
  })
  if (typeof workers === 'number') process.exit(workers)
  return workers
}

/** A worker leaves signals to the process that started it, and ends when that one says so or is gone. */
async function workAsOne(number: number, flags: CorednsFlags, log: Log): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGUSR1', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
  let running: Running | undefined
  const group = joinGroup(number === 1, () => {
    void (running?.shutDown() ?? Promise.resolve(0)).then((exitCode) => {
      log.flush()
      process.exit(exitCode)
    })
  })
  running = await serveAlone(flags, log, group)
  group.reportServing(running.startText)
}

function pluginNames(): string {
  const names = pluginRegistry.map(({ name }) => `  dns.${name}\n`)
  return names.sort().join('')
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** What each signal does (reference: caddy sigtrap_posix.go, as CoreDNS uses it). */
function handleSignals(running: Running, finish: () => void): void {
  let isEnding = false
  const end = (signal: string) => async (): Promise<void> => {
    if (isEnding) {
      if (signal === 'SIGINT') process.exit(2)
      return
    }
    isEnding = true
    process.stdout.write(`[INFO] ${signal}: Shutting down servers then terminating\n`)
    const exitCode = await running.shutDown()
    finish()
    process.exit(exitCode)
  }
  process.on('SIGTERM', () => void end('SIGTERM')())
  process.on('SIGINT', () => void end('SIGINT')())
  process.on('SIGQUIT', () => process.exit(0))
  process.on('SIGUSR1', () => {
    process.stdout.write('[INFO] SIGUSR1: Reloading\n')
    void running.reload()
  })
  process.on('SIGHUP', () => {})
  process.on('SIGUSR2', () => {})
}
