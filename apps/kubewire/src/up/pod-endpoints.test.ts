import type { EndpointPort } from '@kubewire/kube-model'
import { endpointSlice } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { podEndpoints } from './pod-endpoints.ts'

const udp: EndpointPort[] = [{ name: 'events', port: 5005, protocol: 'UDP' }]

test('every endpoint of a pod network answers under its Service name, ready or not', () => {
  const slices = [
    endpointSlice('shop/tea', ['10.244.1.11', { addresses: ['10.244.2.11'], conditions: { ready: false } }]),
    endpointSlice('shop/events', ['fd00:10:244:1::51'], { ports: udp }),
  ]
  expect(podEndpoints(slices)).toEqual({
    addresses: ['10.244.1.11', '10.244.1.53', '10.244.1.80', '10.244.2.11', 'fd00:10:244:1::51'],
    endpoints: [
      { name: 'tea', protocol: 'TCP', address: '10.244.1.11', port: 8080 },
      { name: 'tea', protocol: 'TCP', address: '10.244.2.11', port: 8080 },
      { name: 'events', protocol: 'UDP', address: 'fd00:10:244:1::51', port: 5005 },
    ],
  })
})

test('an address outside the pod networks is nobody to imitate', () => {
  expect(podEndpoints([endpointSlice('default/kubernetes', ['192.0.2.11'])]).endpoints).toEqual([])
})

test('the DNS server and the ingress controller get an address and answer for themselves', () => {
  const { addresses, endpoints } = podEndpoints([endpointSlice('kube-system/kube-dns', ['10.244.1.53'])])
  expect(addresses).toContain('10.244.1.53')
  expect(endpoints).toEqual([])
})

test('two Services that share a pod listen once', () => {
  const slices = [endpointSlice('data/db-peers', ['10.244.1.91']), endpointSlice('data/db', ['10.244.1.91'])]
  expect(podEndpoints(slices).endpoints.map(({ name }) => name)).toEqual(['db'])
})
