import { type KubeObject, snapshotOf } from '@kubewire/kube-model'
import { ingress, namespace } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { type ControllerOptions, defaultControllerOptions } from './controller-options.ts'
import { selectIngresses } from './select.ts'

const classes: readonly KubeObject[] = [
  { kind: 'IngressClass', metadata: { name: 'nginx' }, spec: { controller: 'k8s.io/ingress-nginx' } } as KubeObject,
  { kind: 'IngressClass', metadata: { name: 'other' }, spec: { controller: 'example.org/other' } } as KubeObject,
]

/** Names of the selected Ingresses in order. */
function selected(objects: readonly KubeObject[], options: Partial<ControllerOptions> = {}): readonly string[] {
  const snapshot = snapshotOf([...classes, ...objects])
  return selectIngresses(snapshot, { ...defaultControllerOptions, ...options }).value.map(
    (one) => one.metadata?.name ?? '',
  )
}

const byField = (name: string, ingressClassName: string) => ingress(`shop/${name}`, { ingressClassName })
const byAnnotation = (name: string, value: string) =>
  ingress(`shop/${name}`, {}, { 'kubernetes.io/ingress.class': value })

describe('the class of an Ingress', () => {
  const rows: readonly (readonly [string, KubeObject, Partial<ControllerOptions>, boolean])[] = [
    ['our IngressClass is ours', byField('a', 'nginx'), {}, true],
    ['another controller’s is not', byField('a', 'other'), {}, false],
    ['an unknown one is not', byField('a', 'gone'), {}, false],
    [
      'by name, its controller does not count',
      byField('a', 'other'),
      { classByName: true, ingressClass: 'other' },
      true,
    ],
    ['the annotation counts without a field', byAnnotation('a', 'nginx'), {}, true],
    ['the annotation of another class does not', byAnnotation('a', 'x'), {}, false],
    ['an empty annotation is a class of its own', byAnnotation('a', ''), { watchWithoutClass: true }, false],
    ['none is not ours', ingress('shop/a', {}), {}, false],
    ['none is ours where we watch for that', ingress('shop/a', {}), { watchWithoutClass: true }, true],
    ['the field is ignored where classes cannot be read', byField('a', 'nginx'), { hasIngressClasses: false }, false],
  ]
  it.each(rows)('%s', (_, object, options, isOurs) => {
    expect(selected([object], options)).toEqual(isOurs ? ['a'] : [])
  })

  it('the field beats the annotation, whatever that says', () => {
    const both = ingress('shop/a', { ingressClassName: 'other' }, { 'kubernetes.io/ingress.class': 'nginx' })
    expect(selected([both])).toEqual([])
  })
})

describe('which Ingresses are watched', () => {
  it('only those of one namespace where that is wanted', () => {
    const objects = [ingress('shop/a', {}), ingress('other/b', {})]
    expect(selected(objects, { watchWithoutClass: true, watchNamespace: 'other' })).toEqual(['b'])
  })

  it('only those of namespaces with fitting labels', () => {
    const objects = [
      ingress('shop/a', {}),
      ingress('other/b', {}),
      namespace('shop', { team: 'tea' }),
      namespace('other'),
    ]
    expect(selected(objects, { watchWithoutClass: true, watchNamespaceSelector: 'team=tea' })).toEqual(['a'])
  })

  it('no catch-all where that is switched off', () => {
    const objects = [ingress('shop/a', { defaultBackend: { service: { name: 'x', port: { number: 1 } } } })]
    expect(selected(objects, { watchWithoutClass: true, disableCatchAll: true })).toEqual([])
  })

  const hostile: readonly (readonly [string, Parameters<typeof ingress>[1]])[] = [
    ['a path that names a password file', { rules: [{ http: { paths: [{ path: '/etc/passwd' }] } }] }],
    ['a path with a directive', { rules: [{ http: { paths: [{ path: '/x;\nalias /etc;' }] } }] }],
    ['a path with a line break', { rules: [{ http: { paths: [{ path: '/a\n/b' }] } }] }],
    ['a host with a brace', { rules: [{ host: 'a{b' }] }],
    ['a TLS host with Lua', { tls: [{ hosts: ['x_by_lua_block'] }] }],
    ['a Secret in the token folder', { tls: [{ secretName: '/var/run/secrets/token' }] }],
    ['a path longer than any honest one', { rules: [{ http: { paths: [{ path: `/${'a'.repeat(2000)}` }] } }] }],
  ]
  it.each(hostile)('%s sets the Ingress aside', (_, spec) => {
    expect(selected([ingress('shop/a', spec)], { watchWithoutClass: true })).toEqual([])
  })
})

describe('the order of Ingresses', () => {
  it('is by age, then by name from the end of the alphabet', () => {
    const at = (name: string, creationTimestamp: string) => {
      const one = ingress(`shop/${name}`, {})
      return { ...one, metadata: { ...one.metadata, creationTimestamp } }
    }
    const objects = [at('a', '2026-01-02T00:00:00Z'), at('b', '2026-01-02T00:00:00Z'), at('c', '2026-01-01T00:00:00Z')]
    expect(selected(objects, { watchWithoutClass: true })).toEqual(['c', 'b', 'a'])
  })
})
