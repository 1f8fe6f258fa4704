// Packets that show what each section of the rules is for. The tables run against the simulator beside the sections, and
// against the kernel in `test/proxy/packets.kernel.ts`: where the two disagree, the simulator is wrong.

import { endpointSlice, service } from '@kubewire/kube-model/testing'
import type { PacketRow, PacketSetup } from './describe-packets.ts'

/** Packets to the same objects. */
export interface PacketTable {
  readonly title: string
  readonly setup: PacketSetup
  readonly rows: readonly PacketRow[]
}

const here = (address: string, conditions = {}) => ({ addresses: [address], nodeName: 'edge-1', conditions })
const there = (address: string, conditions = {}) => ({ addresses: [address], nodeName: 'edge-2', conditions })

const web = service('shop/web', { clusterIP: '10.96.4.4' })
const webSlice = endpointSlice('shop/web', [here('10.244.1.5'), there('10.244.2.7')])

const hairpin = [service('shop/one', { clusterIP: '10.96.4.5' }), endpointSlice('shop/one', [here('10.244.1.5')])]

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

const far = [edge, endpointSlice('shop/edge', [there('10.244.2.6')])]

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

const empty = [
  service('shop/gone', {
    type: 'NodePort',
    clusterIP: '10.96.4.8',
    ports: [{ port: 80, protocol: 'TCP', nodePort: 30_082 }],
  }),
]

/** All tables. */
export const packetTables: readonly PacketTable[] = [
  {
    title: 'a ClusterIP service',
    setup: { objects: [web, webSlice], node: 'edge-1' },
    rows: [
      [
        '10.244.1.9',
        '10.96.4.4:80',
        '10.244.1.5:8080 10.244.2.7:8080',
        false,
        'a pod reaches every endpoint with its own address',
      ],
      [
        '203.0.113.9',
        '10.96.4.4:80',
        '10.244.1.5:8080 10.244.2.7:8080',
        true,
        'what comes from outside is masqueraded',
      ],
      ['node', '10.96.4.4:80', '10.244.1.5:8080 10.244.2.7:8080', true, 'the node itself is masqueraded'],
      ['10.244.1.9', '10.96.4.4:81', 'untouched', false, 'another port is left alone'],
    ],
  },
  {
    title: 'a service with one endpoint',
    setup: { objects: hairpin, node: 'edge-1' },
    rows: [['10.244.1.5', '10.96.4.5:80', '10.244.1.5:8080', true, 'a pod that reaches itself is masqueraded']],
  },
  {
    title: 'externalTrafficPolicy: Local',
    setup: { objects: [edge, edgeSlice], node: 'edge-1' },
    rows: [
      [
        '198.51.100.9',
        '192.0.2.11:30080',
        '10.244.1.6:8080',
        false,
        'an outside client reaches the local endpoint and keeps its address',
      ],
      ['198.51.100.9', '203.0.113.80:80', '10.244.1.6:8080', false, 'so it does at the load-balancer address'],
      [
        '198.51.100.9',
        '203.0.113.81:80',
        'untouched',
        false,
        'an address of mode Proxy is the load balancer’s business',
      ],
      ['10.244.1.9', '203.0.113.80:80', '10.244.1.6:8080 10.244.2.6:8080', false, 'a pod may use every endpoint'],
      ['node', '192.0.2.11:30080', '10.244.1.6:8080 10.244.2.6:8080', true, 'the node may too, and is masqueraded'],
      ['198.51.100.9', '198.51.100.6:80', '10.244.1.6:8080', false, 'external IPs follow the policy'],
      ['198.51.100.9', '192.0.2.11:32100', 'untouched', false, 'the health check port is let in'],
    ],
  },
  {
    title: 'externalTrafficPolicy: Local without a local endpoint',
    setup: { objects: far, node: 'edge-1' },
    rows: [
      [
        '198.51.100.9',
        '203.0.113.80:80',
        'dropped',
        false,
        'outside traffic is dropped, so that the balancer tries another node',
      ],
      ['198.51.100.9', '192.0.2.11:30080', 'dropped', false, 'node ports are dropped too'],
      ['10.244.1.9', '10.96.4.6:80', '10.244.2.6:8080', false, 'the cluster IP works'],
    ],
  },
  {
    title: 'loadBalancerSourceRanges',
    setup: { objects: guarded, node: 'edge-1' },
    rows: [
      ['203.0.113.9', '203.0.113.90:80', '10.244.1.7:8080', true, 'a client in the ranges is served'],
      ['203.0.113.200', '203.0.113.90:80', 'dropped', false, 'another is dropped'],
      ['203.0.113.200', '192.0.2.11:30081', '10.244.1.7:8080', true, 'the ranges do not guard node ports'],
    ],
  },
  {
    title: 'a service without endpoints',
    setup: { objects: empty, node: 'edge-1' },
    rows: [
      ['10.244.1.9', '10.96.4.8:80', 'rejected', false, 'the cluster IP is rejected'],
      ['203.0.113.9', '192.0.2.11:30082', 'rejected', false, 'the node port is rejected'],
      ['node 127.0.0.1', '127.0.0.1:30082', 'rejected', false, 'so it is on loopback'],
    ],
  },
]
