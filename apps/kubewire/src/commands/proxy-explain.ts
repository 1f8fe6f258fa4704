// `kubewire proxy explain`: one packet through the rules that the objects mean, or through rules that are installed.

import {
  buildRuleset,
  explainPacket,
  type Packet,
  parseSave,
  type Ruleset,
  simulatePacket,
} from '@kubewire/iptables-gen'
import { emptySnapshot, type Problem } from '@kubewire/kube-model'
import { packetOf } from '../ask-packet.ts'
import { clusterFlags, namesCluster } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { dropReasons } from '../drop-reasons.ts'
import { UsageError } from '../exit-code.ts'
import { type Output, reportExplained } from '../output.ts'
import { localAddresses, nodeOf, proxyFlags, proxyOptionsOf } from '../proxy-input.ts'
import { inputFlags, readInput, readText } from '../read-input.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  ...proxyFlags,
  from: {
    kind: 'string',
    default: '',
    help: 'where the packet comes from: an address, pod/NAMESPACE/NAME or node/NAME',
  },
  to: {
    kind: 'string',
    default: '',
    help: 'where it goes: ADDRESS:PORT, service/NAMESPACE/NAME[:PORT] or node/NAME:PORT',
  },
  protocol: { kind: 'string', default: '', help: 'tcp, udp or sctp; default: that of the Service port, else tcp' },
  rules: { kind: 'string', default: '', help: 'ask these rules instead: output of iptables-save, a file or -' },
  output: { kind: 'string', default: 'text', help: 'text or json', shorthand: 'o' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '--from PLACE --to PLACE (-f FILE | --rules FILE) [flags]',
  flags,
  run: async ({ values, output }) => {
    if (values.from === '' || values.to === '') throw new UsageError('expected --from and --to')
    if (values.rules === '-' && values.filename.includes('-')) {
      throw new UsageError('expected standard input to be used once, found --rules - and -f -')
    }
    const needsObjects = values.rules === '' || values.filename.length > 0 || namesCluster(values)
    const input = needsObjects ? await readInput(values, output) : { snapshot: emptySnapshot, problems: [] }
    const { snapshot } = input
    const packet = packetOf(values, snapshot, nodeOf(snapshot, values))
    const { family } = packet.destination
    const { ruleset, problems } =
      values.rules === ''
        ? buildRuleset(snapshot, proxyOptionsOf(snapshot, values, family))
        : await installedRules(values.rules, family, output)
    const machine = { localAddresses: localAddresses(nodeOf(snapshot, values)) }
    const trace = simulatePacket(ruleset, packet, machine)
    const explanation = explainPacket(trace)
    const arrives = trace.outcomes.every(({ verdict }) => verdict === 'accept')
    const reasons = arrives || values.rules !== '' ? [] : dropReasons(snapshot, values, packet)
    const whole = { ...explanation, steps: [...(explanation.steps ?? []), ...reasons] }
    return reportExplained(output, values.output, whole, [...input.problems, ...problems])
  },
})

async function installedRules(
  path: string,
  family: Packet['destination']['family'],
  output: Output,
): Promise<{ readonly ruleset: Ruleset; readonly problems: readonly Problem[] }> {
  const { value, problems } = parseSave(await readText(path, output), { family, fileName: path })
  return { ruleset: value, problems }
}
