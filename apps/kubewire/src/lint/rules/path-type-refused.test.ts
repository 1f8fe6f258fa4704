import { snapshotOf } from '@kubewire/kube-model'
import { ingress, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { pathTypeRefused } from './path-type-refused.ts'

const literal = ', and without use-regex it would be a path of just these characters'
const prefix = 'nginx.ingress.kubernetes.io'

test.each<[string, string, string, { readonly [name: string]: string }, readonly string[]]>([
  ['an expression in a Prefix path', '/v[0-9]+', 'Prefix', {}, [literal]],
  ['one that is an expression indeed', '/v[0-9]+', 'Prefix', { [`${prefix}/use-regex`]: 'true' }, ['']],
  ['one that rewrite-target makes an expression', '/v1/(.*)', 'Exact', { [`${prefix}/rewrite-target`]: '/$1' }, ['']],
  ['letters of another alphabet', '/tee-käse', 'Exact', {}, [literal]],
  ['a plain path is none', '/a.b/c-d_e', 'Prefix', {}, []],
  ['nor is one of the other type', '/v[0-9]+', 'ImplementationSpecific', {}, []],
])('%s', (_, path, pathType, annotations, endings) => {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const rules = [{ host: 'shop.example.org', http: { paths: [{ path, pathType, backend }] } }]
  const front = ingress('shop/front', { rules }, annotations)
  const messages = pathTypeRefused.check(snapshotOf([service('shop/tea'), front])).map(({ message }) => message)
  expect(messages).toEqual(
    endings.map((end) => `"${path}" is no plain path: the webhook refuses it with pathType ${pathType}${end}`),
  )
})
