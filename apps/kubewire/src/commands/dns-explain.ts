// `kubewire dns explain`: one question through the plugins of a Corefile; with a pod as client also its search list.

import { type DnsServer, explainQuery, type Listener, queryOf, typeNumber } from '@kubewire/dns-core'
import type { ClusterSnapshot, Explanation } from '@kubewire/kube-model'
import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { dnsFlags, dnsInput } from '../dns-input.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { reportProblems, writeExplanation } from '../output.ts'
import { parsePlace } from '../proxy-place.ts'
import { inputFlags, readInput } from '../read-input.ts'
import { searchNames } from '../search-list.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  ...dnsFlags,
  client: {
    kind: 'string',
    default: '',
    help: 'who asks: an address, or pod/NAMESPACE/NAME, whose search list is then walked',
  },
  output: { kind: 'string', default: 'text', help: 'text or json', shorthand: 'o' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: 'NAME [TYPE] -f FILE [flags]',
  takesWords: true,
  flags,
  run: async ({ values, args, output }) => {
    const [name, typeWord = 'A', ...rest] = args
    const type = typeNumber(typeWord)
    if (name === undefined || type === undefined || rest.length > 0) {
      throw new UsageError(
        `expected NAME [TYPE] such as tea.shop.svc.cluster.local AAAA, found ${JSON.stringify(args.join(' '))}`,
      )
    }
    const input = await readInput(values, output)
    const { server, problems } = await dnsInput(input.snapshot, values, output)
    const client = clientOf(values.client, input.snapshot)
    const names = client.namespace === undefined ? [absolute(name)] : searchNames(name, client.namespace)
    const explanation = await walk(listenerOf(server), names, type, client.address)
    server.close()
    writeExplanation(output, values.output, explanation)
    const code = reportProblems(output, [...input.problems, ...problems])
    return code === exitCode.findings ? exitCode.fine : code
  },
})

/** Asks the names one after the other until one has records; one name is explained as it is. */
async function walk(
  listener: Listener,
  names: readonly string[],
  type: number,
  address: string | undefined,
): Promise<Explanation> {
  const extra = address === undefined ? {} : { client: { address, port: 53_000 } }
  const steps: Explanation[] = []
  for (const name of names) {
    const step = await explainQuery(listener, queryOf(name, type, extra))
    steps.push(step)
    if (/→ NOERROR, /.test(step.what)) break
  }
  const [only] = steps
  if (only !== undefined && names.length === 1) return only
  const last = steps.at(-1)?.what ?? ''
  const what = `${steps.length} ${steps.length === 1 ? 'question' : 'questions'}, the last: ${last}`
  return { where: 'search list', what, steps }
}

function clientOf(text: string, snapshot: ClusterSnapshot): { readonly address?: string; readonly namespace?: string } {
  if (text === '') return {}
  const address = parsePlace(text, snapshot).ip.text
  const [, namespace] = /^pod\/([^/]+)\//.exec(text) ?? []
  return namespace === undefined ? { address } : { address, namespace }
}

// Names on a command line are absolute, with or without the dot.
function absolute(name: string): string {
  return name.endsWith('.') ? name : `${name}.`
}

function listenerOf(server: DnsServer): Listener {
  const listener = server.listeners.find(({ scheme }) => scheme === 'dns')
  if (listener === undefined) throw new UsageError('expected a Corefile with a block that listens for plain DNS')
  return listener
}
