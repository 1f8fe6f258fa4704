// Named counters of the kernel by the `nfacct` tool. Without the tool, or without the kernel's part, rules do without.

import { runCommand } from '@kubewire/daemon-kit'
import { invalidCounter, localhostCounter } from '@kubewire/iptables-gen'

/** Named counters. */
export interface Nfacct {
  /** Makes the counters that rules refer to; false when that is not possible. */
  ensure(): Promise<boolean>
  /** Packets of a counter; `undefined` when it cannot be read. Those that ask at the same time share one answer. */
  packets(name: string): Promise<number | undefined>
}

/** The real tool. */
export function createNfacct(): Nfacct {
  let listing: Promise<string | undefined> | undefined
  const list = (): Promise<string | undefined> => {
    listing ??= output(['list']).finally(() => {
      listing = undefined
    })
    return listing
  }
  return {
    async ensure() {
      const known = await list()
      for (const name of [invalidCounter, localhostCounter])
        if (packetsIn(known, name) === undefined && (await output(['add', name])) === undefined) return false
      return true
    },
    packets: async (name) => packetsIn(await list(), name),
  }
}

/** `{ pkts = 00000000000000000012, bytes = 00000000000000000840 } = NAME;` */
function packetsIn(listing: string | undefined, name: string): number | undefined {
  const line = listing?.split('\n').find((one) => one.endsWith(`} = ${name};`))
  const digits = /pkts = ([0-9]+)/.exec(line ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

async function output(args: readonly string[]): Promise<string | undefined> {
  try {
    const { exitCode, stdout } = await runCommand('nfacct', args, { timeoutMs: 10_000 })
    return exitCode === 0 ? stdout : undefined
  } catch {
    return undefined
  }
}
