import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, createInformer } from '@kubewire/informer'
import { Services } from '@kubewire/informer/resources'
import { filter, firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { manifestCluster } from './manifest-source.ts'
import { writeAtomic } from './write-atomic.ts'

let folder = ''
let cluster: Cluster | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewire-'))
})
afterEach(async () => {
  await cluster?.close()
  await rm(folder, { recursive: true })
})

const service = (name: string, app: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: shop, labels: {app: ${app}}}\n`

test('an informer over a folder sees what is there, and every edit', async () => {
  await writeFile(join(folder, 'a.yaml'), service('tea', 'web'))
  cluster = await manifestCluster(folder, { settleMs: 5, pollMs: 50 })
  await using services = createInformer(cluster.source(Services, { labelSelector: 'app=web' })).start()
  await services.synced()
  expect([...services.store.keys()]).toEqual(['shop/tea'])
  const next = (type: string): Promise<unknown> =>
    firstValueFrom(services.changes$.pipe(filter((event) => event.type === type && event.key === 'shop/milk')))
  const added = next('added')
  await writeAtomic(join(folder, 'b.yaml'), service('milk', 'web'))
  await added
  const gone = next('deleted')
  await writeAtomic(join(folder, 'b.yaml'), service('milk', 'other'))
  await gone
  expect([...services.store.keys()]).toEqual(['shop/tea'])
})

test('a folder cannot be written to', async () => {
  cluster = await manifestCluster(folder)
  await expect(cluster.request({ method: 'DELETE', path: '/api/v1/nodes/a' })).rejects.toMatchObject({
    status: { code: 405 },
  })
})
