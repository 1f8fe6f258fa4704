import { keyOf, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, node, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import type { Input } from './input.ts'
import { selectInput } from './select-input.ts'

const labelled = (key: string, app: string) => {
  const [namespace = '', name = ''] = key.split('/')
  return service(key, {}, { metadata: { namespace, name, labels: { app } } })
}
const backend = { service: { name: 'tea', port: { number: 80 } } }
const paths = [{ path: '/', pathType: 'Prefix', backend }]
const front = ingress('shop/front', { rules: [{ http: { paths } }] })
const objects = [
  node('node-1', ['192.0.2.11']),
  labelled('shop/tea', 'tea'),
  labelled('shop/cup', 'cup'),
  labelled('dairy/milk', 'milk'),
  endpointSlice('dairy/milk', ['10.244.1.11']),
  { ...front, metadata: { ...front.metadata, labels: { app: 'front' } } },
]
const problem = { code: 'X', severity: 'warning', path: '', message: '', fallback: '' } as const
const input: Input = {
  objects,
  snapshot: snapshotOf(objects),
  problems: ['shop/tea', 'dairy/milk'].map((key) => {
    const [namespace = '', name = ''] = key.split('/')
    return { ...problem, object: { kind: 'Service', namespace, name } }
  }),
  positions: new Map(),
}

test.each<[string, string, string, readonly string[]]>([
  ['everything without a selection', '', '', ['dairy/milk', 'shop/cup', 'shop/front', 'shop/tea']],
  ['a namespace', 'dairy', '', ['dairy/milk']],
  ['labels', '', 'app in (milk, cup)', ['dairy/milk', 'shop/cup']],
  ['both', 'shop', 'app!=front', ['shop/cup', 'shop/tea']],
  ['an Ingress with the Services that it names', '', 'app=front', ['shop/front', 'shop/tea']],
])('%s', (_name, namespace, selector, keys) => {
  const { snapshot } = selectInput(input, { namespace, selector })
  expect([...snapshot.services, ...snapshot.ingresses].map((one) => keyOf(one)).sort()).toEqual(keys)
  expect([snapshot.nodes.size, snapshot.endpointSlices.size]).toEqual([1, 1])
})

test('problems of others are left out, and what was read is still there', () => {
  const { problems, selected } = selectInput(input, { namespace: 'dairy', selector: '' })
  expect(problems.map(({ object }) => object.name)).toEqual(['milk'])
  expect(selected?.whole).toBe(input)
  expect(selected?.holds({ kind: 'Service', namespace: 'shop', name: 'tea' })).toBe(false)
})

test.each([
  ['typo', '', /namespace "typo", found none among 4 of namespace dairy, shop/],
  ['', 'app=typo', /with labels "app=typo"/],
  ['', 'a b c', /expected a selector such as/],
])('what selects nothing is a mistake: -n %s -l %s', (namespace, selector, message) => {
  expect(() => selectInput(input, { namespace, selector })).toThrow(message)
})
