import { parseIp, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, node, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { dropReasons, unknownPort } from './drop-reasons.ts'

const onNode2 = { addresses: ['10.244.2.7'], conditions: { ready: true }, nodeName: 'node-2' }
const snapshot = snapshotOf([
  node('node-1', ['192.0.2.11']),
  node('node-2', ['192.0.2.12']),
  service('shop/empty', { clusterIP: '10.96.0.1' }),
  service('shop/portless', { clusterIP: '10.96.0.2', ports: [{ name: 'web', port: 80, targetPort: 'http' }] }),
  endpointSlice('shop/portless', ['10.244.1.5'], { ports: [] }),
  service(
    'shop/partner',
    { type: 'LoadBalancer', clusterIP: '10.96.0.3', loadBalancerSourceRanges: ['198.51.100.0/24'] },
    { status: { loadBalancer: { ingress: [{ ip: '203.0.113.3' }] } } },
  ),
  endpointSlice('shop/partner', ['10.244.1.6']),
  service('shop/local', { clusterIP: '10.96.0.4', internalTrafficPolicy: 'Local' }),
  endpointSlice('shop/local', [onNode2]),
  service('shop/dual', { clusterIP: '10.96.0.5', clusterIPs: ['10.96.0.5', '2001:db8::5'] }),
  endpointSlice('shop/dual', ['2001:db8:1::7']),
])

function reasons(to: string, port = 80): string[] {
  const [source, destination] = [parseIp('192.0.2.99'), parseIp(to)]
  if (source === undefined || destination === undefined) throw new Error('an address does not parse')
  const packet = { entry: 'arriving', protocol: 'tcp', source, destination, destinationPort: port } as const
  const values = { node: 'node-1', 'cluster-cidr': [], 'masquerade-all': false }
  return dropReasons(snapshot, values, packet).map(({ where, what }) => `${where}: ${what}`)
}

describe('why a packet does not arrive', () => {
  it.each<[string, string, readonly string[]]>([
    ['nobody is ready', '10.96.0.1', ['why: the Service has no ready endpoint on any node']],
    [
      'no container has the named port',
      '10.96.0.2',
      ['why: no endpoint has the port web: no container names a port http'],
    ],
    [
      'its source is in no range',
      '203.0.113.3',
      ['why: 192.0.2.99 is in none of spec.loadBalancerSourceRanges: 198.51.100.0/24'],
    ],
    [
      'the policy is Local and the endpoints are elsewhere, where it would arrive',
      '10.96.0.4',
      [
        'why: spec.internalTrafficPolicy is Local, and ready endpoints are on node-2 alone',
        'on node node-2: reaches 10.244.2.7:8080 with its own source',
      ],
    ],
    ['endpoints are of the other family', '10.96.0.5', ['why: the Service has no ready IPv4 endpoint on any node']],
    ['no Service is asked for: nothing is said', '192.0.2.200', []],
  ])('%s', (_, to, wanted) => {
    expect(reasons(to)).toEqual(wanted)
  })
})

describe('why nothing translates a packet to the address of a Service', () => {
  it.each<[string, string, number, 'tcp' | 'udp', readonly string[]]>([
    [
      'it has no such port',
      '10.96.0.4',
      81,
      'tcp',
      ['the Service has no port 81/tcp, only 80/tcp: nobody answers there'],
    ],
    [
      'it has it for another protocol',
      '10.96.0.4',
      80,
      'udp',
      ['the Service has no port 80/udp, only 80/tcp: nobody answers there'],
    ],
    ['it has the port: the reason is another', '10.96.0.4', 80, 'tcp', []],
    ['it is the address of nobody', '192.0.2.200', 80, 'tcp', []],
  ])('%s', (_, to, destinationPort, protocol, wanted) => {
    const [source, destination] = [parseIp('192.0.2.99'), parseIp(to)]
    if (source === undefined || destination === undefined) throw new Error('an address does not parse')
    const packet = { entry: 'arriving', protocol, source, destination, destinationPort } as const
    expect(unknownPort(snapshot, packet).map(({ what }) => what)).toEqual(wanted)
  })
})
