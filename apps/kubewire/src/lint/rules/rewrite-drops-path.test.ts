import { snapshotOf } from '@kubewire/kube-model'
import { ingress, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { rewriteDropsPath } from './rewrite-drops-path.ts'

function findings(target: string, ...paths: readonly string[]): readonly string[] {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const http = { paths: paths.map((path) => ({ path, pathType: 'ImplementationSpecific', backend })) }
  const front = ingress(
    'shop/front',
    { rules: [{ host: 'shop.example.org', http }] },
    { 'nginx.ingress.kubernetes.io/rewrite-target': target },
  )
  return rewriteDropsPath.check(snapshotOf([service('shop/tea'), front])).map(({ message }) => message)
}

test.each<[string, string, readonly string[], readonly string[]]>([
  ['a path that catches the rest keeps it', '/$2', ['/tea(/|$)(.*)'], []],
  ['one path of an Ingress may lack the group that the others have', '/$2', ['/tea(/|$)(.*)', '/milk'], ['/milk']],
  ['a path with fewer groups than the target names', '/$2', ['/tea(.*)'], ['/tea']],
  ['a group of words is no beginning of its own', '/$1', ['/(tea|milk)$'], []],
])('%s', (_, target, paths, expected) => {
  expect(findings(target, ...paths)).toEqual(
    expected.map((path) => `shop.example.org${path}/a and ${path}/b both reach the backend as /`),
  )
})
