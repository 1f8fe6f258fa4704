import { type Ingress, type KubeObject, snapshotOf } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import type { ControllerOptions } from '../snapshot/controller-options.ts'
import { admitIngress } from './admit-ingress.ts'

interface Given {
  readonly name?: string
  readonly host?: string
  readonly path?: string
  readonly pathType?: string
  readonly annotations?: { readonly [name: string]: string }
  readonly uid?: string
  readonly spec?: object
}

function ingress(given: Given = {}): Ingress {
  const { name = 'new', host = 'a.example.org', path = '/', pathType = 'Prefix', annotations = {} } = given
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'shop', uid: given.uid ?? '6f2a5a8e-0000-4000-8000-000000000001', annotations },
    spec: given.spec ?? { rules: [{ host, http: { paths: [{ path, pathType, backend }] } }] },
  } as Ingress
}

const backend = { service: { name: 'tea', port: { number: 80 } } }

const prefix = 'nginx.ingress.kubernetes.io'
const snippet = { [`${prefix}/server-snippet`]: 'return 200;' }
const canary = { [`${prefix}/canary`]: 'true' }

function answer(one: Ingress, others: readonly KubeObject[] = [], options: Partial<ControllerOptions> = {}): string {
  const admission = admitIngress(snapshotOf(others), one, { watchWithoutClass: true, ...options })
  return admission.isAllowed ? 'allowed' : admission.message
}

describe('what the admission webhook refuses', () => {
  const taken = ingress({ name: 'old', path: '/a' })
  const rows: readonly (readonly [fact: string, found: () => string, wanted: RegExp])[] = [
    ['an ordinary Ingress passes', () => answer(ingress()), /^allowed$/],
    [
      'one of another class passes unseen',
      () => answer(ingress({ annotations: snippet }), [], { watchWithoutClass: false }),
      /^allowed$/,
    ],
    ['an expression in a Prefix path', () => answer(ingress({ path: '/[a-z]' })), /path/],
    [
      'but not in an ImplementationSpecific one',
      () => answer(ingress({ path: '/[a-z]', pathType: 'ImplementationSpecific' })),
      /^allowed$/,
    ],
    [
      'a path somebody else has',
      () => answer(ingress({ path: '/a' }), [taken]),
      /already defined in ingress shop\/old/,
    ],
    [
      'a path that differs from a Prefix path of somebody else in its closing slash',
      () => answer(ingress({ path: '/a/' }), [taken]),
      /already defined in ingress shop\/old/,
    ],
    [
      'an Exact path beside the Prefix path of somebody else passes',
      () => answer(ingress({ path: '/a', pathType: 'Exact' }), [taken]),
      /^allowed$/,
    ],
    [
      'a Prefix path beside the Exact path of somebody else',
      () => answer(ingress({ path: '/a' }), [ingress({ name: 'old', path: '/a', pathType: 'Exact' })]),
      /already defined in ingress shop\/old/,
    ],
    [
      'the root of all hosts where a catch-all has it',
      () => answer(ingress({ host: '' }), [ingress({ name: 'all', spec: { defaultBackend: backend } })]),
      /host "_" and path "\/" is already defined in ingress shop\/all/,
    ],
    [
      'what only denies its own locations passes',
      () => answer(ingress({ annotations: { [`${prefix}/allowlist-source-range`]: 'bad' } })),
      /^allowed$/,
    ],
    [
      'who says that it is no canary passes, as with the original',
      () => answer(ingress({ path: '/a', annotations: { 'nginx.ingress.kubernetes.io/canary': 'false' } }), [taken]),
      /^allowed$/,
    ],
    [
      'a canary beside its main passes',
      () => answer(ingress({ path: '/a', annotations: canary }), [taken]),
      /^allowed$/,
    ],
    [
      'a second canary',
      () =>
        answer(ingress({ path: '/a', annotations: canary }), [
          { ...taken, metadata: { ...taken.metadata, annotations: canary } },
        ]),
      /already defined/,
    ],
    ['its own update passes', () => answer(ingress({ name: 'old', path: '/a' }), [taken]), /^allowed$/],
    ['a snippet while snippets are off', () => answer(ingress({ annotations: snippet })), /snippet/i],
    ['a uid that is no UUID', () => answer(ingress({ uid: '../x' })), /uid/],
    ['a path that names a protected file', () => answer(ingress({ path: '/etc/passwd' })), /protected file/],
    [
      'the standard prefix beside a custom one',
      () => answer(ingress({ annotations: canary }), [], { annotationsPrefix: 'x.example' }),
      /prefix/,
    ],
    [
      'a catch-all where there must be none',
      () => answer(ingress({ spec: { defaultBackend: {} } }), [], { disableCatchAll: true }),
      /catch-all/,
    ],
  ]
  it.each(rows)('%s', (_, found, wanted) => {
    expect(found()).toMatch(wanted)
  })
})

describe('what the admission webhook warns about', () => {
  const rewrite = { [`${prefix}/rewrite-target`]: '/x' }
  const warnings = (one: Ingress, others: readonly KubeObject[] = []): readonly string[] =>
    admitIngress(snapshotOf(others), one, { watchWithoutClass: true, configMap: 'shop/settings' }).warnings.filter(
      (text) => !text.includes('the Service does not exist'),
    )
  const lenient = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'shop' },
    data: { 'strict-validate-path-type': 'false' },
  } as KubeObject

  it('nothing in an ordinary Ingress', () => {
    expect(warnings(ingress())).toEqual([])
  })

  it('an odd path where it is not refused', () => {
    expect(warnings(ingress({ path: '/[a-z]' }), [lenient]).join()).toMatch(/cannot be used with pathType Prefix/)
  })

  it('a path that an expression of another Ingress changes', () => {
    const other = ingress({ name: 'old', path: '/a', annotations: rewrite })
    expect(warnings(ingress({ path: '/b', pathType: 'Exact' }), [other])).toEqual([
      'host a.example.org: its paths are expressions, so Exact /b matches whatever begins with it, in any case of letters',
    ])
  })

  it('a rewrite that changes the paths of another Ingress', () => {
    const other = ingress({ name: 'old', path: '/a' })
    expect(warnings(ingress({ path: '/b', annotations: rewrite }), [other])).toEqual([
      'host a.example.org: rewrite-target or use-regex makes expressions of all its paths, also those of shop/old',
    ])
  })

  it('an annotation that nothing reads any more', () => {
    expect(warnings(ingress({ annotations: { [`${prefix}/enable-influxdb`]: 'true' } })).join()).toMatch(/influxdb/)
  })

  it('and tells how large the configuration was', () => {
    expect(admitIngress(snapshotOf([]), ingress(), { watchWithoutClass: true }).configBytes).toBeGreaterThan(5000)
  })
})
