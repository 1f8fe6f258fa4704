import { expect, test } from 'vitest'
import { withDefaultNamespace } from './scope.ts'

test.each([
  ['a kind that needs a namespace is put into default', { kind: 'Service', metadata: { name: 'tea' } }, 'default'],
  ['a namespace that is given stays', { kind: 'Service', metadata: { name: 'tea', namespace: 'shop' } }, 'shop'],
  ['a kind without namespaces gets none', { kind: 'Node', metadata: { name: 'node-1' } }, undefined],
])('%s', (_name, object, namespace) => {
  expect(withDefaultNamespace(object).metadata).toEqual({ ...object.metadata, ...(namespace ? { namespace } : {}) })
})
