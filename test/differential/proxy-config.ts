// Random but legal configurations of the proxy and the node that goes with them.

import type { CaseConfig, Manifest } from '@kubewire/iptables-gen/cases'
import type { Seeded } from './seeded.ts'

/** Families of a cluster; the first is primary. */
export type Stack = readonly ('IPv4' | 'IPv6')[]

export const zones = ['z1', 'z2', 'z3']

const nodeIps = { IPv4: '192.168.50.11', IPv6: 'fd00:50::11' } as const

/** One family or both, either first. */
export function randomStack(random: Seeded): Stack {
  const stacks: readonly Stack[] = [['IPv4'], ['IPv4'], ['IPv4'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4'], ['IPv6']]
  return random.pick(stacks)
}

/** A configuration; `mode` is `iptables` or `nftables`. */
export function randomConfig(random: Seeded, mode: string, stack: Stack): CaseConfig {
  const section = {
    minSyncPeriod: '1s',
    masqueradeAll: random.chance(0.2),
    masqueradeBit: random.pick([0, 14, 14, 14, 31]),
    ...(mode === 'iptables' ? { localhostNodePorts: random.chance(0.7) } : {}),
  }
  const addresses = random.pick(nodePortLists)
  const bindAddress = random.chance(0.1) && stack.includes('IPv4') ? { bindAddress: '192.168.60.11' } : {}
  return {
    nodeName: 'node-a',
    nodeIPs: stack.map((family) => nodeIps[family]),
    localAddresses: ['192.168.60.11'],
    mode,
    [mode]: section,
    ...randomDetector(random, stack),
    ...bindAddress,
    ...(addresses === undefined ? {} : { nodePortAddresses: addresses }),
    ...(random.chance(0.2) ? { env: { tcpBeLiberal: true } } : {}),
  }
}

const nodePortLists: readonly (readonly string[] | undefined)[] = [
  undefined,
  undefined,
  ['primary'],
  ['all'],
  ['localhost'],
  ['primary', '192.168.60.0/24'],
  ['localhost', 'primary'],
  ['192.168.60.0/24'],
  ['127.0.0.0/8', '192.168.50.0/24'],
  ['0.0.0.0/0'],
  ['fd00:50::/64'],
  ['fd00:50::/64', '192.168.50.0/24'],
  ['203.0.113.0/24'],
]

function randomDetector(random: Seeded, stack: Stack): Readonly<Record<string, unknown>> {
  const cidrs = stack.map((family) => (family === 'IPv4' ? '10.244.0.0/16' : 'fd00:244::/56'))
  return random.pick<Readonly<Record<string, unknown>>>([
    { clusterCIDR: cidrs.join(',') },
    { clusterCIDR: cidrs[0] },
    { clusterCIDR: stack.includes('IPv4') ? '10.244.77.1/16' : 'fd00:244::77/56' },
    { detectLocalMode: 'BridgeInterface', detectLocal: { bridgeInterface: 'cni0' } },
    { detectLocalMode: 'InterfaceNamePrefix', detectLocal: { interfaceNamePrefix: 'cni' } },
    { detectLocalMode: 'NodeCIDR' },
    {},
  ])
}

/** The Node object; its zone is drawn anew each time. */
export function randomNode(random: Seeded, stack: Stack): Manifest {
  const labels = random.chance(0.7) ? { 'topology.kubernetes.io/zone': random.pick(zones) } : {}
  const addresses = stack.map((family) => ({ type: 'InternalIP', address: nodeIps[family] }))
  const podCIDRs = stack.map((family) => (family === 'IPv4' ? '10.244.1.0/24' : 'fd00:244:0:1::/64'))
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-a', labels },
    spec: { podCIDR: podCIDRs[0], podCIDRs },
    status: { addresses },
  } as unknown as Manifest
}
