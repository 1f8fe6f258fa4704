import { snapshotOf } from '@kubewire/kube-model'
import { service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { externalNameLoop } from './external-name-loop.ts'

const to = (key: string, externalName: string) => service(key, { type: 'ExternalName', externalName })

test('a circle and an address are named, a chain that ends is not', () => {
  const snapshot = snapshotOf([
    to('shop/a', 'b.shop.svc.cluster.local'),
    to('shop/b', 'a.shop.svc.cluster.local.'),
    to('shop/c', 'a.shop.svc.cluster.local'),
    to('shop/d', 'example.org'),
    to('shop/e', '192.0.2.1'),
    to('shop/f', 'd.shop.svc.cluster.local'),
  ])
  expect(externalNameLoop.check(snapshot).map(({ object, message }) => `${object.name}: ${message}`)).toEqual([
    'a: it leads in a circle: shop/a → shop/b → shop/a',
    'b: it leads in a circle: shop/b → shop/a → shop/b',
    'e: "192.0.2.1" is an address: as a name it does not resolve',
  ])
})
