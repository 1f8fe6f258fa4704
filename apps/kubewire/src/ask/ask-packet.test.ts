import { snapshotOf } from '@kubewire/kube-model'
import { node } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { nodeAsked, packetOf } from './ask-packet.ts'

const snapshot = snapshotOf([
  node('node-1', ['192.0.2.11']),
  node('node-2', ['192.0.2.12']),
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-3' }, spec: { podCIDR: '10.244.3.0/24' } } as never,
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'cup', namespace: 'shop' },
    spec: { nodeName: 'node-2' },
  } as never,
])

test.each([
  ['a packet to a node is judged by that node', '192.0.2.99', 'node/node-2:30080', 'node-2'],
  ['also where it comes from another', 'node/node-1', 'node/node-2:30080', 'node-2'],
  ['a packet from a node by that node', 'node/node-2', '10.96.4.4:80', 'node-2'],
  ['a packet from a pod by the node on which it runs', 'pod/shop/cup', '10.96.4.4:80', 'node-2'],
  ['a packet from the address of a node by that node', '192.0.2.12', '10.96.4.4:80', 'node-2'],
  ['a packet from the pod network of a node by that node', '10.244.3.9', '10.96.4.4:80', 'node-3'],
  ['other addresses say nothing', '192.0.2.99', '10.96.4.4:80', ''],
])('%s', (_name, from, to, name) => {
  expect(nodeAsked({ from, to, protocol: '' }, snapshot)).toBe(name)
})

test.each([
  [
    'no packet comes from a Service',
    { from: 'service/shop/tea', to: '10.96.4.4:80', protocol: '' },
    /no packet comes from one/,
  ],
  [
    'a protocol without ports is none of a Service',
    { from: '192.0.2.99', to: '10.96.4.4:80', protocol: 'icmp' },
    /tcp, udp or sctp, found "icmp"/,
  ],
])('%s', (_, question, message) => {
  expect(() => packetOf(question, snapshot, undefined)).toThrow(message)
})
