// Child processes of tests: a program that runs to its end, and a program that stays.
// Neither knows namespaces: `netns.ts` gives the words to put in front. Everything started here is ended when this
// process ends, whatever way it ends.

import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

/** A program to start. */
export interface ProgramOptions {
  readonly program: string
  readonly args?: readonly string[]
  /** Added to this process's environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

/** How a program that ran to its end left. */
export interface ProgramResult {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A program that stays. */
export interface RunningProgram {
  readonly pid: number
  /** What it wrote so far to stdout and stderr together; the last 1 MB. */
  output(): string
  /** Writes to its standard input. */
  write(text: string): void
  /** Calls back for each line of stdout from now on. */
  onLine(listener: (line: string) => void): void
  /** Settles when it has ended. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }>
  isRunning(): boolean
  /** Ends it: SIGTERM (or `signal`), and SIGKILL after `limitMs` (5 s). Settles when it is gone. */
  stop(signal?: NodeJS.Signals, limitMs?: number): Promise<void>
  /** Waits until `isReady` says so; throws with the output when the program ends or `limitMs` (15 s) pass before. */
  waitUntil(isReady: () => boolean | Promise<boolean>, limitMs?: number): Promise<void>
}

const maxOutputChars = 1_000_000
const running = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Runs a program to its end, at most `timeoutMs` (30 s). A bad exit status is a result; not starting throws. */
export async function runProgram(
  options: ProgramOptions & { readonly input?: string; readonly timeoutMs?: number },
): Promise<ProgramResult> {
  const child = start(options)
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  child.stdin?.on('error', () => {}) // a program may end without reading its input
  child.stdin?.end(options.input ?? '')
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 30_000)
  return (await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }))
  }).finally(() => clearTimeout(timer))) as ProgramResult
}

/** Like `runProgram`, but a bad exit status throws an Error with the command and its output. Gives stdout. */
export async function mustRun(
  options: ProgramOptions & { readonly input?: string; readonly timeoutMs?: number },
): Promise<string> {
  const result = await runProgram(options)
  if (result.exitCode === 0) return result.stdout
  const how = result.signal ?? `status ${result.exitCode}`
  throw new Error(`${options.program} ${(options.args ?? []).join(' ')}: ${how}\n${result.stderr}${result.stdout}`)
}

/** Starts a program that stays. */
export function startProgram(options: ProgramOptions): RunningProgram {
  const child = start(options)
  let output = ''
  let openLine = ''
  const listeners: ((line: string) => void)[] = []
  const keep = (chunk: string): void => {
    output = (output + chunk).slice(-maxOutputChars)
  }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    keep(chunk)
    const lines = (openLine + chunk).split('\n')
    openLine = lines.pop() ?? ''
    for (const line of lines) for (const listener of listeners) listener(line)
  })
  child.stderr?.setEncoding('utf8').on('data', keep)
  child.stdin?.on('error', () => {})
  let isRunning = true
  const ended = new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    const end = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
      isRunning = false
      resolve({ exitCode, signal })
    }
    child.once('close', end)
    child.once('error', (error) => {
      keep(`${error.message}\n`)
      end(null, null)
    })
  })
  return {
    pid: child.pid ?? -1,
    output: () => output,
    write: (text) => void child.stdin?.write(text),
    onLine: (listener) => void listeners.push(listener),
    ended,
    isRunning: () => isRunning,
    async stop(signal = 'SIGTERM', limitMs = 5000) {
      if (!isRunning) return
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
      await ended
      clearTimeout(timer)
    },
    async waitUntil(isReady, limitMs = 15_000) {
      const endMs = Date.now() + limitMs
      while (!(await isReady())) {
        if (!isRunning) throw new Error(`${options.program} ended before it was ready\n${output}`)
        if (Date.now() > endMs) throw new Error(`${options.program} was not ready after ${limitMs} ms\n${output}`)
        await delay(25)
      }
    },
  }
}

function start(options: ProgramOptions): ChildProcess {
  const env: NodeJS.ProcessEnv = { ...process.env, ...options.env }
  for (const [name, value] of Object.entries(options.env ?? {})) if (value === undefined) delete env[name]
  const child = spawn(options.program, options.args ?? [], { env, cwd: options.cwd, stdio: 'pipe' })
  running.add(child)
  child.once('close', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}
