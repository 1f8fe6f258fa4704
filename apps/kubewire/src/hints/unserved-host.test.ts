import { snapshotOf } from '@kubewire/kube-model'
import { ingress, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { translateInput } from '../input/ingress-input.ts'
import { unservedHost } from './unserved-host.ts'

const backend = { service: { name: 'tea', port: { number: 80 } } }
const rules = (host: string): object => ({
  rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
})
const ours = (host: string): object => ({ ingressClassName: 'nginx', ...rules(host) })
const snapshot = snapshotOf([
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'nginx' },
    spec: { controller: 'k8s.io/ingress-nginx' },
  } as never,
  service('shop/tea'),
  ingress('shop/good', ours('good.example.org')),
  ingress('shop/nobodys', rules('nobodys.example.org')),
  ingress('shop/raw', ours('raw.example.org'), {
    'nginx.ingress.kubernetes.io/configuration-snippet': 'return 418;',
  }),
])
const translation = translateInput(snapshot, {
  configmap: '',
  'ingress-class': 'nginx',
  'controller-class': 'k8s.io/ingress-nginx',
  'watch-ingress-without-class': false,
})

test.each<[string, string, string | undefined]>([
  ['a host that is served needs no reason', 'good.example.org', undefined],
  ['nor one that nobody names', 'other.example.org', undefined],
  [
    'an Ingress without a class',
    'nobodys.example.org:80',
    'spec.ingressClassName: expected a class of this controller, found none',
  ],
  ['an Ingress that is set aside', 'raw.example.org', 'the Ingress is set aside'],
])('%s', (_, host, wanted) => {
  const [step] = unservedHost(snapshot, translation, host)
  if (wanted === undefined) expect(step).toBeUndefined()
  else expect(step?.what).toContain(wanted)
})
