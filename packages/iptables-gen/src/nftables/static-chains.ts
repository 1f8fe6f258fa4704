// Base chains and the chains that every cluster has. Priorities are written as numbers: nft 1.0.6 does not know
// `dstnat` at the output hook. Source: kube-proxy 1.36 pkg/proxy/nftables/proxier.go.

import type { Cidr } from '@kubewire/kube-model'
import { parseCidr } from '@kubewire/kube-model'
import type { LocalDetector } from '../proxy/local-traffic.ts'
import type { NftOptions } from './nft-options.ts'
import type { Condition, Field, NftChain, NftHook, NftRule } from './table.ts'

/** `address . protocol . port`, the key of a front end. */
export const frontEnd: readonly Field[] = ['daddr', 'l4proto', 'dport']
/** `protocol . port`, the key of a node port. */
export const nodePort: readonly Field[] = ['l4proto', 'dport']

/** All chains that do not belong to a service. */
export function staticChains(options: NftOptions): readonly NftChain[] {
  return [...baseChains(), ...checkChains(options), ...natChains(options, 2 ** options.masqueradeBit)]
}

function base(name: string, hook: NftHook, ...rules: readonly NftRule[]): NftChain {
  return { name, hook, rules }
}

function jump(chain: string, ...when: readonly Condition[]): NftRule {
  return { when, action: { kind: 'verdict', verdict: { kind: 'jump', chain } } }
}

const isNew: Condition = { kind: 'new-connection' }

function baseChains(): readonly NftChain[] {
  const filter = (hook: NftHook['hook'], priority = 0): NftHook => ({ type: 'filter', hook, priority })
  const nat = (hook: NftHook['hook'], priority: number): NftHook => ({ type: 'nat', hook, priority })
  const services = jump('service-endpoints-check', isNew)
  const clusterIps = jump('cluster-ips-check', isNew)
  return [
    // Source ranges are checked on untranslated packets.
    base('filter-prerouting-pre-dnat', filter('prerouting', -110), jump('firewall-check', isNew)),
    base('filter-output-pre-dnat', filter('output', -110), jump('firewall-check', isNew)),
    base('filter-input', filter('input'), jump('nodeport-endpoints-check', isNew), services),
    base('filter-forward', filter('forward'), services, clusterIps),
    base('filter-output', filter('output'), services, clusterIps),
    base('nat-prerouting', nat('prerouting', -100), jump('services')),
    base('nat-output', nat('output', -100), jump('services')),
    base('nat-postrouting', nat('postrouting', 100), jump('masquerading')),
  ]
}

function checkChains(options: NftOptions): readonly NftChain[] {
  const toClusterIp: Condition = { kind: 'in-set', fields: ['daddr'], set: 'cluster-ips' }
  const unallocated = options.serviceCidrs.map(
    (cidr): NftRule => ({
      when: [{ kind: 'address', field: 'daddr', cidr }],
      action: { kind: 'verdict', verdict: { kind: 'drop' } },
      comment: 'Drop traffic to unallocated ClusterIPs',
    }),
  )
  const wrongPort: NftRule = {
    when: [toClusterIp],
    action: { kind: 'reject' },
    comment: 'Reject traffic to invalid ports of ClusterIPs',
  }
  return [
    { name: 'cluster-ips-check', rules: [wrongPort, ...unallocated] },
    { name: 'reject-chain', rules: [{ when: [], action: { kind: 'reject' } }] },
    { name: 'service-endpoints-check', rules: [lookUp(frontEnd, 'no-endpoint-services')] },
    {
      name: 'nodeport-endpoints-check',
      rules: [lookUp(nodePort, 'no-endpoint-nodeports', servesNodePorts(options))],
    },
    { name: 'firewall-check', rules: [lookUp(frontEnd, 'firewall-ips')] },
  ]
}

function natChains(options: NftOptions, mark: number): readonly NftChain[] {
  const isLocal: readonly Condition[] =
    options.nodePortAddresses.kind === 'all' ? [{ kind: 'local-address', field: 'daddr' }] : []
  const services = [
    ...clusterIpMasquerade(options, mark),
    lookUp(frontEnd, 'service-ips'),
    lookUp(nodePort, 'service-nodeports', ...isLocal, servesNodePorts(options)),
  ]
  const hairpin: Condition = {
    kind: 'in-set',
    fields: ['saddr', 'daddr', 'l4proto', 'dport'],
    set: 'hairpin-connections',
  }
  const masquerading: readonly NftRule[] = [
    { when: [{ kind: 'marked', mark }], action: { kind: 'masquerade', clears: mark } },
    { when: [{ kind: 'translated' }, hairpin], action: { kind: 'masquerade' } },
  ]
  return [
    { name: 'services', rules: services },
    { name: 'masquerading', rules: masquerading },
  ]
}

function clusterIpMasquerade({ masqueradeAll, detector }: NftOptions, mark: number): readonly NftRule[] {
  if (!masqueradeAll && detector === undefined) return []
  const toClusterIp: Condition = { kind: 'in-set', fields: ['daddr'], set: 'cluster-ips' }
  const notLocal = masqueradeAll || detector === undefined ? [] : [notLocalTraffic(detector)]
  const comment = masqueradeAll
    ? 'masquerade all clusterIP traffic'
    : 'masquerade clusterIP traffic from outside cluster'
  return [{ when: [toClusterIp, ...notLocal], action: { kind: 'mark', mark }, comment }]
}

function lookUp(fields: readonly Field[], map: string, ...when: readonly Condition[]): NftRule {
  return { when, action: { kind: 'vmap', fields, map } }
}

const loopback = { 4: parseCidr('127.0.0.0/8') as Cidr, 6: parseCidr('::1/128') as Cidr } as const

function servesNodePorts({ nodePortAddresses, family }: NftOptions): Condition {
  return nodePortAddresses.kind === 'all'
    ? { kind: 'address', field: 'daddr', isNegated: true, cidr: loopback[family] }
    : { kind: 'in-set', fields: ['daddr'], set: 'nodeport-ips' }
}

/** The condition that holds for pod traffic. */
export function localTraffic(detector: LocalDetector): Condition {
  return detector.kind === 'cidr'
    ? { kind: 'address', field: 'saddr', cidr: detector.cidr }
    : { kind: 'in-interface', name: interfaceName(detector.name) }
}

function notLocalTraffic(detector: LocalDetector): Condition {
  return detector.kind === 'cidr'
    ? { kind: 'address', field: 'saddr', isNegated: true, cidr: detector.cidr }
    : { kind: 'in-interface', isNegated: true, name: interfaceName(detector.name) }
}

// iptables writes a prefix with `+`, nftables with `*`.
function interfaceName(name: string): string {
  return name.replace(/\+$/, '*')
}
