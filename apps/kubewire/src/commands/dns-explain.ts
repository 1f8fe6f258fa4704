// `kubewire dns explain`: one question through the plugins of a Corefile; with a pod as client also its search list.

import { typeNumber } from '@kubewire/dns-core'
import { askName, explainNameAnswer } from '../ask/ask-name.ts'
import { noteAssumed } from '../ask/proxy-place.ts'
import { type Command, defineCommand } from '../command.ts'
import { UsageError } from '../exit-code.ts'
import { blockHints } from '../hints/block-hints.ts'
import { aliasHints, nameHints } from '../hints/name-hints.ts'
import { plainListener } from '../input/cluster-dns.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { dnsFlags, dnsInput } from '../input/dns-input.ts'
import { reportExplained } from '../output.ts'
import { inputFlags, readInput } from '../read-input.ts'

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
    const [name, type = 'A', ...rest] = args
    if (name === undefined || typeNumber(type) === undefined || rest.length > 0) {
      throw new UsageError(
        `expected NAME [TYPE] such as tea.shop.svc.cluster.local AAAA, found ${JSON.stringify(args.join(' '))}`,
      )
    }
    const input = await readInput(values, output)
    const { server, problems } = await dnsInput(input.snapshot, values, output)
    if (values.client !== '') noteAssumed(values.client, input.snapshot, output)
    const question = { name, type, client: values.client }
    const listener = plainListener(server)
    const answer = await askName(listener, input.snapshot, question, input.objects)
    const last = answer.tried.at(-1)
    const others = last && (await blockHints(listener, input.snapshot, last.query, last.explanation))
    server.close()
    const explanation = explainNameAnswer(answer)
    const hints = nameHints(input.snapshot, name, last?.explanation)
    const open = aliasHints(last?.explanation)
    const whole = { ...explanation, steps: [...(explanation.steps ?? []), ...open, ...(others ?? []), ...hints] }
    return reportExplained(output, values.output, whole, [...input.problems, ...problems])
  },
})
