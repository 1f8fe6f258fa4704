// Entry of coredns-ts: flags, then `serve` until a signal.

import { rmSync, writeFileSync } from 'node:fs'
import { createLog, printFlags } from '@kubewire/daemon-kit'
import { pluginRegistry } from '@kubewire/dns-core'
import { flagTable, readFlags } from './flags.ts'
import { type Serving, serve } from './serve.ts'
import { versionText } from './version.ts'

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
  const log = createLog({ format: flags.isJsonLog ? 'json' : 'coredns' })
  const fatal = (message: string): void => {
    log.flush()
    process.stdout.write(`[FATAL] ${message}\n`)
    process.exit(1)
  }
  try {
    const serving = await serve({ ...flags, log, fatal })
    if (flags.pidFile !== '') writeFileSync(flags.pidFile, `${process.pid}\n`)
    handleSignals(serving, () => {
      if (flags.pidFile !== '') rmSync(flags.pidFile, { force: true })
      log.flush()
    })
  } catch (error) {
    log.flush()
    fail(error instanceof Error ? error.message : String(error))
  }
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
function handleSignals(serving: Serving, finish: () => void): void {
  let isEnding = false
  const end = (signal: string) => async (): Promise<void> => {
    if (isEnding) {
      if (signal === 'SIGINT') process.exit(2)
      return
    }
    isEnding = true
    process.stdout.write(`[INFO] ${signal}: Shutting down servers then terminating\n`)
    let exitCode = 0
    try {
      await serving.shutDown()
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      exitCode = 3
    }
    finish()
    process.exit(exitCode)
  }
  process.on('SIGTERM', () => void end('SIGTERM')())
  process.on('SIGINT', () => void end('SIGINT')())
  process.on('SIGQUIT', () => process.exit(0))
  process.on('SIGUSR1', () => void serving.reload())
  process.on('SIGHUP', () => {})
  process.on('SIGUSR2', () => {})
}
