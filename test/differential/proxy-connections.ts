// Real connections beside the simulator: what the library says of a packet must happen behind both proxies.

import type { CaseDriver, CaseFlow, FlowResult } from '@kubewire/iptables-gen/cases'
import { flowName } from '@kubewire/iptables-gen/cases'

/** Why a connection went another way than the library says, or undefined. SCTP is not dialled. */
export async function connectionDifference(
  flow: CaseFlow,
  library: CaseDriver,
  running: { readonly ours: CaseDriver; readonly theirs: CaseDriver },
): Promise<string | undefined> {
  // A process that the node asks on one of its own addresses needs no proxy to answer from another one.
  if (flow.to.protocol === 'SCTP' || flow.to.ip === '127.0.0.1') return undefined
  const wanted = await library.flow(flow)
  const expecting: CaseFlow = { ...flow, expect: { verdict: wanted.verdict, dnat: [...wanted.targets.keys()] } }
  const found = [
    ['kube-proxy', await running.theirs.flow(expecting)],
    ['kube-proxy-ts', await running.ours.flow(expecting)],
  ] as const
  const wrong = found.filter(([, one]) => printFate(one) !== printFate(wanted))
  if (wrong.length === 0) return undefined
  return [
    flowName(flow),
    `- library: ${printFate(wanted)}`,
    ...wrong.map(([name, one]) => `+ ${name}: ${printFate(one)}`),
    wanted.trace,
  ].join('\n')
}

function printFate({ verdict, targets }: FlowResult): string {
  const ways = [...targets].map(([target, isMasqueraded]) => `${target}${isMasqueraded ? ' masqueraded' : ''}`)
  return `${verdict} ${ways.sort().join(', ')}`
}
