// Named counters of the kernel by the `nfacct` tool. Without the tool, or without the kernel's part, rules do without.

import { runCommand } from '@kubewire/daemon-kit'
import { invalidCounter, localhostCounter } from '@kubewire/iptables-gen'

/** Named counters. */
export interface Nfacct {
  /** Makes the counters that rules refer to; false when that is not possible. */
  ensure(): Promise<boolean>
  /** Packets of a counter; `undefined` when it cannot be read. */
  packets(name: string): Promise<number | undefined>
}

/** The real tool. */
export function createNfacct(): Nfacct {
  return {
    async ensure() {
      for (const name of [invalidCounter, localhostCounter]) if (!(await ensureCounter(name))) return false
      return true
    },
    async packets(name) {
      const text = await output(['get', name])
      const match = /pkts = ([0-9]+)/.exec(text ?? '')
      return match === null ? undefined : Number(match[1])
    },
  }
}

async function ensureCounter(name: string): Promise<boolean> {
  return (await output(['get', name])) !== undefined || (await output(['add', name])) !== undefined
}

async function output(args: readonly string[]): Promise<string | undefined> {
  try {
    const { exitCode, stdout } = await runCommand('nfacct', args, { timeoutMs: 10_000 })
    return exitCode === 0 ? stdout : undefined
  } catch {
    return undefined
  }
}
