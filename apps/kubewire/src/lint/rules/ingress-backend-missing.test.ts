import { snapshotOf } from '@kubewire/kube-model'
import { ingress, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { ingressBackendMissing } from './ingress-backend-missing.ts'

const to = (name: string, port: { readonly name?: string; readonly number?: number }) => ({ service: { name, port } })

test('a Service or port that is not there is named', () => {
  const paths = [
    { path: '/a', pathType: 'Prefix', backend: to('tea', { number: 80 }) },
    { path: '/b', pathType: 'Prefix', backend: to('tea', { name: 'http' }) },
    { path: '/c', pathType: 'Prefix', backend: to('tea', { number: 81 }) },
    { path: '/d', pathType: 'Prefix', backend: to('milk', { number: 80 }) },
  ]
  const snapshot = snapshotOf([service('shop/tea'), ingress('shop/front', { rules: [{ http: { paths } }] })])
  expect(ingressBackendMissing.check(snapshot).map(({ path, message }) => `${path} ${message}`)).toEqual([
    'spec.rules[0].http.paths[2].backend.service Service tea has no port 81: requests are answered 503',
    'spec.rules[0].http.paths[3].backend.service there is no Service milk in namespace shop: requests are answered 503',
  ])
})

test('what the controller serves all the same is no finding: a target port, an ExternalName by number', () => {
  const paths = [
    { path: '/a', pathType: 'Prefix', backend: to('tea', { number: 8080 }) },
    { path: '/b', pathType: 'Prefix', backend: to('away', { number: 443 }) },
    { path: '/c', pathType: 'Prefix', backend: to('away', { name: 'https' }) },
  ]
  const snapshot = snapshotOf([
    service('shop/tea', { ports: [{ port: 80, targetPort: 8080 }] }),
    service('shop/away', { type: 'ExternalName', externalName: 'www.example.org', ports: [] }),
    ingress('shop/front', { rules: [{ http: { paths } }] }),
  ])
  expect(ingressBackendMissing.check(snapshot).map(({ path }) => path)).toEqual([
    'spec.rules[0].http.paths[2].backend.service',
  ])
})
