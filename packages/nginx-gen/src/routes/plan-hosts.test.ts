import { type KubeObject, snapshotOf } from '@kubewire/kube-model'
import { ingress } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { configMap, secret } from '../testing/objects.ts'
import { pem } from '../testing/pem.ts'
import { translateIngresses } from '../translate/translate.ts'
import { renderRouted } from './render-routed.ts'

const prefix = 'nginx.ingress.kubernetes.io/'

function host(name: string, annotations: { readonly [name: string]: string } = {}, path = '/'): KubeObject {
  const named = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [prefix + key, value]))
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const paths = [{ path, pathType: 'ImplementationSpecific', backend }]
  return ingress(`shop/${name.replaceAll(/[^a-z0-9]/g, '-')}`, { rules: [{ host: name, http: { paths } }] }, named)
}

const settings = {
  'allow-snippet-annotations': 'true',
  'annotations-risk-level': 'Critical',
}

/** Host → why it is static; `undefined` where it is data. */
function plan(
  objects: readonly KubeObject[],
  data: { readonly [key: string]: string } = settings,
): { readonly [host: string]: string | undefined } {
  const all = [...objects, configMap('shop/settings', data), secret('shop/authority', { 'ca.crt': pem.certificate })]
  const { value } = translateIngresses(snapshotOf(all), { watchWithoutClass: true, configMap: 'shop/settings' })
  return Object.fromEntries(
    renderRouted(value).hosts.map((one) => [one.host, one.kind === 'static' ? one.reason : undefined]),
  )
}

describe('a host keeps a server block where nginx only has that', () => {
  it.each([
    ['client certificates', { 'auth-tls-secret': 'shop/authority' }, /client certificates/],
    ['ciphers', { 'ssl-ciphers': 'HIGH' }, /ciphers/],
    ['a server snippet', { 'server-snippet': 'more_set_headers "X-A: b";' }, /server-snippet/],
    ['an alias that is an expression', { 'server-alias': '~^t[a-z]+\\.example\\.org$' }, /pattern/],
  ])('%s', (_, annotations, reason) => {
    expect(plan([host('a.example.org', annotations)])['a.example.org']).toMatch(reason)
  })

  it('a snippet that reads groups of the path', () => {
    const annotations = { 'use-regex': 'true', 'configuration-snippet': 'more_set_headers "X-Id: $1";' }
    expect(plan([host('a.example.org', annotations, '/x/(.*)')])['a.example.org']).toMatch(/groups/)
    const harmless = { ...annotations, 'configuration-snippet': 'more_set_headers "X-Id: $host";' }
    expect(plan([host('a.example.org', harmless, '/x/(.*)')])['a.example.org']).toBeUndefined()
  })

  it('all others are data', () => {
    const found = plan([host('a.example.org', { 'auth-url': 'http://auth.example.org/', 'limit-rps': '5' })])
    expect(found).toEqual({ _: undefined, 'a.example.org': undefined })
  })
})

it('a server block that would take the requests of a host by its pattern lets the host have one, too', () => {
  const found = plan([
    host('a.example.org', { 'server-alias': '~^b\\..*$' }),
    host('b.example.org'),
    host('c.example.org'),
    host('*.example.org'),
  ])
  expect(found['b.example.org']).toMatch(/would take it/)
  expect(found['*.example.org']).toMatch(/would take it/)
  expect(found['c.example.org']).toBeUndefined()
})

it('the whole configuration is static where nginx must know every name', () => {
  const found = plan([host('a.example.org')], { 'ssl-reject-handshake': 'true' })
  expect(Object.values(found).every((reason) => reason !== undefined)).toBe(true)
})
