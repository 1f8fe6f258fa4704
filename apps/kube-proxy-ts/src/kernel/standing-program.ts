// A program that stays and takes one text after the other from a pipe, so that a change of one endpoint does not have to
// start one: to fork a process of some hundred megabytes takes as long as everything else that is done for a change.
// Knows nothing about iptables; one text at a time.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { CommandError, type CommandResult } from '@kubewire/daemon-kit'

/** What the program did with one text. */
export interface FedResult extends CommandResult {
  /** Lines that it had read before: it counts from its start. */
  readonly linesBefore: number
}

/** A program that is started when it is needed. */
export interface StandingProgram {
  /**
   * Hands over a text. Without `isDone` the program has ended, by itself or because somebody killed it; the next text
   * starts another.
   *
   * @throws CommandError `KIT_COMMAND_MISSING`, `KIT_COMMAND_TIMEOUT`
   */
  feed(text: string): Promise<FedResult>
  /** Whether it repeats the line while more may come: one that keeps its output until its end is of no use here. */
  answers(limitMs: number): Promise<boolean>
}

/** What is agreed with the program. */
export interface StandingOptions {
  /** A line that it repeats on standard output when everything before it is done. */
  readonly doneLine: string
  readonly timeoutMs: number
  /** Texts that one process takes: what it leaks has an end. */
  readonly maxTexts?: number
}

/** Nothing runs before the first text. */
export function createStandingProgram(
  program: string,
  args: readonly string[],
  { doneLine, timeoutMs, maxTexts = 1000 }: StandingOptions,
): StandingProgram {
  let running: Running | undefined
  const feed = (text: string, limitMs: number): Promise<FedResult> => {
    const one = running ?? start(program, args, doneLine)
    running = one
    one.texts += 1
    const linesBefore = one.lines
    const input = `${text}${doneLine}\n`
    one.lines += countLines(input)
    one.output = { stdout: '', stderr: '' }
    hold(one.child, true)
    return new Promise<FedResult>((resolve, reject) => {
      let timeout: CommandError | undefined
      const timer = setTimeout(() => {
        timeout = new CommandError('KIT_COMMAND_TIMEOUT', `${program} was killed after ${limitMs} ms`, [program])
        one.child.kill('SIGKILL')
      }, limitMs)
      one.tell = (end) => {
        clearTimeout(timer)
        one.tell = undefined
        hold(one.child, false)
        if (end !== 'done' || one.texts >= maxTexts) running = undefined
        if (running === undefined) one.child.stdin.end()
        if (end instanceof CommandError) return reject(end)
        if (timeout !== undefined) return reject(timeout)
        const ending = end === 'done' ? { exitCode: undefined, signal: undefined, isDone: true as const } : end
        resolve({ ...one.output, ...ending, linesBefore })
      }
      one.child.stdin.write(input)
    })
  }
  return {
    feed: (text) => feed(text, timeoutMs),
    answers: (limitMs) =>
      feed('', limitMs).then(
        ({ isDone }) => isDone === true,
        () => false,
      ),
  }

  function start(...how: Parameters<typeof startProgram>): Running {
    const one = startProgram(...how)
    // Ended while nobody waited: the next text finds it gone.
    one.child.on('exit', () => {
      if (running === one && one.tell === undefined) running = undefined
    })
    return one
  }
}

type End = 'done' | Pick<CommandResult, 'exitCode' | 'signal'> | CommandError

interface Running {
  readonly child: ChildProcessWithoutNullStreams
  texts: number
  lines: number
  /** Of the text that it works on. */
  output: { stdout: string; stderr: string }
  /** Present while somebody waits. */
  tell: ((end: End) => void) | undefined
}

const maxOutput = 65_536

function startProgram(program: string, args: readonly string[], doneLine: string): Running {
  const child = spawn(program, args, { stdio: 'pipe' })
  const one: Running = { child, texts: 0, lines: 0, output: { stdout: '', stderr: '' }, tell: undefined }
  // A program that ended closes its side: without a listener the EPIPE would end this process.
  child.stdin.on('error', () => {})
  child.stdout.on('data', (chunk: Buffer) => {
    const { output } = one
    output.stdout = (output.stdout + chunk.toString('latin1')).slice(-maxOutput)
    if (`\n${output.stdout}`.endsWith(`\n${doneLine}\n`)) one.tell?.('done')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    one.output.stderr = (one.output.stderr + chunk.toString('utf8')).slice(0, maxOutput)
  })
  child.on('error', (cause) => {
    one.tell?.(new CommandError('KIT_COMMAND_MISSING', `${program} could not be started`, [program], '', cause))
  })
  child.on('close', (exitCode, signal) => {
    one.tell?.({ exitCode: exitCode ?? undefined, signal: signal ?? undefined })
  })
  return one
}

// Only a program that somebody waits for keeps this process alive.
function hold(child: ChildProcessWithoutNullStreams, isHeld: boolean): void {
  const how = isHeld ? 'ref' : 'unref'
  child[how]()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as NodeJS.RefCounted)[how]?.()
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
