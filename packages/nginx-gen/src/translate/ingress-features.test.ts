import { snapshotOf } from '@kubewire/kube-model'
import { ingress } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { ingressFeatures } from './ingress-features.ts'
import { translateIngresses } from './translate.ts'

test('an Ingress read by itself says what its locations in the model say', () => {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const paths = [{ path: '/', pathType: 'Prefix', backend }]
  const annotations = { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '120' }
  const rules = [{ host: 'shop.example.org', http: { paths } }]
  const front = ingress('shop/front', { rules }, annotations)
  const snapshot = snapshotOf([front])
  const { value: model } = translateIngresses(snapshot, { watchWithoutClass: true })
  const [location] = model.servers.find(({ host }) => host === 'shop.example.org')?.locations ?? []
  expect(location?.features['proxy']).toMatchObject({ readTimeout: 120 })
  expect(ingressFeatures(front, snapshot, model)).toEqual(location?.features)
})
