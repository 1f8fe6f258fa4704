// Nobody's text leaves its argument: whatever is written into an annotation, a ConfigMap key, a host, a path, a Service
// or a Secret, the parsed file is the tree that was printed, nginx's own rules for directives hold, and the other
// Ingress of the cluster is rendered as if the hostile one were not there.

import { deepEqual, type KubeObject, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { annotations } from '../annotations/registry.ts'
import { checkConfig } from '../config/check.ts'
import { parseConfig } from '../config/parse.ts'
import { type PlainNode, plainLine, plainTree } from '../config/plain.ts'
import { printConfig } from '../config/print.ts'
import { defaultSettings, parseSettings } from '../settings/parse.ts'
import { settings } from '../settings/registry.ts'
import { configMap, secret } from '../testing/objects.ts'
import { translateIngresses } from '../translate/translate.ts'
import { renderConfig } from './render.ts'

const payloads: readonly string[] = [
  '; return 299',
  '} server { listen 9; }',
  '"; return 299; #',
  "'; return 299; '",
  '\n return 299;\n',
  '\r\nX-Pwned: 1',
  '\\"; return 299; #',
  '{',
  '}',
  '#',
  '$host',
  '$',
  '${',
  '$(id)',
  '/x" /y break; return 299; #',
  '/a{1,2}',
  'x_by_lua_block { os.execute("id") }',
  '..;/../etc/passwd',
  '~^(',
  '\u2028return 299;',
  '\u0000',
  'é{}',
  ' ',
  '*',
  'a'.repeat(5000),
  'http://a.example/$request_uri; return 299;',
  'CN=x" ) { return 299; } #',
  'default',
  'include',
]

const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...payloads),
  fc.string({ unit: fc.constantFrom(...' ;{}"\'\\$#\n\r\tab/~^(*)=:,.1-_@%é'), maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

const good: readonly KubeObject[] = [
  service('shop/tea'),
  endpointSlice('shop/tea', ['10.244.1.5']),
  ingress('shop/good', {
    rules: [
      {
        host: 'good.example',
        http: { paths: [{ path: '/', backend: { service: { name: 'tea', port: { number: 80 } } } }] },
      },
    ],
  }),
]

/** Lines of the server of the good Ingress. */
function goodServer(tree: readonly PlainNode[]): string {
  const http = tree.find(({ name }) => name === 'http')
  const found = http?.children?.find(({ children }) =>
    children?.some((node) => plainLine(node) === 'server_name good.example'),
  )
  return JSON.stringify(found)
}

function render(objects: readonly KubeObject[]) {
  const options = { watchWithoutClass: true, configMap: 'ingress/main', tcpServices: 'ingress/tcp' }
  return renderConfig(translateIngresses(snapshotOf(objects), options).value)
}

const alone = goodServer(plainTree(render(good)))

function expectHarmless(...objects: readonly KubeObject[]): void {
  const tree = render([...good, ...objects])
  const parsed = parseConfig(printConfig(tree))
  expect(parsed.problems).toEqual([])
  expect(plainTree(parsed.value)).toEqual(plainTree(tree))
  expect(checkConfig(tree)).toEqual([])
  expect(goodServer(plainTree(parsed.value))).toBe(alone)
  expect(JSON.stringify(plainTree(tree))).not.toContain('"name":"return","args":["299"')
}

function evil(given: {
  readonly host?: string
  readonly path?: string
  readonly serviceName?: string
  readonly portName?: string
  readonly secretName?: string
  readonly name?: string
  readonly annotations?: { readonly [name: string]: string }
}): KubeObject {
  const { host = 'evil.example', path = '/', serviceName = 'tea', portName, secretName } = given
  const port = portName === undefined ? { number: 80 } : { name: portName }
  const paths = [{ path, pathType: 'ImplementationSpecific', backend: { service: { name: serviceName, port } } }]
  const tls = secretName === undefined ? {} : { tls: [{ hosts: [host], secretName }] }
  return ingress(
    `shop/${given.name ?? 'evil'}`,
    { rules: [{ host, http: { paths } }], ...tls },
    given.annotations ?? {},
  )
}

/** One of several hostile Ingresses, each with a host of its own. */
function numbered(i: number, annotations: { readonly [name: string]: string }): KubeObject {
  return evil({ name: `evil${i}`, host: `evil${i}.example`, annotations })
}

const prefix = 'nginx.ingress.kubernetes.io/'
const companions: { readonly [name: string]: string } = {
  canary: 'true',
  'enable-cors': 'true',
  'auth-type': 'basic',
  'auth-secret': 'passwords',
  'auth-url': 'http://auth.example/',
  'auth-cache-key': '$host',
  affinity: 'cookie',
  'permanent-redirect': 'https://a.example',
  'rewrite-target': '/x',
  'backend-protocol': 'FCGI',
  'mirror-target': 'http://copy.example',
  'limit-rps': '1',
}

describe('no text leaves its argument', () => {
  it.each(annotations.map(({ names }) => names[0]))('in the annotation %s', (name) => {
    expectHarmless(...payloads.map((value, i) => numbered(i, { [prefix + name]: value })))
    // Together with an annotation that brings the first into force.
    const both = fc.array(fc.tuple(nastyText, fc.constantFrom(...Object.entries(companions))), {
      minLength: 20,
      maxLength: 20,
    })
    fc.assert(
      fc.property(both, (rows) => {
        const objects = rows.map(([value, [other, text]], i) =>
          numbered(i, { [prefix + other]: text, [prefix + name]: value }),
        )
        expectHarmless(...objects)
      }),
      { numRuns: 2 },
    )
  })

  it('in the annotations of snippets, also where they are allowed', () => {
    const open = configMap('ingress/main', {
      'allow-snippet-annotations': 'true',
      'annotations-risk-level': 'Critical',
    })
    for (const value of payloads.filter((text) => !/^[a-z$ ]*$/.test(text))) {
      const tree = render([...good, open, evil({ annotations: { [`${prefix}configuration-snippet`]: value } })])
      const parsed = parseConfig(printConfig(tree))
      expect(parsed.problems).toEqual([])
      expect(goodServer(plainTree(parsed.value))).toBe(alone)
    }
  })

  it.each(Object.keys(settings).filter((key) => !key.endsWith('-snippet')))('in the ConfigMap key %s', (key) => {
    for (const value of payloads) {
      // What does not parse leaves the default and so the text as it is.
      if (deepEqual(parseSettings({ [key]: value }).value, defaultSettings)) continue
      const tree = render([...good, configMap('ingress/main', { [key]: value })])
      const parsed = parseConfig(printConfig(tree))
      expect(parsed.problems).toEqual([])
      expect(plainTree(parsed.value)).toEqual(plainTree(tree))
      expect(checkConfig(tree)).toEqual([])
    }
  })

  it('in hosts, paths, names of Services, ports and Secrets', () => {
    const fields = ['host', 'path', 'serviceName', 'portName', 'secretName', 'name'] as const
    for (const field of fields) {
      for (const annotations of [{}, { [`${prefix}rewrite-target`]: '/x' }, { [`${prefix}use-regex`]: 'true' }]) {
        const names = (i: number) => ({ name: `evil${i}`, host: `evil${i}.example` })
        expectHarmless(...payloads.map((value, i) => evil({ ...names(i), [field]: value, annotations })))
      }
    }
    fc.assert(
      fc.property(fc.constantFrom(...fields), nastyText, (field, value) => expectHarmless(evil({ [field]: value }))),
      { numRuns: 50 },
    )
  })

  it('in Secrets and ConfigMaps that annotations name', () => {
    const references = { 'auth-type': 'basic', 'auth-secret': 'x', 'auth-secret-type': 'auth-map' }
    const named = (more: { readonly [name: string]: string }): KubeObject =>
      evil({ annotations: Object.fromEntries(Object.entries(more).map(([name, value]) => [prefix + name, value])) })
    const admitted = configMap('ingress/main', {
      'global-allowed-response-headers': 'X-A',
      'proxy-set-headers': 'shop/headers',
      'add-headers': 'shop/headers',
    })
    for (const value of payloads) {
      expectHarmless(secret('shop/x', { [value]: 'hash', ada: value }), named(references))
      const headers = configMap('shop/headers', { 'X-A': value, [value]: 'x' })
      const tree = render([...good, admitted, headers, named({ 'custom-headers': 'headers' })])
      expect(parseConfig(printConfig(tree)).problems).toEqual([])
      expect(checkConfig(tree)).toEqual([])
      expectHarmless(headers, named({ 'auth-url': 'http://a.example', 'auth-proxy-set-headers': 'headers' }))
      expectHarmless(
        configMap('ingress/tcp', { [value]: 'shop/tea:80', '9000': value, '9001': `shop/tea:80:${value}` }),
      )
    }
  })
})
