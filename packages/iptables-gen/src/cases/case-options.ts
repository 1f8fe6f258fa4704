// What the `config` of a case says about the node. The path from KubeProxyConfiguration to `ProxyOptions` is the
// caller's own.

import { type Cidr, type Ip, parseCidr, parseIp } from '@kubewire/kube-model'
import type { Machine } from '../simulate/packet.ts'
import type { CaseConfig, CaseFlow, Manifest } from './proxy-case.ts'

/** Keys of `config` that are facts about the node, not fields of KubeProxyConfiguration. */
const nodeFacts = new Set(['nodeName', 'nodeIPs', 'localAddresses', 'env'])

/** The KubeProxyConfiguration of a case, before defaults. */
export function configurationOf(config: CaseConfig): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    ...Object.fromEntries(Object.entries(config).filter(([key]) => !nodeFacts.has(key))),
  }
}

/** The families a case looks at. */
export function familiesOf(config: CaseConfig): readonly (4 | 6)[] {
  const texts = [...(config.nodeIPs ?? []), ...(config.clusterCIDR ?? '').split(',')]
  return texts.some((text) => text.includes(':')) ? [4, 6] : [4]
}

/** Addresses that are local on the node. */
export function localAddressesOf(config: CaseConfig): readonly Ip[] {
  const texts = [...(config.nodeIPs ?? []), ...(config.localAddresses ?? []), '127.0.0.1', '::1']
  return texts.flatMap((text) => parseIp(text) ?? [])
}

/** The machine that simulated packets meet. */
export function machineOf(config: CaseConfig): Machine {
  const prefixes = localAddressesOf(config).map((ip) => `${ip.text}/${ip.family === 4 ? 32 : 128}`)
  return { localAddresses: [...prefixes, '127.0.0.0/8'].map((text) => parseCidr(text) as Cidr) }
}

/** The Node object of a case: the one given, else one with the addresses. */
export function nodeOf(config: CaseConfig, cluster: readonly Manifest[]): Manifest {
  const given = cluster.find((object) => object.kind === 'Node' && object.metadata.name === config.nodeName)
  if (given !== undefined) return given
  const addresses = (config.nodeIPs ?? []).map((address) => ({ type: 'InternalIP', address }))
  const metadata = {
    name: config.nodeName ?? 'node-a',
    labels: { 'kubernetes.io/hostname': config.nodeName ?? 'node-a' },
  }
  return { apiVersion: 'v1', kind: 'Node', metadata, status: { addresses } }
}

/** How a flow is called in reports. */
export function flowName(flow: CaseFlow): string {
  const { from, to } = flow
  const target = to.ip.includes(':') ? `[${to.ip}]:${to.port}` : `${to.ip}:${to.port}`
  return `${from.kind} ${from.ip}${from.iface === undefined ? '' : ` (${from.iface})`} -> ${to.protocol} ${target}`
}
