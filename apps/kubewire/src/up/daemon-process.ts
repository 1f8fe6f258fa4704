// One daemon of the demo: its bundle, started inside a namespace, its output in a log file, asked until it is ready.

import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { runCommand } from '@kubewire/daemon-kit'
import { DemoError, inside, split } from './netns.ts'

/** What to start and how to know that it works. */
export interface DaemonOptions {
  readonly name: string
  /** The bundle. */
  readonly path: string
  readonly args: readonly string[]
  readonly env?: { readonly [name: string]: string }
  /** Without one it runs where this process runs. */
  readonly namespace?: string
  /** Answers 200 when the daemon is ready; asked from where it runs. */
  readonly readyUrl: string
  readonly logPath: string
  /** Ends the wait for readiness. */
  readonly signal?: AbortSignal
}

/** A daemon that runs. */
export interface DaemonProcess {
  readonly name: string
  /** Resolves with the reason when it ends without being asked to. */
  readonly crashed: Promise<string>
  /** Asks it to end and, after five seconds, ends it. */
  close(): Promise<void>
}

/** Starts a daemon and waits until it is ready. Rejects with the end of its log when it is not within 30 s. */
export async function startDaemon(options: DaemonOptions): Promise<DaemonProcess> {
  const { name, namespace, path, args, env = {}, readyUrl, logPath } = options
  const log = await open(logPath, 'w')
  const command = [process.execPath, path, ...args] as const
  const [program, words] = split(namespace === undefined ? command : inside(namespace, ...command))
  const child = spawn(program, words, {
    stdio: ['ignore', log.fd, log.fd],
    env: { ...process.env, ...env },
    // Ctrl-C goes to the whole foreground group; the daemons are closed in order instead.
    detached: true,
  })
  await log.close()
  let isClosing = false
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(`${name} ended with ${signal ?? `exit status ${code}`}`))
  })
  const crashed = new Promise<string>((resolve) => {
    void ended.then((reason) => isClosing || resolve(reason))
  })
  const daemon: DaemonProcess = {
    name,
    crashed,
    close: async () => {
      isClosing = true
      await endProcess(child, ended)
    },
  }
  const problem = await Promise.race([crashed, waitUntilReady(namespace, readyUrl, options.signal)])
  if (problem === undefined) return daemon
  await daemon.close()
  throw new DemoError(`${problem}\n${await logTail(logPath)}`)
}

async function endProcess(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(timer)
}

async function waitUntilReady(
  namespace: string | undefined,
  url: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const untilMs = performance.now() + 30_000
  while (performance.now() < untilMs) {
    if (signal?.aborted) return `interrupted: ${String(signal.reason)}`
    if (await isReady(namespace, url)) return undefined
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return `${url} did not say that it is ready within 30 s`
}

async function isReady(namespace: string | undefined, url: string): Promise<boolean> {
  if (namespace === undefined)
    return fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  const command = inside(namespace, 'curl', '-sf', '-g', '-o', '/dev/null', '--max-time', '2', url)
  return (await runCommand(...split(command))).exitCode === 0
}

async function logTail(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').slice(-15).join('\n').trim()
}
