// A DNS server over objects, with no network: the Corefile that the cluster holds, or that of kubeadm.
// Pure: the commands and the browser page start it alike.

import { createDnsServer, type DnsServer, type Listener, plainPorts } from '@kubewire/dns-core'
import { noSurroundings, serverPlans } from '@kubewire/dns-core/corefile'
import { type ClusterSnapshot, type Problem, serviceNameLabel } from '@kubewire/kube-model'
import { InputError, UsageError } from '../exit-code.ts'

/** A Corefile and what to call it. */
export interface Corefile {
  readonly text: string
  readonly fileName: string
}

/** A server made of a Corefile and objects. */
export interface ClusterDns {
  readonly server: DnsServer
  readonly problems: readonly Problem[]
}

/** The Corefile of ConfigMap `kube-system/coredns`, else that of kubeadm. */
export function corefileOf(snapshot: ClusterSnapshot): Corefile {
  const mounted = snapshot.configMaps.get('coredns', 'kube-system')?.data?.['Corefile']
  if (mounted !== undefined) return { text: mounted, fileName: 'ConfigMap kube-system/coredns' }
  return { text: kubeadmCorefile, fileName: 'the Corefile of kubeadm' }
}

/**
 * Starts the plugins of a Corefile over the snapshot.
 *
 * @throws InputError when it cannot be used, with every problem
 */
export function startClusterDns(snapshot: ClusterSnapshot, { text, fileName }: Corefile): ClusterDns {
  const { value: plans, problems } = serverPlans(text, {
    fileName,
    root: '',
    defaultPort: 53,
    surroundings: noSurroundings,
  })
  const errors = problems.filter((problem) => problem.severity === 'error')
  if (errors.length > 0) throw new InputError(`${fileName}: ${errors.map(({ message }) => message).join('; ')}`)
  const ports = plainPorts({ snapshot, localAddresses: ownAddresses(snapshot) })
  return { server: createDnsServer(plans, ports), problems }
}

/** Addresses of the pods behind the DNS Service of the cluster: CoreDNS names itself as server of its zones by them. */
function ownAddresses({ endpointSlices }: ClusterSnapshot): readonly string[] {
  const own = [...endpointSlices].filter(
    ({ metadata }) => metadata?.namespace === 'kube-system' && metadata.labels?.[serviceNameLabel] === 'kube-dns',
  )
  return own.flatMap(({ endpoints = [] }) => endpoints.flatMap(({ addresses = [] }) => addresses))
}

/**
 * The listener for plain DNS.
 *
 * @throws UsageError when no block of the Corefile listens for it
 */
export function plainListener(server: DnsServer): Listener {
  const listener = server.listeners.find(({ scheme }) => scheme === 'dns')
  if (listener === undefined) throw new UsageError('expected a Corefile with a block that listens for plain DNS')
  return listener
}

// What kubeadm writes. The way out is never taken: nothing here has a network.
const kubeadmCorefile = `.:53 {
    errors
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
        ttl 30
    }
    forward . /etc/resolv.conf
    cache 30
    loadbalance
}
`
