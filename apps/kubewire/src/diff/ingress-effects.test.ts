import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { ingressEffects } from './ingress-effects.ts'

const values = {
  configmap: '',
  'ingress-class': 'nginx',
  'controller-class': 'k8s.io/ingress-nginx',
  'watch-ingress-without-class': true,
}

test('each path of a host is asked for itself and for what lies below', () => {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const paths = [{ path: '/tea', pathType: 'Prefix', backend }]
  const snapshot = snapshotOf([
    service('shop/tea'),
    endpointSlice('shop/tea', ['10.244.1.11']),
    ingress('shop/front', { rules: [{ host: 'shop.example.org', http: { paths } }] }),
  ])
  const effects = ingressEffects(snapshot, values).filter(({ subject }) => subject === 'host shop.example.org')
  const answers = new Map(effects.map(({ question, answer }) => [question, answer]))
  for (const path of ['/tea', '/tea/below']) {
    expect(answers.get(`GET http://shop.example.org${path}`)).toBe(
      `goes to shop-tea-80 as GET ${path}; backend shop-tea-80: one of 10.244.1.11:8080`,
    )
  }
})
