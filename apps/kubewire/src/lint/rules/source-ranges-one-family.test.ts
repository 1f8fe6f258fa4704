import { snapshotOf } from '@kubewire/kube-model'
import { service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { sourceRangesOneFamily } from './source-ranges-one-family.ts'

test('the family without a range is named', () => {
  const dual = { type: 'LoadBalancer', ipFamilies: ['IPv4', 'IPv6'] }
  const snapshot = snapshotOf([
    service('shop/half', { ...dual, loadBalancerSourceRanges: ['203.0.113.0/24'] }),
    service('shop/whole', { ...dual, loadBalancerSourceRanges: ['203.0.113.0/24', ' 2001:db8::/32'] }),
    service('shop/open', dual),
  ])
  expect(sourceRangesOneFamily.check(snapshot).map(({ object, message }) => `${object.name}: ${message}`)).toEqual([
    'half: no range is IPv6: every IPv6 client is let in',
  ])
})
