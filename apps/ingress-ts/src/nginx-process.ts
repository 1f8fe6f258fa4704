// The nginx we run: test of a file, start, reload, quit. In its own process group, so that a Ctrl-C meant for us does
// not reach it before we have said goodbye.

import { type ChildProcess, spawn } from 'node:child_process'
import { type Log, runCommand } from '@kubewire/daemon-kit'

/** How nginx is called. */
export interface NginxOptions {
  readonly binary: string
  /** Prefix (`-p`): relative paths and our Lua files start here. */
  readonly runDir: string
  readonly log: Log
  /** Called when it ends without having been told to. */
  readonly onExit: (status: string) => void
}

/** Why nginx refused a file: its own words, and the line it named. */
export interface NginxRefusal {
  readonly message: string
  readonly line: number | undefined
}

/** A handle on the process. */
export interface NginxProcess {
  readonly pid: number | undefined
  /** What nginx says about a file; `undefined`: it accepts it. */
  test(file: string): Promise<NginxRefusal | undefined>
  /** Starts the master with this file; settles once it runs or has failed (Error). */
  start(file: string): Promise<void>
  /** Asks for a reload of the file it was started with; says nothing about its success. */
  reload(): void
  /** Lets requests finish, then ends; kills what is left after the limit. */
  quit(limitMs: number): Promise<void>
}

/** Creates the handle; nothing is started. */
export function createNginxProcess(options: NginxOptions): NginxProcess {
  let child: ChildProcess | undefined
  let isEnding = false
  const ended = (process: ChildProcess, code: number | null, signal: string | null): void => {
    if (child === process) child = undefined
    if (isEnding) return
    // Workers outlive a killed master and would go on answering with what they know.
    killGroup(process)
    options.onExit(signal ?? `status ${code}`)
  }
  return {
    get pid() {
      return child?.pid
    },
    test: (file) => testFile(options, file),
    start: async (file) => {
      // In the foreground, so that its end is seen here; the file does not say so.
      const started = spawn(options.binary, [...baseArgs(options, file), '-g', 'daemon off;'], {
        stdio: ['ignore', 'inherit', 'inherit'],
        detached: true,
      })
      child = started
      started.once('exit', (code, signal) => ended(started, code, signal))
      await new Promise<void>((resolve, reject) => {
        started.once('error', reject)
        started.once('spawn', resolve)
      })
    },
    reload: () => void child?.kill('SIGHUP'),
    quit: async (limitMs) => {
      const ending = child
      isEnding = true
      if (ending === undefined || ending.exitCode !== null) return
      const exited = new Promise((resolve) => ending.once('exit', resolve))
      ending.kill('SIGQUIT')
      const timer = setTimeout(() => killGroup(ending), limitMs)
      await exited
      clearTimeout(timer)
    },
  }
}

function baseArgs(options: NginxOptions, file: string): string[] {
  // Errors before the file's own error_log is read go to standard error.
  return ['-p', options.runDir, '-c', file, '-e', 'stderr']
}

async function testFile(options: NginxOptions, file: string): Promise<NginxRefusal | undefined> {
  const result = await runCommand(options.binary, ['-t', '-q', ...baseArgs(options, file)], { timeoutMs: 120_000 })
  if (result.exitCode === 0) return undefined
  const lines = result.stderr.split('\n').filter((line) => line.includes('[emerg]'))
  const message = (lines[0] ?? result.stderr.trim()).replace(/^.*\[emerg\] \d+#\d+: /, '').slice(0, 500)
  const line = new RegExp(`${escapeRegExp(file)}:(\\d+)`).exec(message)?.[1]
  return { message: message.replaceAll(file, 'nginx.conf'), line: line === undefined ? undefined : Number(line) }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // ended meanwhile
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
