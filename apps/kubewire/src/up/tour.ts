// What a newcomer sees: commands to type, each with what it really answers now.

import type { Output } from '../output.ts'
import { checks } from './checks/registry.ts'
import type { Demo } from './demo.ts'

/** Runs the commands of the tour and prints them with their answers, then what else there is to try. */
export async function printTour(demo: Demo, output: Output): Promise<void> {
  const { world, api } = demo
  output.data('\nThe demo cluster is up. Some things to ask it, and what it answers:\n\n')
  for (const check of checks.filter((candidate) => candidate.isInTour)) {
    const command = commandOf(check.asked(world), world.plan.name)
    const answer = await check.ask(world)
    output.data(`# ${check.name}\n$ ${command}\n${answer.trim()}\n\n`)
  }
  output.data(`${closingWords(world.plan.name, api.kubeconfig, world.manifests, world.plan.stateFolder)}\n`)
}

// `[client] dig …` as people type it.
function commandOf(asked: string, name: string): string {
  return asked.replace(/^\[(\w+)\] /, (_all, part: string) => `ip netns exec ${name}-${part} `)
}

function closingWords(name: string, kubeconfig: string, manifests: string, stateFolder: string): string {
  return [
    'More:',
    `  ip netns exec ${name}-client curl http://tea.shop          a pod's view, names and all`,
    `  ip netns exec ${name}-node iptables-save -t nat            the rules`,
    `  kubectl --kubeconfig ${kubeconfig} get svc,ep,ing -A`,
    `  ${manifests}                                               edit these files: changes show within a second`,
    `  ${stateFolder}/*.log                                       what the daemons say`,
    '',
    'Ctrl-C ends the demo and removes everything it made.',
  ].join('\n')
}
