import { snapshotOf } from '@kubewire/kube-model'
import { ingress } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { snippetUse } from './snippet-use.ts'

test('every snippet annotation is named, others are not', () => {
  const prefix = 'nginx.ingress.kubernetes.io'
  const annotations = {
    [`${prefix}/server-snippet`]: 'x',
    [`${prefix}/auth-snippet`]: 'x',
    [`${prefix}/rewrite-target`]: '/',
  }
  const found = snippetUse.check(snapshotOf([ingress('shop/a', {}, annotations)])).map(({ path }) => path)
  expect(found).toEqual([
    `metadata.annotations["${prefix}/auth-snippet"]`,
    `metadata.annotations["${prefix}/server-snippet"]`,
  ])
})
