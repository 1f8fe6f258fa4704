// Runs a program with standard input, a time limit and an output limit. An exit code is a value, not an error:
// only a program that could not run, or had to be stopped, throws.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

/** How a program is run. */
export interface CommandOptions {
  /** Of pieces each is asked for when the program has room for it. One that throws stops the program. */
  readonly input?: string | Uint8Array | Iterable<string>
  /** The input comes no sooner than this: a program may start before its turn. When it rejects the program is stopped. */
  readonly inputAfter?: Promise<unknown>
  /** Default 30 000 ms; then the program is killed. */
  readonly timeoutMs?: number
  /** Limit of standard output and standard error each; default 64 MiB. */
  readonly maxOutputBytes?: number
  /** The whole environment; default: that of this process. */
  readonly env?: { readonly [name: string]: string | undefined }
  readonly cwd?: string
  readonly signal?: AbortSignal
  /** A line of standard output that says the work is done: then nobody waits for what the program does until its end. */
  readonly doneLine?: string
}

type CommandInput = NonNullable<CommandOptions['input']>

/** What a program did. */
export interface CommandResult {
  /** `undefined` when a signal ended it. */
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  readonly stdout: string
  readonly stderr: string
  /** It wrote the `doneLine`; its exit code is not known then. */
  readonly isDone?: true
}

/** A program could not be started, or was killed at a limit. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: 'KIT_COMMAND_MISSING' | 'KIT_COMMAND_TIMEOUT' | 'KIT_COMMAND_OUTPUT' | 'KIT_COMMAND_ABORTED'
  readonly command: readonly string[]
  /** What it had written until then. */
  readonly stderr: string
  readonly isRetryable: boolean
  constructor(code: CommandError['code'], message: string, command: readonly string[], stderr = '', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.command = command
    this.stderr = stderr
    this.isRetryable = code === 'KIT_COMMAND_TIMEOUT'
  }
}

/**
 * Runs `program` to its end.
 *
 * @throws CommandError `KIT_COMMAND_MISSING`, `KIT_COMMAND_TIMEOUT`, `KIT_COMMAND_OUTPUT`, `KIT_COMMAND_ABORTED`
 * @example
 * const { exitCode, stderr } = await runCommand('iptables-restore', ['--test'], { input: text, timeoutMs: 10_000 })
 */
export function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { timeoutMs = 30_000, maxOutputBytes = 64 * 1024 * 1024, input = '', signal } = options
  const command = [program, ...args]
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new CommandError('KIT_COMMAND_ABORTED', `${program} was not started`, command))
    const child = spawn(program, args, {
      stdio: 'pipe',
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: options.env }),
    })
    let stopped: CommandError | undefined
    const stop = (code: CommandError['code'], why: string): void => {
      stopped ??= new CommandError(code, `${program} ${why}`, command, stderr.text())
      child.kill('SIGKILL')
    }
    const overflow = (): void => stop('KIT_COMMAND_OUTPUT', `wrote more than ${maxOutputBytes} bytes and was killed`)
    const resultOf = (exitCode?: number, bySignal?: string): CommandResult => ({
      exitCode,
      signal: bySignal,
      stdout: stdout.text(),
      stderr: stderr.text(),
    })
    const stdout = collect(child.stdout, maxOutputBytes, overflow)
    const stderr = collect(child.stderr, maxOutputBytes, overflow)
    const abort = (): void => stop('KIT_COMMAND_ABORTED', 'was killed because nobody waits for it')
    const timer = setTimeout(
      () => stop('KIT_COMMAND_TIMEOUT', `did not end within ${timeoutMs} ms and was killed`),
      timeoutMs,
    )
    signal?.addEventListener('abort', abort)
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      settle()
    }
    child.on('error', (cause) =>
      end(() => reject(new CommandError('KIT_COMMAND_MISSING', `${program} could not be started`, command, '', cause))),
    )
    child.on('close', (exitCode, bySignal) =>
      end(() => {
        if (stopped) return reject(stopped)
        resolve(resultOf(exitCode ?? undefined, bySignal ?? undefined))
      }),
    )
    // The limits still hold for what is left to do; a promise that is settled stays as it is.
    if (options.doneLine !== undefined)
      onLine(child.stdout, options.doneLine, () => resolve({ ...resultOf(), isDone: true }))
    writeInput(child, input, options.inputAfter).catch((error: unknown) => {
      child.kill('SIGKILL')
      end(() => reject(error))
    })
  })
}

async function writeInput(
  { stdin }: ChildProcessWithoutNullStreams,
  input: CommandInput,
  after: Promise<unknown> | undefined,
): Promise<void> {
  // A program that exits early closes its end: without a listener the EPIPE would end this process.
  stdin.on('error', () => {})
  if (after !== undefined) await after
  if (typeof input === 'string' || input instanceof Uint8Array) return void stdin.end(input)
  let wake = (): void => {}
  const wakeUp = (): void => wake()
  stdin.on('drain', wakeUp)
  stdin.on('close', wakeUp)
  for (const piece of input) {
    if (stdin.destroyed) return
    if (!stdin.write(piece))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  stdin.end()
}

function onLine(stream: NodeJS.ReadableStream, line: string, tell: () => void): void {
  let rest = ''
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    if (lines.includes(line)) tell()
  })
}

function collect(stream: NodeJS.ReadableStream, maxBytes: number, overflow: () => void): { text(): string } {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) overflow()
    else chunks.push(chunk)
  })
  return { text: () => Buffer.concat(chunks).toString('utf8') }
}
