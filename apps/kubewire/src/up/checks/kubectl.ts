// The same cluster through the tool that everybody has; left out where it is not installed.

import { join } from 'node:path'
import type { DemoWorld } from '../world.ts'
import type { Check } from './check.ts'

/** The table. */
export const kubectlChecks: readonly Check[] = [
  kubectlCheck(
    'kubectl lists the Services',
    ['get', 'services', '-n', 'shop', '-o', 'name'],
    /^service\/archive\n[\s\S]*service\/tea\n/,
  ),
  kubectlCheck(
    'kubectl shows a table',
    ['get', 'ingress', 'front', '-n', 'shop'],
    /^NAME +CLASS +HOSTS +ADDRESS +PORTS +AGE\nfront +nginx +shop\.example\.org/,
    true,
  ),
  kubectlCheck('kubectl explains', ['explain', 'service.spec.clusterIP'], /^KIND: +Service/),
]

function kubectlCheck(name: string, words: readonly string[], expected: RegExp, isInTour = false): Check {
  const command = (world: DemoWorld): readonly [string, ...string[]] => [
    'kubectl',
    '--kubeconfig',
    join(world.plan.stateFolder, 'kubeconfig'),
    ...words,
  ]
  return {
    name,
    expected,
    isInTour,
    asked: (world) => command(world).join(' '),
    ask: async (world) => {
      const { stdout, stderr } = await world.runHere(command(world))
      return stdout.trim() || stderr.trim()
    },
    whyNot: async (world) => {
      const found = await world.runHere(['kubectl', 'version', '--client']).catch(() => undefined)
      return found?.exitCode === 0 ? undefined : 'kubectl is not installed'
    },
  }
}
