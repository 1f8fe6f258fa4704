// The nft program: loading a transaction, listing and deleting the table. Knows nothing about services.

import { CommandError, type CommandOptions, type CommandResult, runCommand } from '@kubewire/daemon-kit'
import { nftTableName } from '@kubewire/iptables-gen'
import type { IpFamily } from '@kubewire/kube-model'

/** nft said no, or could not be run. */
export class NftError extends Error {
  override readonly name = 'NftError'
  readonly code: 'IPT_NFT' | 'IPT_NFT_MISSING'
  readonly exitCode: number | undefined
  constructor(code: NftError['code'], message: string, exitCode?: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.exitCode = exitCode
  }
}

/** The program. */
export interface Nft {
  /**
   * Loads a text as one transaction, once `after` is done: the program starts meanwhile, without its input.
   * Rejects without having loaded anything when `after` does.
   */
  load(text: string, after?: Promise<void>): Promise<void>
  /** Whether the table is there; false too when nft cannot be used. */
  hasTable(family: IpFamily): Promise<boolean>
  /** Deletes the table; a missing one is fine. */
  deleteTable(family: IpFamily): Promise<void>
  /** What `nft -s -y list table` prints; `undefined` when there is no such table. */
  listTable(family: IpFamily): Promise<string | undefined>
  /** Major, minor, patch; throws `IPT_NFT_MISSING`. */
  version(): Promise<readonly [number, number, number]>
  /** Whether rules inside of `add chain` are taken: nft up to 1.0.6 drops them without a word. */
  takesRulesInChains(family: IpFamily): Promise<boolean>
}

/** Calls of the real program, one at a time. */
export function createNft(): Nft {
  let turn: Promise<unknown> = Promise.resolve()
  const run = (args: readonly string[], input = ''): Promise<CommandResult> => {
    const next = turn.then(() => runNft(args, { input }))
    turn = next.catch(() => undefined)
    return next
  }
  const tableOf = (family: IpFamily): readonly string[] => ['table', family === 4 ? 'ip' : 'ip6', nftTableName]
  return {
    async load(text, after) {
      const next = runNft(['-f', '-'], { input: text, inputAfter: Promise.all([turn, after]) })
      turn = next.catch(() => undefined)
      const { exitCode, stderr } = await next
      if (exitCode !== 0)
        throw new NftError('IPT_NFT', `nft -f ended with status ${exitCode}: ${stderr.trim().slice(0, 2000)}`, exitCode)
    },
    async hasTable(family) {
      return (await run(['-t', 'list', ...tableOf(family)]).catch(() => undefined))?.exitCode === 0
    },
    async deleteTable(family) {
      const { exitCode, stderr } = await run(['delete', ...tableOf(family)])
      if (exitCode !== 0 && !isMissing(stderr))
        throw new NftError(
          'IPT_NFT',
          `nft delete table ended with status ${exitCode}: ${stderr.trim().slice(0, 500)}`,
          exitCode,
        )
    },
    async listTable(family) {
      const { exitCode, stdout, stderr } = await run(['-s', '-y', 'list', ...tableOf(family)])
      if (exitCode === 0) return stdout
      if (isMissing(stderr)) return undefined
      throw new NftError(
        'IPT_NFT',
        `nft list table ended with status ${exitCode}: ${stderr.trim().slice(0, 500)}`,
        exitCode,
      )
    },
    async version() {
      const { stdout } = await run(['--version'])
      const [, major = '0', minor = '0', patch = '0'] = /v([0-9]+)\.([0-9]+)(?:\.([0-9]+))?/.exec(stdout) ?? []
      return [Number(major), Number(minor), Number(patch)]
    },
    async takesRulesInChains(family) {
      // Only checked, not loaded: a rule that is taken cannot be right here.
      const table = `${family === 4 ? 'ip' : 'ip6'} ${nftTableName}-probe`
      const probe = `add table ${table}\nadd chain ${table} probe { jump missing; }\n`
      const check = async (text: string) => (await run(['-c', '-f', '-'], text)).exitCode === 0
      return !(await check(probe)) && (await check(probe.replace('jump missing', 'accept')))
    },
  }
}

function isMissing(stderr: string): boolean {
  return /No such file or directory|does not exist/i.test(stderr)
}

async function runNft(args: readonly string[], input: CommandOptions): Promise<CommandResult> {
  try {
    return await runCommand('nft', args, { ...input, timeoutMs: 5 * 60_000, maxOutputBytes: 512 * 1024 * 1024 })
  } catch (cause) {
    const isMissing = cause instanceof CommandError && cause.code === 'KIT_COMMAND_MISSING'
    throw new NftError(
      isMissing ? 'IPT_NFT_MISSING' : 'IPT_NFT',
      cause instanceof Error ? cause.message : String(cause),
      undefined,
      cause,
    )
  }
}
