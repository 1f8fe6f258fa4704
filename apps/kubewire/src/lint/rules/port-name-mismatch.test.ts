import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { portNameMismatch } from './port-name-mismatch.ts'

test('the mistake is the target port where that is a name', () => {
  const snapshot = snapshotOf([
    service('shop/tea', { ports: [{ name: 'b', port: 81, targetPort: 'nosuch' }] }),
    endpointSlice('shop/tea', ['10.0.0.1']),
  ])
  expect(portNameMismatch.check(snapshot)).toMatchObject([
    { path: 'spec.ports[0].targetPort', message: 'no container names a port "nosuch": nothing answers on port 81' },
  ])
})

test('a port that its slices do not know is named, others and Services without slices are not', () => {
  const ports = [
    { name: 'http', port: 80 },
    { name: 'metrics', port: 9090 },
  ]
  const snapshot = snapshotOf([
    service('shop/tea', { ports }),
    endpointSlice('shop/tea', ['10.0.0.1']),
    service('shop/archive', { ports }),
  ])
  expect(portNameMismatch.check(snapshot)).toMatchObject([{ object: { name: 'tea' }, path: 'spec.ports[1].name' }])
})
