import { X509Certificate } from 'node:crypto'
import type { KubeObject } from '@kubewire/kube-model'
import { ingress } from '@kubewire/kube-model/testing'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { expect, test } from 'vitest'
import { missingSecrets } from './tls-secrets.ts'

test('a Secret that Ingresses name and nobody made covers all their hosts; one that exists is left alone', async () => {
  await using server = await createMiniApiServer({ isPlainHttp: true })
  const tls = (...hosts: string[]) => ({ secretName: 'shop-tls', hosts })
  const objects: readonly KubeObject[] = [
    ingress('shop/a', { ingressClassName: 'nginx', tls: [tls('a.example.org')], rules: [{ host: 'a.example.org' }] }),
    ingress('shop/b', {
      ingressClassName: 'nginx',
      tls: [tls('b.example.org', 'a.example.org')],
      rules: [{ host: 'b.example.org' }],
    }),
  ]
  server.apply(...objects)
  const [made, ...others] = await missingSecrets(server)
  expect(others).toEqual([])
  expect(made?.secret).toMatchObject({ type: 'kubernetes.io/tls', metadata: { namespace: 'shop', name: 'shop-tls' } })
  const certificate = new X509Certificate(made?.certificate ?? '')
  expect(['a.example.org', 'b.example.org', 'c.example.org'].map((host) => certificate.checkHost(host))).toEqual([
    'a.example.org',
    'b.example.org',
    undefined,
  ])
  server.apply(made?.secret ?? {})
  expect(await missingSecrets(server)).toEqual([])
})
