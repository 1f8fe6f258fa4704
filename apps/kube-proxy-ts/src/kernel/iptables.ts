// The iptables programs of one family: save, restore, version, single chains and rules. One call at a time; every call
// waits for the lock up to five seconds. Knows nothing about services.

import { CommandError, type CommandOptions, type CommandResult, runCommand } from '@kubewire/daemon-kit'
import type { IpFamily } from '@kubewire/kube-model'
import { createStandingProgram } from './standing-program.ts'

/** iptables said no, or could not be run. */
export class IptablesError extends Error {
  override readonly name = 'IptablesError'
  readonly code: 'IPT_RESTORE' | 'IPT_SAVE' | 'IPT_COMMAND' | 'IPT_LOCK' | 'IPT_MISSING'
  readonly exitCode: number | undefined
  /** Trying the same again may help. */
  readonly isRetryable: boolean
  constructor(code: IptablesError['code'], message: string, exitCode: number | undefined, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.exitCode = exitCode
    this.isRetryable = code !== 'IPT_MISSING'
  }
}

/** Version and variant of the programs in the path. */
export interface IptablesVersion {
  readonly version: string
  readonly backend: 'nft' | 'legacy'
}

/** The programs of one family. */
export interface Iptables {
  readonly family: IpFamily
  /** What `iptables --version` says; throws `IPT_MISSING`. */
  version(): Promise<IptablesVersion>
  /** Rejects with the reason when there is no nat table for this family. */
  assertUsable(): Promise<void>
  /** `iptables-save`, one table or all. */
  save(table?: string): Promise<string>
  /** `iptables-restore --noflush --counters` with the pieces of a text, each asked for when there is room for it. */
  restore(pieces: Iterable<string>): Promise<void>
  /**
   * The same by a program that stays and takes the next text, too. Only for the nft variant from 1.8.9 on: it holds no
   * lock, and forgets what it read with every COMMIT. `restore` where such a program does not answer at once.
   */
  restoreNext(text: string): Promise<void>
  /** `-N`; true when it was made, false when it existed. */
  ensureChain(table: string, chain: string): Promise<boolean>
  /** `-S CHAIN`; exit status 4 (lock, resources) throws `IPT_LOCK`: it says nothing about the chain. */
  hasChain(table: string, chain: string): Promise<boolean>
  /** What `-S CHAIN` prints; `undefined` when there is no such chain. Status 4 throws `IPT_LOCK`. */
  listChain(table: string, chain: string): Promise<string | undefined>
  /** `-C`; exit status 1 means no. */
  hasRule(table: string, chain: string, words: readonly string[]): Promise<boolean>
  /** `-D`; a missing rule or chain is fine. */
  deleteRule(table: string, chain: string, words: readonly string[]): Promise<void>
}

const commandLimitMs = 5 * 60_000
const maxOutputBytes = 512 * 1024 * 1024
const lockWords = ['-w', '5']
const restoreWords = [...lockWords, '--noflush', '--counters', '--verbose']
// With -v iptables-restore repeats a comment when it comes to it, which is after the COMMIT before it has taken effect.
// Its end takes longer: the nft variant waits there until the kernel has freed what was deleted.
const doneLine = '# installed'
// Whether it does so before its end is up to how it was built; asked once.
const answerLimitMs = 2000

/** Ports to `iptables…` or `ip6tables…`. */
export function createIptables(family: IpFamily): Iptables {
  const name = family === 4 ? 'iptables' : 'ip6tables'
  let turn: Promise<unknown> | undefined
  const inTurn = <T>(start: () => Promise<T>): Promise<T> => {
    // At once when nothing is running: whoever works on after the call keeps the program waiting otherwise.
    const next = turn === undefined ? start() : turn.then(start)
    const end = next
      .catch(() => undefined)
      .then(() => {
        if (turn === end) turn = undefined
      })
    turn = end
    return next
  }
  const run = (program: string, args: readonly string[], more: CommandOptions = {}): Promise<CommandResult> =>
    inTurn(() => asIptables(runCommand(program, args, { timeoutMs: commandLimitMs, maxOutputBytes, ...more })))
  const standing = createStandingProgram(`${name}-restore`, restoreWords, { doneLine, timeoutMs: commandLimitMs })
  let isStaying: Promise<boolean> | undefined
  const restore = async (pieces: Iterable<string>): Promise<void> => {
    const result = await run(`${name}-restore`, restoreWords, { input: endedBy(pieces, `${doneLine}\n`), doneLine })
    if (result.isDone !== true && result.exitCode !== 0) throw restoreFailure(`${name}-restore`, result, pieces)
  }
  const command = async (args: readonly string[]): Promise<CommandResult> => {
    const result = await run(name, [...lockWords, ...args])
    if (result.exitCode === 4) throw failure('IPT_LOCK', `${name} ${args.join(' ')}`, result)
    return result
  }
  return {
    family,
    async version() {
      const { stdout } = await run(name, ['--version'])
      const version = /v([0-9]+(?:\.[0-9]+)+)/.exec(stdout)?.[1] ?? '0'
      return { version, backend: stdout.includes('nf_tables') ? 'nft' : 'legacy' }
    },
    async assertUsable() {
      const result = await command(['-t', 'nat', '-S', 'POSTROUTING'])
      if (result.exitCode !== 0) throw failure('IPT_COMMAND', `${name} -t nat -S POSTROUTING`, result)
    },
    async save(table) {
      const result = await run(`${name}-save`, table === undefined ? [] : ['-t', table])
      if (result.exitCode !== 0) throw failure('IPT_SAVE', `${name}-save`, result)
      return result.stdout
    },
    restore,
    async restoreNext(text) {
      isStaying ??= inTurn(() => standing.answers(answerLimitMs))
      if (!(await isStaying)) return restore([text])
      const result = await inTurn(() => asIptables(standing.feed(text)))
      // It waits for more: an end is a failure whatever its status says.
      if (result.isDone !== true) throw restoreFailure(`${name}-restore`, result, [text], result.linesBefore)
    },
    async ensureChain(table, chain) {
      const result = await command(['-t', table, '-N', chain])
      if (result.exitCode === 0) return true
      if (result.exitCode === 1) return false
      throw failure('IPT_COMMAND', `${name} -N ${chain}`, result)
    },
    async hasChain(table, chain) {
      return (await command(['-t', table, '-S', chain])).exitCode === 0
    },
    async listChain(table, chain) {
      const result = await command(['-t', table, '-S', chain])
      if (result.exitCode === 0 || result.exitCode === 1) return result.exitCode === 0 ? result.stdout : undefined
      throw failure('IPT_COMMAND', `${name} -S ${chain}`, result)
    },
    async hasRule(table, chain, words) {
      const result = await command(['-t', table, '-C', chain, ...words])
      if (result.exitCode === 0 || result.exitCode === 1) return result.exitCode === 0
      throw failure('IPT_COMMAND', `${name} -C ${chain}`, result)
    },
    async deleteRule(table, chain, words) {
      const result = await command(['-t', table, '-D', chain, ...words])
      if (result.exitCode !== 0 && result.exitCode !== 1 && result.exitCode !== 2)
        throw failure('IPT_COMMAND', `${name} -D ${chain}`, result)
    },
  }
}

function* endedBy(pieces: Iterable<string>, end: string): Generator<string> {
  yield* pieces
  yield end
}

async function asIptables<T extends CommandResult>(command: Promise<T>): Promise<T> {
  try {
    return await command
  } catch (cause) {
    const isMissing = cause instanceof CommandError && cause.code === 'KIT_COMMAND_MISSING'
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new IptablesError(isMissing ? 'IPT_MISSING' : 'IPT_COMMAND', message, undefined, cause)
  }
}

function failure(code: IptablesError['code'], what: string, result: CommandResult): IptablesError {
  const text = result.stderr.trim().slice(0, 2000)
  return new IptablesError(
    code,
    `${what} ended with status ${result.exitCode ?? result.signal}: ${text}`,
    result.exitCode,
  )
}

// iptables names the line that it refused; the lines around it say more than the number.
function restoreFailure(what: string, result: CommandResult, pieces: Iterable<string>, linesBefore = 0): IptablesError {
  const error = failure(result.exitCode === 4 ? 'IPT_LOCK' : 'IPT_RESTORE', what, result)
  const number = Number(/line:? ([0-9]+)/.exec(result.stderr)?.[1] ?? 0) - linesBefore
  if (number <= 0) return error
  const around = [...pieces]
    .join('')
    .split('\n')
    .slice(Math.max(0, number - 2), number + 1)
  return new IptablesError(
    error.code,
    `${error.message}; around line ${number}: ${around.join(' | ')}`,
    result.exitCode,
  )
}
