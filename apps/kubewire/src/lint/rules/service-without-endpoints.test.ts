import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { serviceWithoutEndpoints } from './service-without-endpoints.ts'

test('a Service is named when nothing behind it is ready, nor serves while it ends', () => {
  const snapshot = snapshotOf([
    service('shop/archive'),
    service('shop/db', { clusterIP: 'None' }),
    service('shop/tea'),
    endpointSlice('shop/tea', ['10.0.0.1']),
    service('shop/ending'),
    endpointSlice('shop/ending', [
      { addresses: ['10.0.0.2'], conditions: { ready: false, serving: true, terminating: true } },
    ]),
    service('shop/starting'),
    endpointSlice('shop/starting', [
      { addresses: ['10.0.0.3'], conditions: { ready: false, serving: false, terminating: false } },
    ]),
    service('shop/away', { type: 'ExternalName', externalName: 'example.org' }),
  ])
  expect(serviceWithoutEndpoints.check(snapshot).map(({ object, message }) => `${object.name}: ${message}`)).toEqual([
    'archive: no endpoint is ready: connections to it are refused',
    'starting: no endpoint is ready: connections to it are refused',
  ])
})
