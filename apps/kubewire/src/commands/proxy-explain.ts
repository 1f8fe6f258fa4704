// `kubewire proxy explain`: one packet through the rules that the objects mean, or through rules that are installed.

import { buildRuleset, explainPacket, type Ruleset, simulatePacket } from '@kubewire/iptables-gen'
import { type ClusterSnapshot, emptySnapshot, type IpFamily, type WithProblems } from '@kubewire/kube-model'
import { nodeAsked, packetOf } from '../ask/ask-packet.ts'
import { noteAssumed, notePort } from '../ask/proxy-place.ts'
import { type Command, defineCommand } from '../command.ts'
import { UsageError } from '../exit-code.ts'
import { dropReasons, unknownPort } from '../hints/drop-reasons.ts'
import { policyHints } from '../hints/policy-hints.ts'
import { clusterFlags, namesCluster } from '../input/cluster-flags.ts'
import { readInstalledRules } from '../input/installed-rules.ts'
import {
  checkNode,
  localAddresses,
  nodeOf,
  type ProxyValues,
  proxyFlags,
  proxyOptionsOf,
} from '../input/proxy-input.ts'
import { type Output, reportExplained } from '../output.ts'
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
    const input = needsObjects
      ? await readInput(values, output)
      : { objects: [], snapshot: emptySnapshot, problems: [] }
    const { snapshot } = input
    checkNode([snapshot], values)
    const asked = values.node === '' ? { ...values, node: nodeAsked(values, snapshot) } : values
    noteNode(asked, values, snapshot, output)
    for (const place of [values.from, values.to]) noteAssumed(place, snapshot, output)
    notePort(values.to, snapshot, output)
    const packet = packetOf(values, snapshot, nodeOf(snapshot, asked))
    const { family } = packet.destination
    const { value: ruleset, problems } =
      values.rules === ''
        ? rulesOf(snapshot, asked, family)
        : readInstalledRules(await readText(values.rules, output), family, values.rules)
    const machine = { localAddresses: localAddresses(nodeOf(snapshot, asked)) }
    const trace = simulatePacket(ruleset, packet, machine)
    const explanation = explainPacket(trace)
    const arrives = trace.outcomes.every(({ verdict }) => verdict === 'accept')
    const isTranslated = trace.outcomes.some((outcome) => outcome.packet.isDnat)
    const reasons = arrives ? (isTranslated ? [] : unknownPort(snapshot, packet)) : dropReasons(snapshot, asked, packet)
    const ends = trace.outcomes.filter(({ verdict }) => verdict === 'accept').map((one) => one.packet.destination.text)
    const whole = {
      ...explanation,
      steps: [
        ...(explanation.steps ?? []),
        ...(values.rules === '' ? reasons : []),
        ...policyHints(input.objects, snapshot, ends),
      ],
    }
    return reportExplained(output, values.output, whole, [...input.problems, ...problems])
  },
})

// Nodes differ in what is local, which networks they masquerade, and in their addresses.
function noteNode(asked: ProxyValues, given: ProxyValues, snapshot: ClusterSnapshot, output: Output): void {
  if (given.node !== '' || snapshot.nodes.size < (asked.node === '' ? 2 : 1)) return
  const name = nodeOf(snapshot, asked)?.metadata?.name
  output.note(`the rules of node ${name} are asked (--node asks another)\n`)
}

function rulesOf(snapshot: ClusterSnapshot, values: ProxyValues, family: IpFamily): WithProblems<Ruleset> {
  const { ruleset: value, problems } = buildRuleset(snapshot, proxyOptionsOf(snapshot, values, family))
  return { value, problems }
}
