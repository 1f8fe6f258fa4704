// Logging in over real sockets: certificates, rotated tokens, service accounts, gzip, and client-node's own logins.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { KubeConfig } from '@kubernetes/client-node'
import { type Cluster, createInformer, resourcePath } from '@kubewire/informer'
import { connectCluster } from '@kubewire/informer/client-node'
import { connectInCluster, inClusterNamespace } from '@kubewire/informer/in-cluster'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { ConfigMaps, Namespaces } from '@kubewire/informer/resources'
import type { KubeObject } from '@kubewire/kube-model'
import { createMiniApiServer, type MiniApiServer, makeCertificate } from '@kubewire/mini-apiserver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pause } from './world.ts'

let directory = ''
let server: MiniApiServer
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kw-connect-'))
  server = await createMiniApiServer({ adminToken: 'first' })
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}

async function namespacesOf(cluster: Cluster): Promise<string[]> {
  const informer = createInformer(cluster.source(Namespaces)).start()
  try {
    await informer.synced({ signal: AbortSignal.timeout(10_000) })
    return [...informer.store].map(({ metadata }) => metadata?.name ?? '').sort()
  } finally {
    await informer.close()
    await cluster.close()
  }
}
const born = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

describe('connecting', () => {
  it('by the text of a kubeconfig, over https with its certificate', async () => {
    expect(await namespacesOf(await connectKubeconfig({ text: server.kubeconfig() }))).toEqual(born)
  })

  it('by a kubeconfig file, found as kubectl finds it', async () => {
    const path = file('config', server.kubeconfig())
    expect(await namespacesOf(await connectCluster({ env: { KUBECONFIG: path } }))).toEqual(born)
  })

  it('by the KubeConfig of a program that has one', async () => {
    const kubeConfig = new KubeConfig()
    kubeConfig.loadFromString(server.kubeconfig())
    expect(await namespacesOf(await connectCluster({ kubeConfig }))).toEqual(born)
  })

  it('by a KubeConfig with a plain http server, which client-node itself refuses', async () => {
    const plain = await createMiniApiServer({ isPlainHttp: true })
    const kubeConfig = new KubeConfig()
    kubeConfig.loadFromOptions({
      clusters: [{ name: 'c', server: plain.url }],
      users: [{ name: 'u' }],
      contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
      currentContext: 'x',
    })
    expect(await namespacesOf(await connectCluster({ kubeConfig }))).toEqual(born)
    await plain.close()
  })

  it('as a pod, with the files of its service account', async () => {
    file('token', 'first\n')
    file('ca.crt', server.certificate ?? '')
    file('namespace', 'shop')
    const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(server.port) }
    expect(await namespacesOf(await connectInCluster({ directory, env }))).toEqual(born)
    expect(await inClusterNamespace({ directory })).toBe('shop')
  })

  it('as a pod is refused where this is none', async () => {
    await expect(connectInCluster({ env: {} })).rejects.toMatchObject({ code: 'INF_CONNECT', step: 'connect' })
    expect(await inClusterNamespace({ directory: '/does/not/exist' })).toBeUndefined()
  })

  it('to a server with another certificate is a TLS error that is retried', async () => {
    const { cert } = await makeCertificate(['127.0.0.1'])
    const other = server
      .kubeconfig()
      .replace(/certificate-authority-data: \S+/, `certificate-authority-data: ${Buffer.from(cert).toString('base64')}`)
    const cluster = await connectKubeconfig({ text: other })
    await expect(cluster.request({ method: 'GET', path: '/version' })).rejects.toMatchObject({
      code: 'INF_TLS',
      isRetryable: true,
    })
    await cluster.close()
  })
})

describe('a rotated token', () => {
  it('is read again when the server refuses the old one: not even an error is told', async () => {
    const path = file('rotating', 'old')
    const text = server.kubeconfig().replace(/token: \S+/, `tokenFile: ${path}`)
    let attempts = 0
    const second = await createMiniApiServer({
      isPlainHttp: true,
      adminToken: 'new',
      onRequest: () => {
        attempts++
      },
    })
    const cluster = await connectKubeconfig({ text: text.replace(/server: \S+/, `server: ${second.url}`) })
    await expect(cluster.request({ method: 'GET', path: '/api/v1/namespaces' })).rejects.toMatchObject({
      code: 'INF_UNAUTHORIZED',
    })
    file('rotating', 'new')
    const codes: string[] = []
    const informer = createInformer(cluster.source(Namespaces), { onError: (error) => codes.push(error.code) }).start()
    await informer.synced({ signal: AbortSignal.timeout(10_000) })
    expect([codes, informer.store.size > 0, attempts > 2]).toEqual([[], true, true])
    await informer.close()
    await cluster.close()
    await second.close()
  })
})

describe('requests', () => {
  const path = resourcePath(ConfigMaps as never, { namespace: 'default' })
  it('write objects and say why they could not', async () => {
    const cluster = await connectKubeconfig({ text: server.kubeconfig() })
    const made = await cluster.request<KubeObject>({
      method: 'POST',
      path,
      body: { metadata: { name: 'menu' }, data: { tea: 'ä' } },
    })
    expect(made.metadata?.uid).toBeDefined()
    await expect(cluster.request({ method: 'POST', path, body: { metadata: { name: 'menu' } } })).rejects.toMatchObject(
      { step: 'request', status: { code: 409, reason: 'AlreadyExists' } },
    )
    await expect(cluster.request({ method: 'GET', path: `${path}/none` })).rejects.toMatchObject({
      code: 'INF_NOT_FOUND',
      status: { code: 404 },
    })
    expect(await cluster.request({ method: 'GET', path: '/healthz' })).toBe('ok')
    expect(
      await cluster.request({ method: 'GET', path, query: { fieldSelector: 'metadata.name=menu', limit: undefined } }),
    ).toMatchObject({ items: [{ data: { tea: 'ä' } }] })
    await cluster.close()
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length).toBeLessThanOrEqual(1)
  })

  it('keep managed fields only when asked, and metadata only when asked', async () => {
    const cluster = await connectKubeconfig({ text: server.kubeconfig() })
    const sizes: [boolean, boolean][] = []
    for (const scope of [{}, { managedFields: true }, { metadataOnly: true }]) {
      for (const initialList of ['paged', 'streaming'] as const) {
        const informer = createInformer(cluster.source(ConfigMaps, { namespace: 'default', ...scope }), {
          initialList,
        }).start()
        await informer.synced({ signal: AbortSignal.timeout(10_000) })
        const menu = informer.store.get('menu', 'default') as KubeObject & {
          data?: object
          metadata: { managedFields?: object }
        }
        sizes.push([menu.metadata.managedFields !== undefined, menu.data !== undefined])
        await informer.close()
      }
    }
    expect(sizes).toEqual([
      [false, true],
      [false, true],
      [true, true],
      [true, true],
      [false, false],
      [false, false],
    ])
    await cluster.close()
  })
})

describe('a server that compresses', () => {
  let web: Server
  const item = {
    metadata: { name: 'fig', namespace: 'default', resourceVersion: '7', uid: 'u' },
    data: { text: 'ä€😀'.repeat(5000) },
  }
  beforeAll(async () => {
    web = createServer((request, response) => {
      const isWatch = request.url?.includes('watch=1')
      const isCut = request.url?.includes('cut')
      if (isWatch) return void response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
      const bytes = gzipSync(
        JSON.stringify({ kind: 'ConfigMapList', metadata: { resourceVersion: '9' }, items: [item] }),
      )
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(isCut ? bytes.subarray(0, bytes.length >> 1) : bytes)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => web.once('listening', resolve))
  })
  afterAll(() => {
    web.closeAllConnections()
    web.close()
  })
  const connect = (): Promise<Cluster> => {
    const { port } = web.address() as AddressInfo
    return connectKubeconfig({ text: server.kubeconfig().replace(/server: \S+/, `server: http://127.0.0.1:${port}`) })
  }

  it('is understood', async () => {
    const cluster = await connect()
    const informer = createInformer(cluster.source(ConfigMaps), { initialList: 'paged' }).start()
    await informer.synced({ signal: AbortSignal.timeout(5000) })
    expect(informer.store.get('fig', 'default')?.data?.['text']).toBe(item.data.text)
    await informer.close()
    await cluster.close()
  })

  it('and cuts the answer off is retried, not believed', async () => {
    const cluster = await connect()
    const codes: string[] = []
    const informer = createInformer(cluster.source(ConfigMaps, { labelSelector: 'cut' }), {
      initialList: 'paged',
      onError: (error) => codes.push(error.code),
    }).start()
    while (codes.length === 0) await pause(5)
    expect([codes[0]?.startsWith('INF_'), informer.hasSynced, informer.store.size]).toEqual([true, false, 0])
    await informer.close()
    await cluster.close()
  })
})
