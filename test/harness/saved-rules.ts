// What iptables-save tells of the rules of a proxy, and what it would tell of rules rendered from nothing.

import { buildRuleset, type ProxySnapshot, printSave, proxyOptions } from '@kubewire/iptables-gen'
import { parseCidr, parseIp } from '@kubewire/kube-model'

/** Chains and rules of a saved text, sorted, without counters; the canaries are the daemon's own affair. */
export function rulesOf(saved: string): readonly string[] {
  return saved
    .split('\n')
    .filter((line) => /^(?:-A |:KUBE-)/.test(line) && !line.includes('KUBE-PROXY-CANARY'))
    .map((line) => line.replace(/ \[[0-9]+:[0-9]+\]$/, '').replaceAll(/ {2,}/g, ' '))
    .sort()
}

/** The node whose rules are rendered; pods of the cluster are in 10.244.0.0/16. */
export interface RenderedNode {
  readonly nodeName: string
  readonly address: string
}

/** The same lines for these objects. Whether the kernel counts named objects is taken from what is saved there. */
export function renderedRules(
  snapshot: ProxySnapshot,
  { nodeName, address }: RenderedNode,
  saved: string,
): readonly string[] {
  const [cidr, nodeIp] = [parseCidr('10.244.0.0/16'), parseIp(address)]
  if (cidr === undefined || nodeIp === undefined) throw new Error('an address does not parse')
  const detector = { kind: 'cidr', cidr } as const
  const options = proxyOptions({ family: 4, nodeName, nodeIp, detector, nfacct: saved.includes('--nfacct-name') })
  return rulesOf(printSave(buildRuleset(snapshot, options).ruleset))
}
