import { type ClusterSnapshot, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { translateIngresses } from '@kubewire/nginx-gen'
import { describe, expect, test } from 'vitest'
import { diffEffects } from './effect.ts'
import { settingEffects } from './setting-effects.ts'

type Texts = { readonly [name: string]: string }

const rule = (name: string): object => ({
  host: 'shop.example.org',
  http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } }] },
})
const prefixed = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`nginx.ingress.kubernetes.io/${name}`, text]))

interface Cluster {
  readonly front?: Texts
  readonly canary?: Texts
  readonly config?: Texts
}

function cluster({ front = {}, canary = {}, config = {} }: Cluster): ClusterSnapshot {
  return snapshotOf([
    service('shop/tea'),
    service('shop/next'),
    endpointSlice('shop/tea', ['10.244.1.11']),
    endpointSlice('shop/next', ['10.244.1.19']),
    ingress('shop/front', { rules: [rule('tea')] }, prefixed(front)),
    ingress('shop/next', { rules: [rule('next')] }, prefixed({ canary: 'true', ...canary })),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'x' }, data: config } as never,
  ])
}

function effects(parts: Cluster): ReturnType<typeof settingEffects> {
  const snapshot = cluster(parts)
  const { value: model } = translateIngresses(snapshot, { watchWithoutClass: true, configMap: 'x/settings' })
  return settingEffects(snapshot, model)
}

describe('a difference of', () => {
  test.each<[string, Cluster, Cluster, object]>([
    [
      'a timeout is told with its annotation',
      { front: { 'proxy-read-timeout': '90' } },
      { front: { 'proxy-read-timeout': '120' } },
      {
        question: '/: proxy.readTimeout',
        before: '90',
        after: '120',
        because: ['Ingress shop/front proxy-read-timeout'],
      },
    ],
    [
      'an external authentication, in one line',
      { front: { 'auth-url': 'https://login.example.org/' } },
      {},
      {
        question: '/: external-auth',
        before: expect.stringContaining('url https://login.example.org/, '),
        because: ['Ingress shop/front auth-url'],
      },
    ],
    [
      'a limit that was not there',
      {},
      { front: { 'limit-rps': '5' } },
      { question: '/: rate-limit.perSecond', before: '0 (the default)', after: '5' },
    ],
    [
      'the weight of a canary',
      { canary: { 'canary-weight': '10' } },
      { canary: { 'canary-weight': '30' } },
      { question: '/: canary.weight', before: '10', after: '30', because: ['Ingress shop/next canary, canary-weight'] },
    ],
    [
      'the header of a canary',
      {},
      { canary: { 'canary-by-header': 'X-Next' } },
      { question: '/: canary.header', after: 'X-Next' },
    ],
    [
      'a name of the whole host',
      {},
      { front: { 'server-alias': 'tea.example.org' } },
      { question: 'every path: aliases', before: 'none (the default)', after: 'tea.example.org' },
    ],
    [
      'a key of the ConfigMap, once and not for each path',
      {},
      { config: { 'proxy-read-timeout': '90' } },
      { subject: 'every host', question: 'proxy-read-timeout', after: '90', because: ['ConfigMap x/settings'] },
    ],
  ])('%s', (_name, before, after, change) => {
    expect(diffEffects(effects(before), effects(after))).toContainEqual(expect.objectContaining(change))
  })
})

test('a key of the ConfigMap that every location follows is one difference', () => {
  const changes = diffEffects(effects({}), effects({ config: { 'proxy-read-timeout': '90' } }))
  expect(changes.map(({ subject }) => subject)).toEqual(['every host'])
})
