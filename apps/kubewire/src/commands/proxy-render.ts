// `kubewire proxy render`: objects → iptables-restore input, both families one after the other.

import {
  buildNftTable,
  buildRuleset,
  type ProxyOptions,
  planNftLoad,
  printRestore,
  printSave,
} from '@kubewire/iptables-gen'
import type { IpFamily } from '@kubewire/kube-model'
import { type Command, defineCommand } from '../command.ts'
import { UsageError } from '../exit-code.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { checkNode, proxyFlags, proxyOptionsOf } from '../input/proxy-input.ts'
import { reportShown } from '../output.ts'
import { inputFlags, readInput } from '../read-input.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  ...proxyFlags,
  family: { kind: 'string', default: 'all', help: 'ipv4, ipv6 or all' },
  output: {
    kind: 'string',
    default: 'text',
    help: 'text (input of iptables-restore), save (as iptables-save prints it, with built-in chains), nft (input of nft -f) or json',
    shorthand: 'o',
  },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '-f FILE [flags]',
  flags,
  run: async ({ values, output }) => {
    const families = familiesOf(values.family)
    if (!['text', 'save', 'nft', 'json'].includes(values.output)) {
      throw new UsageError('expected -o text, save, nft or json')
    }
    const input = await readInput(values, output)
    checkNode([input.snapshot], values)
    const options = families.map((family) => proxyOptionsOf(input.snapshot, values, family))
    const built = options.map((one) => buildRuleset(input.snapshot, one))
    if (values.output === 'json') {
      output.data(
        `${JSON.stringify(
          built.map(({ ruleset }) => jsonRuleset(ruleset)),
          null,
          2,
        )}\n`,
      )
    } else if (values.output === 'nft') {
      // Which ranges Services have is not known from files: no address is refused for being in none of them.
      const tables = built.map(({ ports }, at) =>
        buildNftTable(ports, { ...(options[at] as ProxyOptions), serviceCidrs: [] }),
      )
      output.data(tables.map((table) => planNftLoad(undefined, table)).join(''))
    } else {
      const print = values.output === 'save' ? printSave : printRestore
      const texts = built.map(({ ruleset }) => `# IPv${ruleset.family}\n${print(ruleset)}`)
      output.data(texts.length === 1 ? (texts[0] ?? '').replace(/^# .*\n/, '') : texts.join(''))
    }
    return reportShown(output, [...input.problems, ...built.flatMap(({ problems }) => problems)])
  },
})

function familiesOf(text: string): readonly IpFamily[] {
  if (text === 'all') return [4, 6]
  if (text === 'ipv4') return [4]
  if (text === 'ipv6') return [6]
  throw new UsageError(`expected --family ipv4, ipv6 or all, found ${JSON.stringify(text)}`)
}

function jsonRuleset(ruleset: ReturnType<typeof buildRuleset>['ruleset']): object {
  const tables = Object.entries(ruleset.tables).map(([name, chains]) => [name, [...(chains?.values() ?? [])]])
  return { family: ruleset.family, tables: Object.fromEntries(tables) as object }
}
