import { endpointSlice } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { highPortSlices } from './high-port-slices.ts'

test('each pod becomes a port of one address and keeps its conditions and its name', () => {
  const slices = [
    endpointSlice('shop/tea', ['10.244.1.11', { addresses: ['10.244.1.12'], conditions: { ready: false } }]),
    endpointSlice('shop/events', ['10.244.1.51'], { ports: [{ name: 'events', port: 5005, protocol: 'UDP' }] }),
    endpointSlice('shop/coffee', ['fd00:10:244:1::21']),
  ]
  const moved = highPortSlices(slices, '192.0.2.5', 10_073)
  expect(moved.slices.map(({ ports, endpoints }) => [ports?.[0]?.port, endpoints?.[0]])).toEqual([
    [10_073, { addresses: ['192.0.2.5'], conditions: { ready: true } }],
    [10_074, { addresses: ['192.0.2.5'], conditions: { ready: false } }],
  ])
  expect(moved.endpoints).toEqual([
    { name: 'tea', protocol: 'TCP', address: '192.0.2.5', port: 10_073, shownAs: '10.244.1.11:8080' },
    { name: 'tea', protocol: 'TCP', address: '192.0.2.5', port: 10_074, shownAs: '10.244.1.12:8080' },
  ])
})
