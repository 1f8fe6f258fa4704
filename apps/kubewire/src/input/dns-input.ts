// What the dns commands share: the Corefile, and a server over the objects that needs no network.

import { type DnsServer, type ListedZone, listClusterZones } from '@kubewire/dns-core'
import type { ClusterSnapshot } from '@kubewire/kube-model'
import type { Output } from '../output.ts'
import { readText } from '../read-input.ts'
import { type ClusterDns, corefileOf, startClusterDns } from './cluster-dns.ts'

/** The flags of every dns command. */
export const dnsFlags = {
  corefile: {
    kind: 'string',
    default: '',
    help: 'the Corefile; default: the one in ConfigMap kube-system/coredns, else that of kubeadm',
  },
} as const

/**
 * Reads the Corefile and starts its plugins over the snapshot.
 *
 * @throws InputError when it cannot be used, with every problem
 */
export async function dnsInput(
  snapshot: ClusterSnapshot,
  values: { readonly corefile: string },
  output: Output,
): Promise<ClusterDns> {
  const path = values.corefile
  const corefile = path === '' ? corefileOf(snapshot) : { text: await readText(path, output), fileName: path }
  return startClusterDns(snapshot, corefile)
}

/** The zones that people mean: names, not the reverse trees that hold the same objects once more. */
export function forwardZones(server: DnsServer): readonly ListedZone[] {
  return listClusterZones(server).filter(({ zone }) => !/(?:^|\.)(?:in-addr|ip6)\.arpa\.$/.test(zone))
}
