import { type Ingress, type KubeObject, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { printConfig } from '../config/print.ts'
import { renderConfig } from '../render/render.ts'
import { describeRequests } from '../testing/describe-requests.ts'
import { configMap, secret } from '../testing/objects.ts'
import { pem } from '../testing/pem.ts'
import { translateIngresses } from './translate.ts'

const prefix = 'nginx.ingress.kubernetes.io/'

/** An Ingress of namespace shop: rules as `host path type service`, annotations without prefix. */
function front(
  name: string,
  age: number,
  rules: readonly string[],
  annotations: { readonly [name: string]: string } = {},
): Ingress {
  const spec = {
    rules: rules.map((rule) => {
      const [host = '', path = '/', pathType = 'Prefix', target = 'tea'] = rule.split(' ')
      const backend = { service: { name: target, port: { number: 80 } } }
      return { ...(host === '*' ? {} : { host }), http: { paths: [{ path, pathType, backend }] } }
    }),
  }
  const named = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [prefix + key, value]))
  const one = ingress(`shop/${name}`, spec, named)
  const creationTimestamp = new Date(Date.UTC(2026, 0, 1 + age)).toISOString()
  return { ...one, metadata: { ...one.metadata, creationTimestamp } }
}

const services: readonly KubeObject[] = ['tea', 'milk', 'sugar'].flatMap((name, i) => [
  service(`shop/${name}`),
  endpointSlice(`shop/${name}`, [`10.244.1.${i + 1}`]),
])

function translate(...objects: readonly KubeObject[]) {
  return translateIngresses(snapshotOf([...services, ...objects]), { watchWithoutClass: true })
}

function treeOf(...objects: readonly KubeObject[]) {
  return renderConfig(translate(...objects).value)
}

describeRequests(
  'path types',
  treeOf(front('a', 0, ['t.example /foo Prefix tea', 't.example /bar Exact milk', 't.example /foo Exact sugar'])),
  [
    ['t.example/foo', 'backend shop-sugar-80', 'an Exact path beats the Prefix of the same text'],
    ['t.example/foo/x', 'backend shop-tea-80', 'a Prefix path takes what is below it'],
    ['t.example/foobar', 'backend upstream-default-backend', 'a Prefix path ends at an element'],
    ['t.example/bar', 'backend shop-milk-80', 'an Exact path takes itself'],
    ['t.example/bar/', 'backend upstream-default-backend', 'an Exact path takes nothing else'],
    ['other.example/foo', 'backend upstream-default-backend', 'another host is nobody’s'],
  ],
)

describeRequests(
  'one rewrite on a host',
  treeOf(
    front('a', 0, ['t.example /foo Prefix tea']),
    front('b', 1, ['t.example /api ImplementationSpecific milk'], { 'rewrite-target': '/x' }),
  ),
  [
    ['t.example/foobar', 'backend shop-tea-80', 'opens the end of every Prefix path of the host'],
    ['t.example/FOO', 'backend shop-tea-80', 'makes letters of both cases equal'],
    ['t.example/api/1', 'backend shop-milk-80 /x', 'rewrites its own paths'],
  ],
)

describeRequests(
  'hosts',
  treeOf(front('a', 0, ['*.t.example / Prefix tea', 'a.t.example / Prefix milk', '* /any Prefix sugar'])),
  [
    ['a.t.example/', 'backend shop-milk-80', 'an exact host beats a wildcard'],
    ['b.t.example/', 'backend shop-tea-80', 'a wildcard stands for one label'],
    ['c.b.t.example/', 'backend upstream-default-backend', 'a wildcard is not two labels'],
    ['x.example/any', 'backend shop-sugar-80', 'a rule without host is for every host that has no rule'],
  ],
)

describe('conflicts', () => {
  it('the oldest Ingress keeps host and path, the other keeps the rest of its own', () => {
    const { value, problems } = translate(
      front('young', 2, ['t.example /a Prefix milk', 't.example /b Prefix milk']),
      front('old', 1, ['t.example /a Prefix tea']),
    )
    const server = value.servers.find(({ host }) => host === 't.example')
    const owners = new Map(server?.locations.map(({ route }) => [route.path, route.backend]))
    expect(owners.get('/a')).toBe('shop-tea-80')
    expect(owners.get('/b')).toBe('shop-milk-80')
    expect(problems.map(({ code }) => code)).toEqual(['NGX_CONFLICT'])
  })

  it('no location is written twice, which would stop every change', () => {
    const { value } = translate(
      front('a', 0, ['t.example /foo Prefix tea', 't.example /foo/ Prefix milk', 't.example / Exact tea']),
    )
    const keys = value.servers
      .find(({ host }) => host === 't.example')
      ?.locations.map(({ route }) => `${route.match} ${route.path}`)
    expect(keys).toEqual([...new Set(keys)])
    expect(keys).toContain('exact /')
  })
})

describe('one bad Ingress', () => {
  it('is set aside and leaves the others as they are', () => {
    const good = front('good', 1, ['t.example / Prefix tea'])
    const bad = front('bad', 0, ['b.example / Prefix milk'], { 'permanent-redirect': 'x; return 299' })
    expect(printConfig(treeOf(good, bad))).toBe(printConfig(treeOf(good)))
    expect(translate(good, bad).refused).toEqual([{ kind: 'Ingress', namespace: 'shop', name: 'bad' }])
  })
})

describe('default backends', () => {
  it('of an Ingress without rules take the catch-all, without its redirects', () => {
    const one = front('all', 0, [], { 'permanent-redirect': 'https://new.example', 'force-ssl-redirect': 'true' })
    const spec = { defaultBackend: { service: { name: 'tea', port: { number: 80 } } } }
    const root = translate({ ...one, spec } as Ingress).value.servers.find(({ host }) => host === '_')?.locations[0]
    expect(root?.route.backend).toBe('shop-tea-80')
    const text = printConfig(treeOf({ ...one, spec } as Ingress))
    expect(text).not.toContain('new.example')
    expect(text).not.toContain('$ssl_redirect always')
  })
})

it('a default backend takes its balancing from the youngest Ingress that names it as such', () => {
  const withDefault = (one: Ingress): Ingress =>
    ({ ...one, spec: { ...one.spec, defaultBackend: { service: { name: 'tea', port: { number: 80 } } } } }) as Ingress
  const of = (...objects: readonly Ingress[]) =>
    translate(...objects).value.backends.find(({ name }) => name === 'shop-tea-80')?.balancing
  const first = front('a', 0, ['a.example / Prefix tea'], { 'load-balance': 'ewma' })
  const second = front('b', 1, ['b.example / Prefix milk'], { 'upstream-hash-by': '$host' })
  expect(of(first, second)).toEqual({ kind: 'ewma' })
  expect(of(first, withDefault(second))).toMatchObject({ kind: 'hash' })
  expect(of(withDefault(first), second)).toEqual({ kind: 'ewma' })
  expect(of(first, withDefault(second), withDefault(front('c', 2, ['c.example / Prefix milk'])))).toEqual({
    kind: 'round-robin',
  })
})

describe('canaries', () => {
  const main = front('main', 0, ['t.example / Prefix tea'])
  const weight = { canary: 'true', 'canary-weight': '30' }

  it('attach to the backend of the same host, path and type', () => {
    const { value } = translate(main, front('next', 1, ['t.example / Prefix milk'], weight))
    expect(value.backends.find(({ name }) => name === 'shop-tea-80')?.alternatives).toEqual(['shop-milk-80'])
    expect(value.backends.find(({ name }) => name === 'shop-milk-80')?.canary).toMatchObject({
      weight: 30,
      weightTotal: 100,
    })
  })

  it('never make locations, also where their Service is an ordinary backend elsewhere', () => {
    const { value } = translate(
      main,
      front('o', 1, ['o.example / Prefix milk']),
      front('next', 2, ['t.example /x Prefix milk'], weight),
    )
    expect(value.servers.find(({ host }) => host === 't.example')?.locations).toHaveLength(1)
  })

  it('that are older take their Service away from an ordinary Ingress, with a problem', () => {
    const { value, problems } = translate(
      front('next', 0, ['t.example / Prefix tea'], weight),
      front('main', 1, ['t.example / Prefix tea']),
    )
    const root = value.servers.find(({ host }) => host === 't.example')?.locations[0]
    expect(root?.route.backend).toBe('upstream-default-backend')
    expect(problems.every(({ code }) => code === 'NGX_CANARY')).toBe(true)
  })

  it('with nothing to attach to are dropped with a problem', () => {
    const { value, problems } = translate(main, front('next', 1, ['t.example /y Prefix milk'], weight))
    expect(value.backends.some(({ name }) => name === 'shop-milk-80')).toBe(false)
    expect(problems.map(({ code }) => code)).toEqual(['NGX_CANARY'])
  })

  it('with one path that attaches and another that does not are dropped for both, as ever', () => {
    const both = front('next', 1, ['t.example / Prefix milk', 't.example /y Prefix milk'], weight)
    const { value, problems } = translate(main, both)
    expect(value.backends.some(({ name }) => name === 'shop-milk-80')).toBe(false)
    expect(problems.map(({ path }) => path)).toEqual(['spec.rules[1].http.paths[0]'])
  })

  it('do not mind a host that nobody else has', () => {
    const both = front('next', 1, ['t.example / Prefix milk', 'o.example / Prefix milk'], weight)
    expect(translate(main, both).value.backends.some(({ name }) => name === 'shop-milk-80')).toBe(true)
  })

  it('give a Service back to a younger Ingress that has it as its default backend', () => {
    const young = front('main', 1, ['o.example / Prefix tea'], { 'load-balance': 'ewma' })
    const spec = { ...young.spec, defaultBackend: { service: { name: 'milk', port: { number: 80 } } } }
    const { value } = translate(front('next', 0, ['t.example / Prefix milk'], weight), { ...young, spec } as Ingress)
    const milk = value.backends.find(({ name }) => name === 'shop-milk-80')
    expect(milk).toMatchObject({ balancing: { kind: 'ewma' }, canary: undefined })
  })

  it('keep a client by the cookie of the main backend', () => {
    const sticky = front('main', 0, ['t.example / Prefix tea'], { affinity: 'cookie' })
    const { value } = translate(sticky, front('next', 1, ['t.example / Prefix milk'], weight))
    expect(value.backends.find(({ name }) => name === 'shop-milk-80')?.affinity?.cookieName).toBe('INGRESSCOOKIE')
    const legacy = { ...weight, 'affinity-canary-behavior': 'legacy' }
    const old = translate(sticky, front('next', 1, ['t.example / Prefix milk'], legacy)).value
    expect(old.backends.find(({ name }) => name === 'shop-milk-80')?.affinity).toBeUndefined()
  })
})

describe('certificates', () => {
  const tls = (host: string, hosts: readonly string[], secretName: string): Ingress => {
    const one = front('a', 0, [`${host} / Prefix tea`])
    return { ...one, spec: { ...one.spec, tls: [{ hosts, secretName }] } }
  }
  const good = secret('shop/tls', { 'tls.crt': pem.certificate, 'tls.key': pem.key })
  const certificateFor = (host: string, ...objects: readonly KubeObject[]): string | undefined =>
    translate(...objects).value.tls.hosts[host]

  it.each([
    ['a listed host has the certificate of its Secret', 'tea.example', ['tea.example'], 'tls', true],
    ['a host that is not listed has it where it covers the host', 'a.tea.example', ['tea.example'], 'tls', true],
    ['a certificate that does not cover the host is not served', 'milk.example', ['milk.example'], 'tls', false],
    ['a Secret that does not exist gives the default certificate', 'tea.example', ['tea.example'], 'gone', false],
    ['an empty Secret name gives the default certificate', 'tea.example', ['tea.example'], '', false],
  ] as const)('%s', (_, host, hosts, secretName, own) => {
    const found = certificateFor(host, tls(host, hosts, secretName), good)
    expect(own ? found?.length : found).toBe(own ? 32 : 'default')
  })

  it('a Common Name counts for a host that is listed, and for no other', () => {
    const old = secret('shop/old', { 'tls.crt': pem.commonNameOnly, 'tls.key': pem.key })
    expect(certificateFor('milk.example', tls('milk.example', ['milk.example'], 'old'), old)).toHaveLength(32)
    expect(certificateFor('milk.example', tls('milk.example', ['tea.example'], 'old'), old)).toBe('default')
  })

  it('a host without tls has none', () => {
    expect(certificateFor('tea.example', front('a', 0, ['tea.example / Prefix tea']), good)).toBeUndefined()
  })

  it('a key of another certificate is refused', () => {
    const mixed = secret('shop/tls', { 'tls.crt': pem.certificate, 'tls.key': pem.otherKey })
    expect(certificateFor('tea.example', tls('tea.example', ['tea.example'], 'tls'), mixed)).toBe('default')
  })

  it('content is no part of the text, so that a renewal needs no reload', () => {
    const text = printConfig(treeOf(tls('tea.example', ['tea.example'], 'tls'), good))
    expect(text).toBe(printConfig(treeOf(tls('tea.example', ['tea.example'], 'tls'))))
  })
})

describe('TCP and UDP services', () => {
  const streams = (data: { readonly [port: string]: string }) =>
    translateIngresses(snapshotOf([...services, configMap('ingress/tcp', data)]), { tcpServices: 'ingress/tcp' })

  it('are exposed by port', () => {
    const { value } = streams({ '9000': 'shop/tea:80', '9001': 'shop/milk:http:PROXY:PROXY' })
    expect(value.stream).toMatchObject([
      { port: 9000, endpoints: [{ address: '10.244.1.1', port: 8080 }], acceptsProxyProtocol: false },
      { port: 9001, acceptsProxyProtocol: true, sendsProxyProtocol: true },
    ])
  })

  it.each([
    ['shop/tea:80', false, false],
    ['shop/tea:80:proxy', true, false],
    ['shop/tea:80::PROXY', false, true],
    ['shop/tea:80:PROXY:PROXY:more', true, false],
  ])('%s accepts the PROXY protocol: %s, sends it: %s', (value, accepts, sends) => {
    const service = streams({ '9000': value }).value.stream[0]
    expect([service?.acceptsProxyProtocol, service?.sendsProxyProtocol]).toEqual([accepts, sends])
  })

  it.each([
    ['a port that is none', { x: 'shop/tea:80' }],
    ['a port of ours', { '443': 'shop/tea:80' }],
    ['a Service that does not exist', { '9000': 'shop/gone:80' }],
    ['a port that the Service lacks', { '9000': 'shop/tea:81' }],
    ['a value that is none', { '9000': 'tea' }],
  ])('%s is left out with a problem', (_, data) => {
    const { value, problems } = streams(data as { [port: string]: string })
    expect(value.stream).toEqual([])
    expect(problems.map(({ code }) => code)).toEqual(['NGX_STREAM'])
  })
})
