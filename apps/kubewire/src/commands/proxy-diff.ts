// `kubewire proxy diff`: which packets go elsewhere.

import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { proxyEffects } from '../diff/proxy-effects.ts'
import { diffFlags, runDiff } from '../diff/run-diff.ts'
import { proxyFlags } from '../proxy-input.ts'

const flags = { ...diffFlags, ...clusterFlags, ...proxyFlags } as const

/** The command. */
export const command: Command = defineCommand({
  usage: '(OLD NEW | --live NEW) [flags]',
  takesWords: true,
  flags,
  run: ({ values, args, output }) => runDiff(args, values, output, ({ snapshot }) => proxyEffects(snapshot, values)),
})
