import { type ClusterSnapshot, printExplanation, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { translateIngresses } from '@kubewire/nginx-gen'
import { describe, expect, test } from 'vitest'
import { explainDataPlane, printServing, servingBackends } from './ingress-backend.ts'

const rule = (name: string): object => ({
  host: 'shop.example.org',
  http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } }] },
})

function cluster(canary: { readonly [name: string]: string }): ClusterSnapshot {
  const prefix = 'nginx.ingress.kubernetes.io/canary'
  const annotations = Object.fromEntries(Object.entries(canary).map(([key, value]) => [`${prefix}${key}`, value]))
  return snapshotOf([
    service('shop/tea'),
    service('shop/next'),
    endpointSlice('shop/tea', ['10.244.1.11', '10.244.1.12']),
    endpointSlice('shop/next', ['10.244.1.19']),
    ingress('shop/front', { ingressClassName: 'nginx', rules: [rule('tea')] }),
    ingress('shop/canary', { ingressClassName: 'nginx', rules: [rule('next')] }, { [prefix]: 'true', ...annotations }),
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'nginx' },
      spec: { controller: 'k8s.io/ingress-nginx' },
    } as never,
  ])
}

function explain(canary: { readonly [name: string]: string }, headers: { readonly [name: string]: string }): string {
  const { value: model } = translateIngresses(cluster(canary))
  const request = { host: 'shop.example.org', headers }
  const steps = explainDataPlane(model, servingBackends(model, 'shop-tea-80', request), request)
  return steps.map((step) => printExplanation(step)).join('')
}

const tea = 'backend shop-tea-80: one of 10.244.1.11:8080, 10.244.1.12:8080'
const next = 'backend shop-next-80: one of 10.244.1.19:8080'

describe('a canary', () => {
  test.each([
    ['by header, asked for', { '-by-header': 'X-Preview' }, { 'x-preview': 'always' }, [next]],
    ['by header, refused', { '-by-header': 'X-Preview' }, { 'X-Preview': 'never' }, [tea]],
    ['by header, not mentioned, without weight', { '-by-header': 'X-Preview' }, {}, [tea]],
    ['by header value', { '-by-header': 'X-Preview', '-by-header-value': 'yes' }, { 'X-Preview': 'yes' }, [next]],
    ['by cookie', { '-by-cookie': 'preview' }, { cookie: 'a=b; preview=always' }, [next]],
    [
      'by an expression that does not compile',
      { '-by-header': 'X-A', '-by-header-pattern': '(' },
      { 'X-A': '(' },
      [tea],
    ],
    ['by weight', { '-weight': '20' }, {}, [`${tea} [80%]`, `${next} [20%]`]],
  ])('%s', (_name, annotations, headers, expected) => {
    const lines = explain(annotations, headers).trim().split('\n')
    expect(lines.map((line) => line.replace(/ \(.*/, ''))).toEqual(expected)
  })
})

describe('the line about a canary pair names', () => {
  test.each([
    ['both backends with their shares', { '-weight': '20' }, {}, 'shop-tea-80 [80%] or shop-next-80 [20%]'],
    [
      'the header that would decide',
      { '-by-header': 'X-Preview' },
      {},
      'shop-tea-80 (always to shop-next-80 where the header X-Preview says always)',
    ],
    ['the one that was decided for', { '-by-header': 'X-Preview' }, { 'X-Preview': 'always' }, 'shop-next-80'],
  ])('%s', (_name, annotations, headers, line) => {
    const { value: model } = translateIngresses(cluster(annotations as { readonly [name: string]: string }))
    const serving = servingBackends(model, 'shop-tea-80', { host: 'shop.example.org', headers })
    expect(printServing(model, 'shop-tea-80', serving)).toBe(line)
  })
})

test('a backend without endpoints is 503, a host without certificate gets the default one', () => {
  const objects = [service('shop/tea'), ingress('shop/front', { rules: [rule('tea')] })]
  const { value: model } = translateIngresses(snapshotOf(objects), { watchWithoutClass: true })
  const request = { scheme: 'https', host: 'shop.example.org:443' } as const
  const steps = explainDataPlane(model, servingBackends(model, 'shop-tea-80', request), request)
  expect(steps.map(({ what }) => what)).toEqual([
    'the default one is shown to shop.example.org',
    'has no endpoint: the answer is 503',
  ])
})
