// `kubewire ingress diff`: which requests are served by others.

import { type Command, defineCommand } from '../command.ts'
import { ingressEffects } from '../diff/ingress-effects.ts'
import { diffFlags, runDiff } from '../diff/run-diff.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { ingressFlags } from '../input/ingress-input.ts'

const flags = { ...diffFlags, ...clusterFlags, ...ingressFlags } as const

/** The command. */
export const command: Command = defineCommand({
  usage: '(OLD NEW | --live NEW) [flags]',
  takesWords: true,
  flags,
  run: ({ values, args, output }) => runDiff(args, values, output, ({ snapshot }) => ingressEffects(snapshot, values)),
})
