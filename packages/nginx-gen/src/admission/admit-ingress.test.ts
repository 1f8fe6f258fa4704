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
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'shop', uid: given.uid ?? '6f2a5a8e-0000-4000-8000-000000000001', annotations },
    spec: given.spec ?? { rules: [{ host, http: { paths: [{ path, pathType, backend }] } }] },
  } as Ingress
}

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
