import { snapshotOf } from '@kubewire/kube-model'
import { service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { nodePortBypassesRanges } from './node-port-bypasses-ranges.ts'

test('ranges with a node port are named, ranges without and node ports without are not', () => {
  const ranges = { loadBalancerSourceRanges: ['203.0.113.0/24'] }
  const open = { type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30_080 }] }
  const snapshot = snapshotOf([
    service('shop/open', { ...open, ...ranges }),
    service('shop/closed', { ...open, ...ranges, ports: [{ port: 80 }] }),
    service('shop/free', open),
  ])
  expect(nodePortBypassesRanges.check(snapshot).map(({ object }) => object.name)).toEqual(['open'])
})
