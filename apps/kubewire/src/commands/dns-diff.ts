// `kubewire dns diff`: which names get other answers.

import { type Command, defineCommand } from '../command.ts'
import { dnsEffects } from '../diff/dns-effects.ts'
import { diffFlags, runDiff } from '../diff/run-diff.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { dnsFlags } from '../input/dns-input.ts'

const flags = { ...diffFlags, ...clusterFlags, ...dnsFlags } as const

/** The command. */
export const command: Command = defineCommand({
  usage: '(OLD NEW | --live NEW) [flags]',
  takesWords: true,
  flags,
  run: ({ values, args, output }) =>
    runDiff(args, values, output, ({ snapshot }) => dnsEffects(snapshot, values, output)),
})
