// What a newcomer sees: commands to type, each with what it really answers now.

import type { Output } from '../output.ts'
import { checksFor, isShop } from './checks/registry.ts'
import type { Demo } from './demo.ts'
import { quoteWord } from './world.ts'

/** Runs the commands of the tour and prints them with their answers, then what else there is to try. */
export async function printTour(demo: Demo, output: Output): Promise<void> {
  const { world } = demo
  output.data('\nThe demo cluster is up. Some things to ask it, and what it answers:\n\n')
  const list = await checksFor(world)
  for (const check of list.filter((candidate) => candidate.isInTour)) {
    if ((await check.whyNot?.(world)) !== undefined) continue
    const answer = await check.ask(world)
    printStep(output, check.name, commandOf(check.asked(world), world.plan.name), answer)
  }
  const hasShop = await isShop(world)
  if (hasShop) output.data('Why? The same rules and configuration, asked without any of them running:\n\n')
  for (const words of hasShop ? explanations(world.manifests) : []) {
    const { stdout } = await world.runHere([process.execPath, process.argv[1] ?? '', ...words])
    printStep(output, undefined, ['kubewire', ...words].map(quoteWord).join(' '), stdout)
  }
  output.data(closingWords(demo, hasShop ? 'tea.shop' : 'SERVICE.NAMESPACE'))
}

function printStep(output: Output, title: string | undefined, command: string, answer: string): void {
  output.data(`${title === undefined ? '' : `# ${title}\n`}$ ${command}\n${answer.trim()}\n\n`)
}

// `[client] dig …` as people type it.
function commandOf(asked: string, name: string): string {
  return asked.replace(/^\[(\w+)\] /, (_all, part: string) => `ip netns exec ${name}-${part} `)
}

function explanations(manifests: string): readonly (readonly string[])[] {
  return [
    ['dns', 'explain', 'supplier', 'A', '--client', 'pod/shop/toolbox', '-f', manifests],
    ['proxy', 'explain', '--from', '192.0.2.99', '--to', '203.0.113.20:80', '-f', manifests],
    ['ingress', 'explain', 'http://api.example.org/v1/orders/7', '-f', manifests],
  ]
}

function closingWords({ world, api }: Demo, service: string): string {
  const { manifests } = world
  const { name, stateFolder } = world.plan
  const { kubeconfig } = api
  const lines = [
    [`ip netns exec ${name}-client curl http://${service}`, "a pod's view, names and all"],
    [`ip netns exec ${name}-node iptables-save -t nat`, 'the rules'],
    [`kubectl --kubeconfig ${kubeconfig} get svc,ing -A`, 'the objects; apply, edit, delete work'],
    [`${manifests}/*.yaml`, 'edit these files: changes show within a second'],
    [`${stateFolder}/*.log`, 'what the daemons say'],
  ] as const
  const width = Math.max(...lines.map(([command]) => command.length)) + 3
  return [
    'More:',
    ...lines.map(([command, what]) => `  ${command.padEnd(width)}${what}`),
    '',
    `kubewire is apps/kubewire/dist/main.js. Ctrl-C ends the demo and removes everything it made.`,
    '',
  ].join('\n')
}
