// chain-names, rule-counts, conntrack-sysctls, node-ip-detection, node-port-address-resolution: tables of one function.

import {
  buildRuleset,
  countRules,
  endpointChain,
  nodePortAddresses,
  proxyOptions,
  serviceChains,
} from '@kubewire/iptables-gen'
import { type Ip, type KubeObject, parseCidr, parseGoDuration, parseIp, snapshotOf } from '@kubewire/kube-model'
import { withDefaults } from '../../../../apps/kube-proxy-ts/src/config/defaults.ts'
import { detectNodeIps, nodeAddresses } from '../../../../apps/kube-proxy-ts/src/config/node-ips.ts'
import { conntrackSettings } from '../../../../apps/kube-proxy-ts/src/kernel/sysctls.ts'
import type { Checks } from './check.ts'
import { pick } from './check.ts'

type Row = Readonly<Record<string, unknown>>

export function chainNamesCase(data: Row, checks: Checks): void {
  for (const [i, row] of (data['names'] as Row[]).entries()) {
    const port = String(row['servicePort'])
    const protocol = String(row['protocol'])
    const { cluster, local, external, firewall } = serviceChains(port, protocol)
    checks.equal(`names[${i}] chains`, row['chains'], { SVC: cluster, SVL: local, EXT: external, FW: firewall })
    if (row['endpoint'] !== undefined)
      checks.equal(`names[${i}] endpoint`, row['endpointChain'], endpointChain(port, protocol, String(row['endpoint'])))
  }
}

export function ruleCountsCase(data: Row, checks: Checks): void {
  for (const [i, row] of (data['cases'] as Row[]).entries()) {
    const objects = Array.from({ length: Number(row['services']) }, (_, n) =>
      countedService(n, Number(row['endpointsPerService']), row['loadBalancer'] === true),
    ).flat()
    const options = proxyOptions({
      family: 4,
      nodeName: 'node-a',
      nodeIp: parseIp('192.168.50.11') as Ip,
      detector: { kind: 'cidr', cidr: parseCidr('10.244.0.0/16') as never },
    })
    const { tables } = buildRuleset(snapshotOf(objects), options).ruleset
    checks.equal(`cases[${i}]`, row['expect'], { filter: countRules(tables.filter), nat: countRules(tables.nat) })
  }
}

function countedService(n: number, endpoints: number, isLoadBalancer: boolean): readonly KubeObject[] {
  const name = `s${n}`
  const extra = isLoadBalancer
    ? { type: 'LoadBalancer', externalIPs: [`198.18.1.${n + 1}`], loadBalancerSourceRanges: ['203.0.113.0/24'] }
    : { type: 'ClusterIP' }
  const port = { name: 'http', port: 80, protocol: 'TCP', ...(isLoadBalancer ? { nodePort: 30_000 + n } : {}) }
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'count', name },
    spec: { clusterIP: `10.96.20.${n + 1}`, ports: [port], ...extra },
    ...(isLoadBalancer ? { status: { loadBalancer: { ingress: [{ ip: `198.51.100.${n + 1}` }] } } } : {}),
  }
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: 'count', name, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: Array.from({ length: endpoints }, (_, e) => ({ addresses: [`10.244.${n}.${e + 1}`] })),
  }
  return [service, slice]
}

export function conntrackSysctlsCase(data: Row, checks: Checks): void {
  for (const [i, row] of (data['cases'] as Row[]).entries()) {
    const given = Object.entries(row['conntrack'] as Row).map(
      ([key, value]) =>
        [`conntrack.${key}`, typeof value === 'string' ? (parseGoDuration(value) ?? 0) : (value as number)] as const,
    )
    // What the row does not name is off: the rows say which settings are written, not the defaults.
    const off = new Map<string, number | boolean>([
      ['conntrack.tcpEstablishedTimeout', 0],
      ['conntrack.tcpCloseWaitTimeout', 0],
      ...given,
    ])
    const { conntrack } = withDefaults(off)
    checks.equal(`cases[${i}]`, row['sets'], conntrackSettings(conntrack, Number(row['cpus'])))
  }
}

export function nodeIpCase(data: Row, checks: Checks): void {
  for (const [i, row] of (data['cases'] as Row[]).entries()) {
    const addresses = (row['nodeAddresses'] as string[]).map((address) => ({ type: 'InternalIP', address }))
    const found = detectNodeIps(nodeAddresses({ status: { addresses } }), String(row['bindAddress']))
    const answer = {
      primaryFamily: found.primaryFamily === 4 ? 'IPv4' : 'IPv6',
      IPv4: found.v4.text,
      IPv6: found.v6.text,
    }
    checks.equal(`cases[${i}]`, row['expect'], pick(row['expect'], answer))
  }
}

export function nodePortAddressCase(data: Row, checks: Checks): void {
  for (const [i, row] of (data['cases'] as Row[]).entries()) {
    const local = (row['interfaceAddresses'] as string[]).map((text) => parseIp(text) as Ip)
    for (const [name, wanted] of Object.entries(row['expect'] as Row)) {
      const family = name === 'IPv4' ? 4 : 6
      const { addresses, includesLoopback } = nodePortAddresses(row['nodePortAddresses'] as string[], family, [], local)
      const answer = {
        matchAll: addresses.kind === 'all',
        ips: addresses.kind === 'all' ? [] : addresses.addresses.map((ip) => ip.text),
        loopback: includesLoopback,
      }
      checks.equal(`cases[${i}] ${name}`, wanted, pick(wanted, answer))
    }
  }
}
