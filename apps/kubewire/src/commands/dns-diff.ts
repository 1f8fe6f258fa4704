// `kubewire dns diff`: which names get other answers.

import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { dnsEffects } from '../diff/dns-effects.ts'
import { diffFlags, runDiff } from '../diff/run-diff.ts'
import { dnsFlags } from '../dns-input.ts'

const flags = { ...diffFlags, ...clusterFlags, ...dnsFlags } as const

/** The command. */
export const command: Command = defineCommand({
  usage: '(OLD NEW | --live NEW) [flags]',
  takesWords: true,
  flags,
  run: ({ values, args, output }) =>
    runDiff(args, values, output, ({ snapshot }) => dnsEffects(snapshot, values, output)),
})
