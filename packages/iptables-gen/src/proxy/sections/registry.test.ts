// Packet tables for the sections, and the order that the registry promises. Files covered here: 'cluster-ip',
// 'endpoint-chains', 'external-ip', 'forward', 'health-check', 'load-balancer', 'localnet-guard', 'masquerade',
// 'no-endpoints', 'node-port', 'section', 'source-ranges', 'traffic-policy'.

import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it, test } from 'vitest'
import { createDescribePackets } from '../../testing/describe-packets.ts'
import { printRestoreRule } from '../../text/print-rule.ts'
import { buildRuleset } from '../build-ruleset.ts'
import { proxyOptions } from '../options.ts'

const describePackets = createDescribePackets({ describe, test })

const here = (address: string, conditions = {}) => ({ addresses: [address], nodeName: 'edge-1', conditions })
const there = (address: string, conditions = {}) => ({ addresses: [address], nodeName: 'edge-2', conditions })

const web = service('shop/web', { clusterIP: '10.96.4.4' })
const webSlice = endpointSlice('shop/web', [here('10.244.1.5'), there('10.244.2.7')])

describePackets('a ClusterIP service', { objects: [web, webSlice], node: 'edge-1' }, [
  [
    '10.244.1.9',
    '10.96.4.4:80',
    '10.244.1.5:8080 10.244.2.7:8080',
    false,
    'a pod reaches every endpoint with its own address',
  ],
  ['203.0.113.9', '10.96.4.4:80', '10.244.1.5:8080 10.244.2.7:8080', true, 'what comes from outside is masqueraded'],
  ['node', '10.96.4.4:80', '10.244.1.5:8080 10.244.2.7:8080', true, 'the node itself is masqueraded'],
  ['10.244.1.9', '10.96.4.4:81', 'untouched', false, 'another port is left alone'],
])

const hairpin = [service('shop/one', { clusterIP: '10.96.4.5' }), endpointSlice('shop/one', [here('10.244.1.5')])]
describePackets('a service with one endpoint', { objects: hairpin, node: 'edge-1' }, [
  ['10.244.1.5', '10.96.4.5:80', '10.244.1.5:8080', true, 'a pod that reaches itself is masqueraded'],
])

const edge = service(
  'shop/edge',
  {
    type: 'LoadBalancer',
    clusterIP: '10.96.4.6',
    externalIPs: ['198.51.100.6'],
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 32_100,
    ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30_080 }],
  },
  { status: { loadBalancer: { ingress: [{ ip: '203.0.113.80' }, { ip: '203.0.113.81', ipMode: 'Proxy' }] } } },
)
const edgeSlice = endpointSlice('shop/edge', [here('10.244.1.6'), there('10.244.2.6')])
describePackets('externalTrafficPolicy: Local', { objects: [edge, edgeSlice], node: 'edge-1' }, [
  [
    '198.51.100.9',
    '192.0.2.11:30080',
    '10.244.1.6:8080',
    false,
    'an outside client reaches the local endpoint and keeps its address',
  ],
  ['198.51.100.9', '203.0.113.80:80', '10.244.1.6:8080', false, 'so it does at the load-balancer address'],
  ['198.51.100.9', '203.0.113.81:80', 'untouched', false, 'an address of mode Proxy is the load balancer’s business'],
  ['10.244.1.9', '203.0.113.80:80', '10.244.1.6:8080 10.244.2.6:8080', false, 'a pod may use every endpoint'],
  ['node', '192.0.2.11:30080', '10.244.1.6:8080 10.244.2.6:8080', true, 'the node may too, and is masqueraded'],
  ['198.51.100.9', '198.51.100.6:80', '10.244.1.6:8080', false, 'external IPs follow the policy'],
  ['198.51.100.9', '192.0.2.11:32100', 'untouched', false, 'the health check port is let in'],
])

const far = [edge, endpointSlice('shop/edge', [there('10.244.2.6')])]
describePackets('externalTrafficPolicy: Local without a local endpoint', { objects: far, node: 'edge-1' }, [
  [
    '198.51.100.9',
    '203.0.113.80:80',
    'dropped',
    false,
    'outside traffic is dropped, so that the balancer tries another node',
  ],
  ['198.51.100.9', '192.0.2.11:30080', 'dropped', false, 'node ports are dropped too'],
  ['10.244.1.9', '10.96.4.6:80', '10.244.2.6:8080', false, 'the cluster IP works'],
])

const guarded = [
  service(
    'shop/api',
    {
      type: 'LoadBalancer',
      clusterIP: '10.96.4.7',
      loadBalancerSourceRanges: ['203.0.113.0/25', '192.0.2.0/24'],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30_081 }],
    },
    { status: { loadBalancer: { ingress: [{ ip: '203.0.113.90' }] } } },
  ),
  endpointSlice('shop/api', [here('10.244.1.7')]),
]
describePackets('loadBalancerSourceRanges', { objects: guarded, node: 'edge-1' }, [
  ['203.0.113.9', '203.0.113.90:80', '10.244.1.7:8080', true, 'a client in the ranges is served'],
  ['203.0.113.200', '203.0.113.90:80', 'dropped', false, 'another is dropped'],
  ['203.0.113.200', '192.0.2.11:30081', '10.244.1.7:8080', true, 'the ranges do not guard node ports'],
])

const empty = [
  service('shop/gone', {
    type: 'NodePort',
    clusterIP: '10.96.4.8',
    ports: [{ port: 80, protocol: 'TCP', nodePort: 30_082 }],
  }),
]
describePackets('a service without endpoints', { objects: empty, node: 'edge-1' }, [
  ['10.244.1.9', '10.96.4.8:80', 'rejected', false, 'the cluster IP is rejected'],
  ['203.0.113.9', '192.0.2.11:30082', 'rejected', false, 'the node port is rejected'],
  ['node 127.0.0.1', '127.0.0.1:30082', 'rejected', false, 'so it is on loopback'],
])

describe('the order of rules', () => {
  const { ruleset } = buildRuleset(
    snapshotOf([web, webSlice, edge, edgeSlice]),
    proxyOptions({ family: 4, nodeName: 'edge-1' }),
  )

  it('ends KUBE-SERVICES with the jump to node ports', () => {
    const last = ruleset.tables.nat?.get('KUBE-SERVICES')?.rules.at(-1)
    expect(last && printRestoreRule(last, 4)).toContain('-j KUBE-NODEPORTS')
  })

  it('puts the jumps from built-in chains in the order in which inserting at the head leaves them', () => {
    const text = ruleset.tables.filter?.get('INPUT')?.rules.map((rule) => printRestoreRule(rule, 4))
    expect(text?.map((line) => /-j (\S+)$/.exec(line)?.[1])).toEqual([
      'KUBE-FIREWALL',
      'KUBE-PROXY-FIREWALL',
      'KUBE-NODEPORTS',
      'KUBE-EXTERNAL-SERVICES',
    ])
  })
})
