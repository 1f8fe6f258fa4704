// `kubewire proxy diff`: which packets go elsewhere.

import type { ClusterSnapshot } from '@kubewire/kube-model'
import { type Command, defineCommand } from '../command.ts'
import { proxyEffects } from '../diff/proxy-effects.ts'
import { diffFlags, runDiff } from '../diff/run-diff.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { checkNode, proxyFlags } from '../input/proxy-input.ts'

const flags = { ...diffFlags, ...clusterFlags, ...proxyFlags } as const

/** The command. */
export const command: Command = defineCommand({
  usage: '(OLD NEW | --live NEW) [flags]',
  takesWords: true,
  flags,
  run: ({ values, args, output }) =>
    runDiff(
      args,
      values,
      output,
      ({ snapshot }) => proxyEffects(snapshot, values),
      (snapshots) => {
        checkNode(snapshots, values)
        if (snapshots.some(assumesNode)) {
          output.note('no Node among the objects: packets are asked at a node that has no endpoint\n')
        }
      },
    ),
})

/** Whether answers depend on a node, and there is none. */
function assumesNode({ nodes, services }: ClusterSnapshot): boolean {
  return (
    nodes.size === 0 &&
    [...services].some(
      ({ spec = {} }) =>
        spec.internalTrafficPolicy === 'Local' || spec.ports?.some(({ nodePort }) => nodePort !== undefined),
    )
  )
}
