import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { ingressChecksOf, serviceChecks } from './any-cluster.ts'

const tea = service('shop/tea', { clusterIP: '10.96.4.4' })
const world = undefined as never

test.each([
  [
    'a Service with endpoints has an address and answers',
    tea,
    ['10.0.0.1'],
    ['shop/tea has its address', 'shop/tea answers'],
  ],
  ['one without refuses', tea, [], ['shop/tea has its address', 'shop/tea has nobody and refuses']],
  [
    'a headless one has its endpoints',
    service('shop/tea', { clusterIP: 'None' }),
    ['10.0.0.1'],
    ['shop/tea has its endpoints'],
  ],
  ['a headless one without endpoints promises nothing', service('shop/tea', { clusterIP: 'None' }), [], []],
  [
    'an ExternalName leads on',
    service('shop/tea', { type: 'ExternalName', externalName: 'example.org' }),
    [],
    ['shop/tea leads on'],
  ],
] as const)('%s', (_name, object, addresses, names) => {
  const slices = addresses.length === 0 ? [] : [endpointSlice('shop/tea', addresses)]
  expect(serviceChecks(snapshotOf([object, ...slices]), object).map(({ name }) => name)).toEqual(names)
})

test('an Ingress is asked for each path, over HTTPS where it has TLS', () => {
  const paths = [
    { path: '/v1(/|$)(.*)', pathType: 'ImplementationSpecific', backend: {} },
    { path: '/cup', pathType: 'Prefix', backend: {} },
  ]
  const rules = [
    { host: 'a.example.org', http: { paths } },
    { host: '*.example.org', http: { paths } },
  ]
  const checks = ingressChecksOf(ingress('shop/front', { tls: [{ hosts: ['a.example.org'] }], rules }))
  expect(checks.map(({ name }) => name)).toEqual([
    'shop/front serves https://a.example.org/v1',
    'shop/front serves https://a.example.org/cup',
  ])
  expect(checks[0]?.asked(world)).toContain('--resolve a.example.org:443:203.0.113.10')
})
