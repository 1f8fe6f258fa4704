// What nftables mode does with packets, by rows; and how it differs from iptables mode.

import { type Cidr, type Ip, joinHostPort, parseCidr, parseIp, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { buildRuleset } from '../proxy/build-ruleset.ts'
import { proxyOptions } from '../proxy/options.ts'
import { buildNftTable } from './build-table.ts'
import { listNftTable } from './list-table.ts'
import { planNftLoad } from './plan-load.ts'
import { simulateNftPacket } from './simulate.ts'

const here = (address: string) => ({ addresses: [address], nodeName: 'edge-1' })
const there = (address: string) => ({ addresses: [address], nodeName: 'edge-2' })
const objects = [
  service('shop/web', { clusterIP: '10.96.4.4' }),
  endpointSlice('shop/web', [here('10.244.1.5'), there('10.244.2.7')]),
  service(
    'shop/edge',
    {
      type: 'LoadBalancer',
      clusterIP: '10.96.4.6',
      externalTrafficPolicy: 'Local',
      loadBalancerSourceRanges: ['203.0.113.0/24'],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30_080 }],
    },
    { status: { loadBalancer: { ingress: [{ ip: '198.51.100.80' }] } } },
  ),
  endpointSlice('shop/edge', [here('10.244.1.6'), there('10.244.2.6')]),
  service('shop/gone', { clusterIP: '10.96.4.8' }),
  service('shop/sticky', { clusterIP: '10.96.4.9', sessionAffinity: 'ClientIP' }),
  endpointSlice('shop/sticky', [here('10.244.1.9'), there('10.244.2.9')]),
]
const options = {
  ...proxyOptions({
    family: 4,
    nodeName: 'edge-1',
    detector: { kind: 'cidr', cidr: parseCidr('10.244.0.0/16') as Cidr },
    nodePortAddresses: { kind: 'some', addresses: [parseIp('192.0.2.11') as Ip] },
  }),
  serviceCidrs: [parseCidr('10.96.0.0/12') as Cidr],
}
const { ports } = buildRuleset(snapshotOf(objects), options)
const table = buildNftTable(ports, options)
const machine = { localAddresses: [parseCidr('192.0.2.11/32') as Cidr, parseCidr('127.0.0.0/8') as Cidr] }

function lands(from: string, to: string): string {
  const [address = '', port] = to.split(':')
  const outcomes = simulateNftPacket(
    table,
    {
      entry: from === '192.0.2.11' ? 'local' : 'arriving',
      protocol: 'tcp',
      source: parseIp(from) as Ip,
      destination: parseIp(address) as Ip,
      destinationPort: Number(port),
      inInterface: 'eth0',
    },
    machine,
  )
  const places = outcomes.map(({ verdict, packet }) => {
    if (verdict !== 'accept') return verdict
    if (!packet.isDnat) return 'untouched'
    return `${joinHostPort(packet.destination.text, packet.destinationPort ?? 0)}${packet.isSnat ? ' masqueraded' : ''}`
  })
  return [...new Set(places)].sort().join(', ')
}

describe('nftables mode', () => {
  it.each([
    [
      '10.244.1.3',
      '10.96.4.4:80',
      '10.244.1.5:8080, 10.244.2.7:8080',
      'a pod reaches every endpoint with its own address',
    ],
    [
      '203.0.113.9',
      '10.96.4.4:80',
      '10.244.1.5:8080 masqueraded, 10.244.2.7:8080 masqueraded',
      'outside traffic to a cluster IP is masqueraded',
    ],
    [
      '10.244.1.5',
      '10.96.4.4:80',
      '10.244.1.5:8080 masqueraded, 10.244.2.7:8080',
      'a pod that reaches itself is masqueraded',
    ],
    ['10.244.1.3', '10.96.4.4:81', 'reject', 'a wrong port of a cluster IP is rejected'],
    ['10.244.1.3', '10.96.200.1:80', 'drop', 'an unallocated cluster IP is dropped'],
    ['10.244.1.3', '10.96.4.8:80', 'reject', 'a service without endpoints is rejected'],
    ['203.0.113.9', '198.51.100.80:80', '10.244.1.6:8080', 'a client in the ranges reaches the local endpoint'],
    ['198.51.100.9', '198.51.100.80:80', 'drop', 'another is dropped before it is translated'],
    ['198.51.100.9', '192.0.2.11:30080', '10.244.1.6:8080', 'node ports are not guarded by the ranges'],
    [
      '192.0.2.11',
      '192.0.2.11:30080',
      '10.244.1.6:8080 masqueraded, 10.244.2.6:8080 masqueraded',
      'the node itself may use every endpoint',
    ],
    ['10.244.1.3', '10.96.4.9:80', '10.244.1.9:8080, 10.244.2.9:8080', 'affinity starts with any endpoint'],
  ])('%s → %s lands on %s: %s', (from, to, wanted) => expect(lands(from, to)).toBe(wanted))
})

describe('a plan for nft', () => {
  it('is empty when nothing differs', () => expect(planNftLoad(table, table)).toBe(''))

  it('makes the table anew when nothing is known of it', () => {
    const text = planNftLoad(undefined, table)
    expect(text.split('\n').slice(0, 2)).toEqual(['add table ip kube-proxy', 'delete table ip kube-proxy'])
    expect(text).toContain('add element ip kube-proxy cluster-ips { 10.96.4.4 }')
  })

  it('mentions only what an endpoint change touches', () => {
    const changed = [...objects, endpointSlice('shop/web', [here('10.244.1.50')])]
    const next = buildNftTable(buildRuleset(snapshotOf(changed), options).ports, options)
    expect(planNftLoad(table, next).trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^flush chain ip kube-proxy service-[A-Z2-7]{8}-shop\/web\/tcp\/http$/),
      expect.stringMatching(/ meta l4proto tcp dnat to 10\.244\.1\.50:8080$/),
      'delete element ip kube-proxy hairpin-connections { 10.244.1.5 . 10.244.1.5 . tcp . 8080 }',
      'add element ip kube-proxy hairpin-connections { 10.244.1.50 . 10.244.1.50 . tcp . 8080 }',
    ])
  })

  it('removes the chains and elements of a service that went', () => {
    const rest = objects.filter((object) => object.metadata?.name !== 'gone' && object.metadata?.name !== 'web')
    const next = buildNftTable(buildRuleset(snapshotOf(rest), options).ports, options)
    const text = planNftLoad(table, next)
    expect(text).toContain('delete element ip kube-proxy no-endpoint-services { 10.96.4.8 . tcp . 80 }')
    expect(text).toMatch(/delete chain ip kube-proxy service-[A-Z2-7]{8}-shop\/web/)
  })

  it('cuts comments of elements to what the kernel takes', () => {
    const name = 'x'.repeat(63)
    const long = [
      service(`${name}/${name}`, {
        clusterIP: '10.96.4.20',
        ports: [{ name: 'a'.repeat(15), port: 80, protocol: 'TCP' }],
      }),
    ]
    const listed = listNftTable(buildNftTable(buildRuleset(snapshotOf(long), options).ports, options))
    const comment = /comment "([^"]*)"/.exec(listed.maps['no-endpoint-services']?.elements[0] ?? '')?.[1]
    expect(comment).toHaveLength(128)
  })
})
