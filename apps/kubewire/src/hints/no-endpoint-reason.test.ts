import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { translateIngresses } from '@kubewire/nginx-gen'
import { expect, it } from 'vitest'
import { simulateIngress } from '../ask/simulate-ingress.ts'
import { noEndpointReason } from './no-endpoint-reason.ts'

const path = (at: string, name: string, port: string | number): object => ({
  path: at,
  pathType: 'Prefix',
  backend: { service: { name, port: typeof port === 'number' ? { number: port } : { name: port } } },
})
const paths = [path('/wrong-port', 'tea', 'web'), path('/empty', 'empty', 80), path('/tea', 'tea', 'http')]
const snapshot = snapshotOf([
  service('shop/tea', { clusterIP: '10.96.0.1' }),
  endpointSlice('shop/tea', ['10.244.1.1']),
  service('shop/empty', { clusterIP: '10.96.0.2' }),
  ingress(
    'shop/denied',
    { rules: [{ host: 'b.example.org', http: { paths: [path('/', 'tea', 'web')] as never } }] },
    { 'nginx.ingress.kubernetes.io/auth-type': 'basic', 'nginx.ingress.kubernetes.io/auth-secret': 'gone' },
  ),
  ingress('shop/front', { rules: [{ host: 'a.example.org', http: { paths: paths as never } }] }),
])
const { value: model } = translateIngresses(snapshot, { watchWithoutClass: true })

it.each<[string, string, string | undefined]>([
  [
    'a port that the Service does not have is named, with those it has',
    '/wrong-port',
    'the Service has no port web, only http (80)',
  ],
  ['a Service without endpoints is said to be one', '/empty', 'the Service has no ready endpoint'],
  ['a request that is served needs no reason', '/tea', undefined],
])('%s', (_, at, wanted) => {
  const trace = simulateIngress(model, { host: 'a.example.org', path: at })
  expect(noEndpointReason(snapshot, model, trace)[0]?.what).toBe(wanted)
})

it('a denied location says what denies it, whatever is behind it', () => {
  const trace = simulateIngress(model, { host: 'b.example.org', path: '/' })
  expect(noEndpointReason(snapshot, model, trace).map(({ what }) => what)).toEqual([
    'the location is denied: the Secret does not exist',
  ])
})
