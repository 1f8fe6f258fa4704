// Names of kube-proxy's chains. The hashed ones are stable across restarts and nodes; no other file makes them.

import { hashName, type TextDigest } from './hash.ts'

/** Chains that exist once; the same name may occur in two tables. */
export const chainNames = {
  services: 'KUBE-SERVICES',
  externalServices: 'KUBE-EXTERNAL-SERVICES',
  nodePorts: 'KUBE-NODEPORTS',
  postrouting: 'KUBE-POSTROUTING',
  markMasq: 'KUBE-MARK-MASQ',
  forward: 'KUBE-FORWARD',
  proxyFirewall: 'KUBE-PROXY-FIREWALL',
  firewall: 'KUBE-FIREWALL',
  canary: 'KUBE-PROXY-CANARY',
} as const

/** The four chains of a service port; they share one hash. */
export interface ServiceChains {
  /** KUBE-SVC-…: dispatch over the endpoints of policy Cluster. */
  readonly cluster: string
  /** KUBE-SVL-…: dispatch over local endpoints. */
  readonly local: string
  /** KUBE-EXT-…: what external front ends do first. */
  readonly external: string
  /** KUBE-FW-…: source ranges. */
  readonly firewall: string
}

/**
 * Chains of a service port.
 *
 * @param servicePort - `namespace/name`, with `:port` when the port has a name
 * @param protocol - any case; lower case is hashed
 * @see kube-proxy pkg/proxy/iptables/proxier.go, portProtoHash
 */
export function serviceChains(servicePort: string, protocol: string): ServiceChains {
  const hash = servicePortHash(servicePort, protocol)
  return {
    cluster: clusterChain(hash),
    local: localChain(hash),
    external: externalChain(hash),
    firewall: firewallChain(hash),
  }
}

/** What the names of a service port's chains end with. */
export function servicePortHash(servicePort: string, protocol: string, digest?: TextDigest): string {
  return hashName(servicePort + protocol.toLowerCase(), 16, digest)
}

/** KUBE-SVC of a service port's hash. */
export function clusterChain(hash: string): string {
  return `KUBE-SVC-${hash}`
}

/** KUBE-SVL of a service port's hash. */
export function localChain(hash: string): string {
  return `KUBE-SVL-${hash}`
}

/** KUBE-EXT of a service port's hash. */
export function externalChain(hash: string): string {
  return `KUBE-EXT-${hash}`
}

/** KUBE-FW of a service port's hash. */
export function firewallChain(hash: string): string {
  return `KUBE-FW-${hash}`
}

/** The chain of one endpoint of a service port; `endpoint` is `ip:port`, `[ip]:port` for IPv6. */
export function endpointChain(servicePort: string, protocol: string, endpoint: string, digest?: TextDigest): string {
  return endpointNamer(servicePort, protocol, digest)(endpoint)
}

/** The same for many endpoints of one service port. */
export function endpointNamer(
  servicePort: string,
  protocol: string,
  digest?: TextDigest,
): (endpoint: string) => string {
  const start = servicePort + protocol.toLowerCase()
  return (endpoint) => `KUBE-SEP-${hashName(start + endpoint, 16, digest)}`
}

const hashed = /^KUBE-(?:SVC|SVL|EXT|FW|SEP)-/

/** Whether a nat chain is one of those that belong to a service port. */
export function isHashedChain(name: string): boolean {
  return hashed.test(name)
}

const single: ReadonlySet<string> = new Set(Object.values(chainNames))

/** Whether a chain is written by kube-proxy; KUBE-FIREWALL and everything of the kubelet is not counted. */
export function isProxyChain(name: string): boolean {
  return isHashedChain(name) || (single.has(name) && name !== chainNames.firewall)
}

const dispatch: ReadonlySet<string> = new Set([
  `nat ${chainNames.services}`,
  `nat ${chainNames.nodePorts}`,
  `filter ${chainNames.services}`,
  `filter ${chainNames.externalServices}`,
  `filter ${chainNames.nodePorts}`,
  `filter ${chainNames.proxyFirewall}`,
])

/** Whether a chain holds rules of all services, whose order among each other is free. */
export function isDispatchChain(table: string, name: string): boolean {
  return dispatch.has(`${table} ${name}`)
}
