// `kubewire ingress diff`: which requests are served by others.

import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { ingressEffects } from '../diff/ingress-effects.ts'
import { diffFlags, runDiff } from '../diff/run-diff.ts'
import { ingressFlags } from '../ingress-input.ts'

const flags = { ...diffFlags, ...clusterFlags, ...ingressFlags } as const

/** The command. */
export const command: Command = defineCommand({
  usage: '(OLD NEW | --live NEW) [flags]',
  takesWords: true,
  flags,
  run: ({ values, args, output }) => runDiff(args, values, output, ({ snapshot }) => ingressEffects(snapshot, values)),
})
