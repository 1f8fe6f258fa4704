// Everything that kube-proxy's configuration and node decide about rules, for one address family.
// Defaults are those of an empty KubeProxyConfiguration (kubeproxy.config.k8s.io/v1alpha1).

import type { Ip, IpFamily } from '@kubewire/kube-model'
import type { TextDigest } from './hash.ts'
import type { LocalDetector } from './local-traffic.ts'
import type { NodePortAddresses } from './node-addresses.ts'

/** Options of the generator; `proxyOptions` fills in the defaults. */
export interface ProxyOptions {
  readonly family: IpFamily
  /** This node's name: endpoints with this `nodeName` are local. */
  readonly nodeName: string
  /** Value of the node label `topology.kubernetes.io/zone`. */
  readonly zone?: string
  /** The node's own address in this family; used for source ranges only. */
  readonly nodeIp?: Ip
  /** Bit of the packet mark, 0 to 31; 14 unless given. */
  readonly masqueradeBit: number
  /** Masquerade everything sent to a cluster IP; false unless given. */
  readonly masqueradeAll: boolean
  /** Recognises pod traffic; absent: nothing is recognised. */
  readonly detector?: LocalDetector
  /** Addresses that serve node ports; all unless given. */
  readonly nodePortAddresses: NodePortAddresses
  /** Node ports answer on 127.0.0.0/8 (IPv4 only); true for IPv4 unless given. */
  readonly localhostNodePorts: boolean
  /** Drop packets that connection tracking calls INVALID; true unless `nf_conntrack_tcp_be_liberal` is set. */
  readonly dropsInvalid: boolean
  /** The kernel counts named objects (nfacct); false unless given. */
  readonly nfacct: boolean
  /** Feature gate AllowServiceExternalIPs; true unless given. */
  readonly allowsExternalIps: boolean
  /** Above this number of endpoints comments are left out; 1000. */
  readonly largeClusterEndpoints: number
  /** What hashes the names of chains; one in plain TypeScript unless given. */
  readonly digest?: TextDigest
}

/** Options with defaults; only family and node name have none. */
export function proxyOptions(given: Partial<ProxyOptions> & Pick<ProxyOptions, 'family' | 'nodeName'>): ProxyOptions {
  const defaults = {
    masqueradeBit: 14,
    masqueradeAll: false,
    nodePortAddresses: { kind: 'all' },
    localhostNodePorts: true,
    dropsInvalid: true,
    nfacct: false,
    allowsExternalIps: true,
    largeClusterEndpoints: 1000,
  } as const
  const options = { ...defaults, ...given }
  // Localhost node ports exist for IPv4 only, whatever the configuration says (kube-proxy server_linux.go).
  return options.family === 6 ? { ...options, localhostNodePorts: false } : options
}
