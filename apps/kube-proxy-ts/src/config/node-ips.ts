// Addresses of this node and its primary family. Source: kube-proxy 1.36 cmd/kube-proxy/app/server.go, detectNodeIPs.

import { type Ip, type IpFamily, type Node, parseIp, parseIpSloppy } from '@kubewire/kube-model'

/** The node's address in each family; a family without one has its loopback address. */
export interface NodeIps {
  readonly primaryFamily: IpFamily
  readonly v4: Ip
  readonly v6: Ip
}

const placeholders = { 4: parseIp('127.0.0.1') as Ip, 6: parseIp('::1') as Ip } as const

/** Addresses of a Node in the order in which they are considered: InternalIPs, else ExternalIPs. */
export function nodeAddresses(node: Node | undefined): readonly Ip[] {
  const all = node?.status?.addresses ?? []
  const ofType = (type: string): readonly Ip[] =>
    all.filter((entry) => entry.type === type).flatMap(({ address }) => parseIpSloppy(address) ?? [])
  const [first, ...others] = [...ofType('InternalIP'), ...ofType('ExternalIP')]
  if (first === undefined) return []
  const second = others.find((ip) => ip.family !== first.family)
  return second === undefined ? [first] : [first, second]
}

/** Node addresses by family; a specific bind address replaces that of its family and makes it primary. */
export function detectNodeIps(addresses: readonly Ip[], bindAddress: string): NodeIps {
  const found = (family: IpFamily): Ip => addresses.find((ip) => ip.family === family) ?? placeholders[family]
  const detected: NodeIps = { primaryFamily: addresses[0]?.family ?? 4, v4: found(4), v6: found(6) }
  const bind = parseIpSloppy(bindAddress)
  if (bind === undefined || bind.value === 0n) return detected
  return bind.family === 4 ? { ...detected, primaryFamily: 4, v4: bind } : { ...detected, primaryFamily: 6, v6: bind }
}
