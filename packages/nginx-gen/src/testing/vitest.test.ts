import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { ingressOf } from './ingress-of.ts'
import './vitest.ts'

const backend = { service: { name: 'tea', port: { number: 80 } } }
const front = ingressOf(
  [
    service('shop/tea', { clusterIP: '10.96.4.4' }),
    endpointSlice('shop/tea', ['10.244.1.11']),
    ingress('shop/secure', {
      tls: [{ hosts: ['secure.example.org'] }],
      rules: [{ host: 'secure.example.org', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    }),
    ingress(
      'shop/front',
      {
        rules: [
          {
            host: 'shop.example.org',
            http: { paths: [{ path: '/tea/(.*)', pathType: 'ImplementationSpecific', backend }] },
          },
        ],
      },
      { 'nginx.ingress.kubernetes.io/rewrite-target': '/$1' },
    ),
  ],
  { watchWithoutClass: true },
)

describe('toServe', () => {
  it.each([
    ['shop.example.org/tea/cups', 'backend shop/tea', 'a backend by its Service'],
    ['shop.example.org/tea/cups', 'backend shop/tea /cups', 'and the path that it sees'],
    ['shop.example.org/tea/cups', 'backend shop-tea-80', 'or by its upstream'],
    ['secure.example.org/tea/', '308 https://secure.example.org/tea', 'a redirect with its target'],
  ])('%s → %s: %s', (request, answer) => {
    expect(front).toServe(request, answer)
  })

  it('fails with the way of the request', () => {
    expect(() => expect(front).toServe('shop.example.org/tea/cups', 'backend shop/coffee')).toThrow(
      /expected backend shop\/coffee, found backend shop\/tea or backend shop\/tea \/cups\n.*location/s,
    )
  })

  it('can be turned round', () => {
    expect(front).not.toServe('shop.example.org/tea/cups', '404')
    expect(() => expect(front).not.toServe('shop.example.org/tea/cups', 'backend shop/tea')).toThrow()
  })
})
