import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { policyHints } from './policy-hints.ts'

const snapshot = snapshotOf([service('shop/tea'), endpointSlice('shop/tea', ['10.244.1.11'])])
const policy = (namespace: string) => ({ kind: 'NetworkPolicy', metadata: { namespace, name: 'deny-all' } })

test.each([
  ['a policy of the namespace in which the packet ends is named', 'shop', '10.244.1.11', 1],
  ['one of another namespace is not', 'data', '10.244.1.11', 0],
  ['a packet that ends elsewhere meets none', 'shop', '192.0.2.1', 0],
])('%s', (_, namespace, end, count) => {
  const hints = policyHints([policy(namespace)], snapshot, [end])
  expect(hints.map(({ what }) => what)).toEqual(
    count === 0 ? [] : ['NetworkPolicy shop/deny-all: whether it lets the packet pass is up to the network plugin'],
  )
})
