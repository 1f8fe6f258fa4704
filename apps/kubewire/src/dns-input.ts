// What the dns commands share: the Corefile, and a server over the objects that needs no network.

import { createDnsServer, type DnsServer, type ListedZone, listClusterZones, plainPorts } from '@kubewire/dns-core'
import { noSurroundings, serverPlans } from '@kubewire/dns-core/corefile'
import type { ClusterSnapshot, Problem } from '@kubewire/kube-model'
import { InputError } from './exit-code.ts'
import type { Output } from './output.ts'
import { readText } from './read-input.ts'

/** The flags of every dns command. */
export const dnsFlags = {
  corefile: {
    kind: 'string',
    default: '',
    help: 'the Corefile; default: the one in ConfigMap kube-system/coredns, else that of kubeadm',
  },
} as const

/** A server made of a Corefile and objects. */
export interface DnsInput {
  readonly server: DnsServer
  readonly problems: readonly Problem[]
}

/**
 * Reads the Corefile and starts its plugins over the snapshot.
 *
 * @throws InputError when it cannot be used, with every problem
 */
export async function dnsInput(
  snapshot: ClusterSnapshot,
  values: { readonly corefile: string },
  output: Output,
): Promise<DnsInput> {
  const { text, fileName } = await corefileOf(snapshot, values.corefile, output)
  const { value: plans, problems } = serverPlans(text, {
    fileName,
    root: '',
    defaultPort: 53,
    surroundings: noSurroundings,
  })
  const errors = problems.filter((problem) => problem.severity === 'error')
  if (errors.length > 0) throw new InputError(`${fileName}: ${errors.map(({ message }) => message).join('; ')}`)
  return { server: createDnsServer(plans, plainPorts({ snapshot })), problems }
}

/** The zones that people mean: names, not the reverse trees that hold the same objects once more. */
export function forwardZones(server: DnsServer): readonly ListedZone[] {
  return listClusterZones(server).filter(({ zone }) => !/(?:^|\.)(?:in-addr|ip6)\.arpa\.$/.test(zone))
}

async function corefileOf(
  snapshot: ClusterSnapshot,
  path: string,
  output: Output,
): Promise<{ readonly text: string; readonly fileName: string }> {
  if (path !== '') return { text: await readText(path, output), fileName: path }
  const mounted = snapshot.configMaps.get('coredns', 'kube-system')?.data?.['Corefile']
  if (mounted !== undefined) return { text: mounted, fileName: 'ConfigMap kube-system/coredns' }
  return { text: kubeadmCorefile, fileName: 'the Corefile of kubeadm' }
}

// What kubeadm writes, without the way out: an offline command has none.
const kubeadmCorefile = `.:53 {
    errors
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
        ttl 30
    }
    cache 30
    loadbalance
}
`
