import { snapshotOf } from '@kubewire/kube-model'
import { ingress } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { shadowedPath } from './shadowed-path.ts'

const rules = (path: string) => ({
  rules: [{ host: 'shop.example.org', http: { paths: [{ path, pathType: 'Prefix', backend: {} }] } }],
})

test('the later Ingress by name is named; a canary shares its path on purpose', () => {
  const snapshot = snapshotOf([
    ingress('shop/a', rules('/tea')),
    ingress('shop/b', rules('/tea')),
    ingress('shop/c', rules('/milk')),
    ingress('shop/d', rules('/tea'), { 'nginx.ingress.kubernetes.io/canary': 'true' }),
  ])
  expect(shadowedPath.check(snapshot)).toMatchObject([
    { object: { name: 'b' }, message: 'Ingress shop/a defines shop.example.org/tea too: only the older one is served' },
  ])
})
