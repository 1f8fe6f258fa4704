// The nginx we run: test of a file, start, reload, quit. In its own process group, so that a Ctrl-C meant for us does
// not reach it before we have said goodbye.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Log, runCommand, systemClock } from '@kubewire/daemon-kit'
import { isAlive } from './running-nginx.ts'

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
  /** Whether workers of an earlier configuration still finish their requests. */
  hasOldWorkers(): boolean
  /** Asks for a reload of the file it was started with; says nothing about its success. */
  reload(): void
  /** Lets requests finish, then ends; kills what is left after the limit. */
  quit(limitMs: number): Promise<void>
  /** Lets it run on when this process ends. */
  leave(): void
}

/** A master process and its end, in words. */
interface Master {
  readonly pid: number
  /** Takes it off what keeps this process alive. */
  readonly unref: () => void
  readonly ended: Promise<string>
}

/**
 * Creates the handle; nothing is started.
 *
 * @param found - pid of a master that runs already and is taken over
 */
export function createNginxProcess(options: NginxOptions, found?: number): NginxProcess {
  let master: Master | undefined
  let isEnding = false
  const follow = (followed: Master): void => {
    master = followed
    void followed.ended.then((status) => {
      if (master === followed) master = undefined
      if (isEnding) return
      // Workers outlive a killed master and would go on answering with what they know.
      signalGroup(followed.pid)
      options.onExit(status)
    })
  }
  if (found !== undefined) follow({ pid: found, unref: () => {}, ended: endOf(found) })
  return {
    get pid() {
      return master?.pid
    },
    test: (file) => testFile(options, file),
    start: async (file) => follow(await startMaster(options, file)),
    hasOldWorkers: () => master !== undefined && oldWorkersOf(master.pid) > 0,
    reload: () => {
      if (master !== undefined) process.kill(master.pid, 'SIGHUP')
    },
    quit: async (limitMs) => {
      const ending = master
      isEnding = true
      if (ending === undefined) return
      process.kill(ending.pid, 'SIGQUIT')
      const timer = setTimeout(() => signalGroup(ending.pid), limitMs)
      await ending.ended
      clearTimeout(timer)
    },
    leave: () => {
      isEnding = true
      master?.unref()
    },
  }
}

async function startMaster(options: NginxOptions, file: string): Promise<Master> {
  // In the foreground, so that its end is seen here; the file does not say so.
  const child = spawn(options.binary, [...baseArgs(options, file), '-g', 'daemon off;'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `status ${code}`))
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', resolve)
  })
  return { pid: child.pid ?? 0, unref: () => child.unref(), ended }
}

// It is not our child, so that nobody tells us.
const lookEveryMs = 200

async function endOf(pid: number): Promise<string> {
  while (isAlive(pid)) await systemClock.sleep(lookEveryMs)
  return 'not there any more'
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

// nginx writes into a worker's title that it is on its way out (ngx_process_cycle.c).
function oldWorkersOf(masterPid: number): number {
  try {
    const children = readFileSync(`/proc/${masterPid}/task/${masterPid}/children`, 'utf8').split(' ').filter(Boolean)
    return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('is shutting down')).length
  } catch {
    return 0 // one of them ended while we looked
  }
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // ended meanwhile
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
