// What `createTranslator` and `createRenderer` keep from one snapshot to the next never changes what they say.

import { type KubeObject, keyOf, snapshotOf } from '@kubewire/kube-model'
import { ingress, service, endpointSlice as slice } from '@kubewire/kube-model/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printConfig } from '../config/print.ts'
import { dynamicData } from '../dynamic/backends.ts'
import { createRenderer, renderConfig } from '../render/render.ts'
import { configMap, secret } from '../testing/objects.ts'
import { pem } from '../testing/pem.ts'
import { createTranslator, translateIngresses } from './translate.ts'

const prefix = 'nginx.ingress.kubernetes.io/'
const hosts = ['tea.example', 'b.example.org', '*.tea.example', ''] as const
const options = { watchWithoutClass: true, configMap: 'shop/settings', sslPassthrough: true }

/** Every kind of thing that one Ingress does to what others have made. */
const annotations = fc.constantFrom<{ readonly [name: string]: string }>(
  {},
  { 'proxy-read-timeout': '70' },
  { 'rewrite-target': '/$1' },
  { canary: 'true', 'canary-weight': '30' },
  { affinity: 'cookie' },
  { 'server-alias': 'x.tea.example,b.example.org' },
  { 'from-to-www-redirect': 'true' },
  { 'ssl-passthrough': 'true' },
  { 'default-backend': 'milk' },
  { 'auth-type': 'basic', 'auth-secret': 'users' },
  { 'auth-tls-secret': 'shop/authority' },
  { 'auth-url': 'http://auth.example.org/' },
  { 'service-upstream': 'true' },
  { 'custom-headers': 'headers' },
  { 'proxy-read-timeout': 'never' },
  { 'canary-weight': '30' },
)

const anIngress = fc
  .record({
    name: fc.constantFrom('one', 'two', 'three', 'four'),
    host: fc.constantFrom(...hosts),
    path: fc.constantFrom('/', '/tea', '/tea/', '/a(b'),
    pathType: fc.constantFrom('Exact', 'Prefix', 'ImplementationSpecific'),
    backend: fc.constantFrom('tea', 'milk', 'none'),
    secret: fc.constantFrom(undefined, 'cert', 'missing'),
    hasFallback: fc.boolean(),
    minute: fc.integer({ min: 0, max: 3 }),
    wishes: annotations,
  })
  .map(({ name, host, path, pathType, backend, secret, hasFallback, minute, wishes }): KubeObject => {
    const to = { service: { name: backend, port: { number: 80 } } }
    const rules = [{ ...(host === '' ? {} : { host }), http: { paths: [{ path, pathType, backend: to }] } }]
    const spec = {
      rules: hasFallback && path === '/tea/' ? [] : rules,
      ...(hasFallback ? { defaultBackend: to } : {}),
      ...(secret === undefined ? {} : { tls: [{ secretName: secret, hosts: [host] }] }),
    }
    const named = Object.fromEntries(Object.entries(wishes).map(([key, value]) => [prefix + key, value]))
    const made = ingress(`shop/${name}`, spec as Parameters<typeof ingress>[1], named)
    const creationTimestamp = `2026-01-01T00:0${minute}:00Z`
    return { ...made, metadata: { ...made.metadata, creationTimestamp } }
  })

const others = fc.constantFrom<KubeObject>(
  service('shop/tea', { clusterIP: '10.96.0.1', ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
  service('shop/tea', { clusterIP: 'None', ports: [{ port: 80, protocol: 'TCP' }] }),
  service('shop/milk', { clusterIP: '10.96.0.2', ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
  slice('shop/tea', ['10.20.3.4', '10.20.3.5']),
  slice('shop/tea', []),
  slice('shop/milk', ['10.20.3.6']),
  slice('shop/milk', []),
  secret('shop/cert', { 'tls.crt': pem.certificate, 'tls.key': pem.key }),
  secret('shop/cert', { 'tls.crt': pem.certificate, 'tls.key': pem.otherKey }),
  secret('shop/authority', { 'ca.crt': pem.certificate }),
  secret('shop/users', { auth: 'alice:hash' }),
  secret('shop/users', { auth: 'bob:hash' }),
  configMap('shop/settings', { 'proxy-read-timeout': '61' }),
  configMap('shop/settings', { 'proxy-read-timeout': '61', 'allow-snippet-annotations': 'true', hsts: 'false' }),
  configMap('shop/settings', { 'global-auth-url': 'http://auth.example.org/', 'custom-http-errors': '404' }),
  configMap('shop/settings', { 'global-allowed-response-headers': 'x-one', 'use-regex': 'true' }),
  configMap('shop/headers', { 'x-one': '1' }),
  configMap('shop/headers', { 'x-one': '2' }),
)

const change = fc.oneof(
  { weight: 3, arbitrary: anIngress.map((object) => ({ kind: 'put' as const, object })) },
  { weight: 2, arbitrary: others.map((object) => ({ kind: 'put' as const, object })) },
  { weight: 1, arbitrary: fc.oneof(anIngress, others).map((object) => ({ kind: 'drop' as const, object })) },
)

describe('A translator and a renderer with a memory', () => {
  it('say after every change of any sequence what a fresh translation and rendering say', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 2, maxLength: 14 }), (changes) => {
        const translator = createTranslator(options)
        const renderer = createRenderer()
        const objects = new Map<string, KubeObject>()
        for (const { kind, object } of changes) {
          const key = `${object.kind} ${keyOf(object)}`
          if (kind === 'put') objects.set(key, object)
          else objects.delete(key)
          const snapshot = snapshotOf(objects.values())
          const kept = translator.translate(snapshot)
          const fresh = translateIngresses(snapshot, options)
          expect(kept).toEqual(fresh)
          expect(printConfig(renderer.render(kept.value))).toBe(printConfig(renderConfig(fresh.value)))
          expect(dynamicData(kept.value)).toEqual(dynamicData(fresh.value))
        }
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('leave the servers of other hosts the same objects', () => {
    const hosted = (name: string, host: string, timeout: string): KubeObject =>
      ingress(
        `shop/${name}`,
        { rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend: backendTea } as never] } }] },
        { [`${prefix}proxy-read-timeout`]: timeout },
      )
    const kept = hosted('one', 'a.example.org', '60')
    const translator = createTranslator(options)
    const before = translator.translate(snapshotOf([kept, hosted('two', 'b.example.org', '60')])).value.servers
    const after = translator.translate(snapshotOf([kept, hosted('two', 'b.example.org', '70')])).value.servers
    expect(before.map((server, at) => [server.host, server === after[at]])).toEqual([
      ['_', true],
      ['a.example.org', true],
      ['b.example.org', false],
    ])
  })
})

describe('A translator with a memory', () => {
  const main = ingress('shop/main', { rules: [{ host: 'a.example.org', http: { paths: [rootTo('tea')] } }] })
  const canary = (weight: string): KubeObject =>
    ingress(
      'shop/next',
      { rules: [{ host: 'a.example.org', http: { paths: [rootTo('milk')] } }] },
      { [`${prefix}canary`]: 'true', [`${prefix}canary-weight`]: weight },
    )
  const around = [service('shop/tea'), service('shop/milk'), slice('shop/tea', ['10.20.3.4'])]

  it('gives another backend, not a changed one, when a canary comes, changes and goes', () => {
    const translator = createTranslator(options)
    const told = [[], [canary('0')], [canary('100')], []].map((more) => {
      const { value } = translator.translate(snapshotOf([main, ...around, ...more]))
      return { backend: value.backends.find(({ name }) => name === 'shop-tea-80'), data: dynamicData(value).backends }
    })
    expect(told.map(({ backend }) => backend?.alternatives)).toEqual([[], ['shop-milk-80'], ['shop-milk-80'], []])
    expect(new Set(told.map(({ data }) => JSON.stringify(data))).size).toBe(3)
  })
})

function rootTo(name: string): never {
  return { path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } } as never
}

const backendTea = { service: { name: 'tea', port: { number: 80 } } }
