// The demo cluster on paper: names, networks, addresses and ports. Everything else in this folder reads them here.
//
//   outside (two clients) ── 192.0.2.0/24 ── node (rules) ──┬─ 10.244.255.0/30 ── pods (endpoints, DNS, nginx)
//                                                           └─ 10.244.255.4/30 ── client (the pod `toolbox`)

/** What one demo uses; two demos differ by name. */
export interface DemoPlan {
  /** Prefix of the namespaces: `kubewire-node`. */
  readonly name: string
  readonly namespaces: { readonly [K in DemoNamespace]: string }
  /** Where the demo keeps its files: configuration, certificates, logs, kubeconfig. */
  readonly stateFolder: string
}

/** The four network namespaces. */
export type DemoNamespace = 'node' | 'pods' | 'client' | 'outside'

/** The demo called `name` (letters, digits, dashes; short, as device names derive from it). */
export function planDemo(name: string): DemoPlan {
  const of = (part: DemoNamespace): string => `${name}-${part}`
  return {
    name,
    namespaces: { node: of('node'), pods: of('pods'), client: of('client'), outside: of('outside') },
    stateFolder: `/run/kubewire/${name}`,
  }
}

/** Node, clients and the networks between them. Node addresses are those of `examples/shop`. */
export const demoNetwork = {
  nodeName: 'node-1',
  node: ['192.0.2.11/24', '2001:db8::11/64'],
  /** The second address lies in another network, for rules that tell clients apart. */
  outside: ['192.0.2.99/24', '2001:db8::99/64'],
  outsideSecond: '198.51.100.7',
  /** The pod `toolbox` of `examples/shop`. */
  client: ['10.244.1.200', 'fd00:10:244:1::200'],
  podNetworks: ['10.244.0.0/16', 'fd00:10:244::/48'],
  serviceNetworks: ['10.96.0.0/16', 'fd00:10:96::/112'],
  /** Addresses of load balancers, routed to the node by the outside world. */
  loadBalancers: ['203.0.113.0/24'],
  dnsService: '10.96.0.10',
  dnsPod: '10.244.1.53',
  ingressPod: '10.244.1.80',
  ingressAddress: '203.0.113.10',
  /** Where programs inside the namespaces find the API server: an address of the node. */
  apiAddress: '192.0.2.11',
  apiPort: 6443,
} as const

/** The links between namespaces: device names and transfer addresses of both ends. */
export const demoLinks = {
  pods: {
    nodeDevice: 'to-pods',
    nodeAddresses: ['10.244.255.1/30', 'fd00:10:244:ff::1/126'],
    device: 'to-node',
    addresses: ['10.244.255.2/30', 'fd00:10:244:ff::2/126'],
  },
  client: {
    nodeDevice: 'to-client',
    nodeAddresses: ['10.244.255.5/30', 'fd00:10:244:ff::5/126'],
    device: 'to-node',
    addresses: ['10.244.255.6/30', 'fd00:10:244:ff::6/126'],
  },
  outside: {
    nodeDevice: 'to-outside',
    nodeAddresses: ['192.0.2.11/24', '2001:db8::11/64'],
    device: 'to-node',
    addresses: ['192.0.2.99/24', '2001:db8::99/64'],
  },
} as const
