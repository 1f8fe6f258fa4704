import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { readyEndpoints, slicesOf } from './slices-of.ts'

test('only ready endpoints of the Service itself count; a condition that is absent means ready', () => {
  const tea = service('shop/tea')
  const snapshot = snapshotOf([
    tea,
    endpointSlice('shop/tea', [
      '10.0.0.1',
      { addresses: ['10.0.0.2'], conditions: { ready: false } },
      { addresses: ['10.0.0.3'] },
    ]),
    endpointSlice('other/tea', ['10.0.0.9']),
  ])
  const ready = readyEndpoints(slicesOf(snapshot, tea))
  expect(ready.flatMap(({ addresses = [] }) => addresses)).toEqual(['10.0.0.1', '10.0.0.3'])
})
