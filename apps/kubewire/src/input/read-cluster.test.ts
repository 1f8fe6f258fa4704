import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, keyOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ClusterError } from '../exit-code.ts'
import type { Output } from '../output.ts'
import { readCluster } from './read-cluster.ts'

const output: Output = { data: () => {}, note: () => {}, readStdin: async () => '', hasColour: false }
const everything = { context: '', kubeconfig: '', namespace: '', selector: '' }

let folder = ''
let kubeconfig = ''
let server: MiniApiServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewire-'))
  kubeconfig = join(folder, 'config')
  server = await createMiniApiServer({ pageCap: 1 })
  const objects: readonly KubeObject[] = [
    service('shop/tea', {}, { metadata: { name: 'tea', namespace: 'shop', labels: { app: 'tea' } } }),
    service('data/db'),
    endpointSlice('shop/tea', ['10.244.1.11']),
    ingress('shop/front', { ingressClassName: 'nginx', rules: [{ host: 'shop.example.org' }] }),
  ]
  server.apply(...objects)
  await writeFile(kubeconfig, server.kubeconfig())
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function keys(values: Partial<typeof everything>): Promise<string[]> {
  const objects = await readCluster({ ...everything, kubeconfig, ...values }, output)
  return objects.map((object) => `${object.kind} ${keyOf(object)}`)
}

test('every kind comes with its kind, page after page', async () => {
  const found = await keys({})
  for (const key of [
    'Service shop/tea',
    'Service data/db',
    'EndpointSlice shop/tea-a',
    'Ingress shop/front',
    'Namespace shop',
  ]) {
    expect(found).toContain(key)
  }
})

test('a namespace narrows what is read', async () => {
  expect((await keys({ namespace: 'data' })).filter((key) => key.startsWith('Service '))).toEqual(['Service data/db'])
})

test('a cluster that is not there is an error of its own', async () => {
  const elsewhere = join(folder, 'elsewhere')
  await writeFile(elsewhere, server.kubeconfig().replace(/server: .*/, 'server: https://127.0.0.1:1'))
  await expect(readCluster({ ...everything, kubeconfig: elsewhere }, output)).rejects.toBeInstanceOf(ClusterError)
  await expect(readCluster({ ...everything, context: 'none', kubeconfig }, output)).rejects.toBeInstanceOf(ClusterError)
})
