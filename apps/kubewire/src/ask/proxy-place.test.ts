import { type EndpointSlice, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, node, pod, service } from '@kubewire/kube-model/testing'
import { describe, expect, test } from 'vitest'
import { notePort, parsePlace } from './proxy-place.ts'

const ports = [
  { name: 'http', port: 80 },
  { name: 'dns', port: 53, protocol: 'UDP' },
]
const snapshot = snapshotOf([
  service('shop/tea', { clusterIP: '10.96.4.4', ports }),
  service('shop/db', { clusterIP: 'None' }),
  pod('shop/toolbox', ['10.244.1.200']),
  node('node-1', ['192.0.2.11']),
])

describe('a place is read', () => {
  test.each([
    ['192.0.2.9', '192.0.2.9', undefined, undefined],
    ['192.0.2.9:80', '192.0.2.9', 80, undefined],
    ['2001:db8::9', '2001:db8::9', undefined, undefined],
    ['[2001:db8::9]:443', '2001:db8::9', 443, undefined],
    ['service/shop/tea', '10.96.4.4', 80, 'tcp'],
    ['service/shop/tea:dns', '10.96.4.4', 53, 'udp'],
    ['service/shop/tea:80', '10.96.4.4', 80, 'tcp'],
    ['pod/shop/toolbox', '10.244.1.200', undefined, undefined],
    ['node/node-1:30080', '192.0.2.11', 30080, undefined],
  ])('%s', (text, address, port, protocol) => {
    const place = parsePlace(text, snapshot)
    expect([place.ip.text, place.port, place.protocol]).toEqual([address, port, protocol])
  })
})

test('the port that is asked is named where a Service has several and none is chosen', () => {
  const notes: string[] = []
  for (const place of ['service/shop/tea', 'service/shop/tea:dns', 'pod/shop/toolbox', '192.0.2.9'])
    notePort(place, snapshot, { note: (text) => void notes.push(text) })
  expect(notes).toEqual(['port 80/tcp, the first of 2, is asked (service/shop/tea:PORT asks another)\n'])
})

describe('a pod that has no address yet', () => {
  const targetRef = { kind: 'Pod', namespace: 'shop', name: 'tea-0' }
  const slice: EndpointSlice = {
    ...endpointSlice('shop/tea', []),
    endpoints: [{ addresses: ['10.244.200.7'], targetRef }],
  }
  const bares = snapshotOf([pod('shop/cup', []), slice])

  test('has the one under which a Service knows it, be it of a workload', () => {
    expect(parsePlace('pod/shop/tea-0', bares)).toMatchObject({ ip: { text: '10.244.200.7' }, isAssumed: true })
  })

  test('else the one that it would have as an endpoint', () => {
    expect(parsePlace('pod/shop/cup', bares)).toMatchObject({
      ip: { text: expect.stringMatching(/^10\.244\./) },
      isAssumed: true,
    })
  })

  test('is among those that are named where a name is none', () => {
    expect(() => parsePlace('pod/shop/tea-1', bares)).toThrow(/there is shop\/tea-0/)
  })
})

describe('a place that is none says what was expected', () => {
  test.each([
    ['tea', /^expected an address, .* found "tea"$/],
    ['10.0.0.256', /^expected an address/],
    ['a..b:80', /^expected an address/],
    ['192.0.2.9:99999', /^expected a port from 1 to 65535, found "99999"$/],
    ['192.0.2.9:0', /^expected a port from 1 to 65535/],
    ['node/node-1:http', /^expected a port from 1 to 65535, found "http"$/],
    ['service/shop/milk', /^expected Service shop\/milk among the objects/],
    ['service/shop/tea:smtp', /^expected a port of Service shop\/tea \(http, dns\), found "smtp"$/],
    ['service/shop/db', /^expected a Service with a cluster IP/],
    ['pod/shop/nobody', /^expected Pod shop\/nobody/],
    ['node/node-9', /^expected Node node-9 .*there is node-1; its address does as well$/],
  ])('%s', (text, message) => {
    expect(() => parsePlace(text, snapshot)).toThrow(message)
  })
})
