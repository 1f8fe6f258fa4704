// The API server that daemons under test talk to: ours in this process, or the real one in the node's namespace.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest } from '@kubewire/iptables-gen/cases'
import { deepEqual, type KubeObject } from '@kubewire/kube-model'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { startRealApiServer } from '../../harness/api-server.ts'
import { startForwarder } from '../../harness/forwarder.ts'
import type { Netns } from '../../harness/netns.ts'

/** Objects in, seen by daemons inside the namespace. */
export interface CaseCluster {
  readonly kubeconfig: string
  put(objects: readonly Manifest[]): Promise<void>
  remove(objects: readonly Pick<Manifest, 'kind' | 'metadata'>[]): Promise<void>
  close(): Promise<void>
}

/** A cluster of our own, whose server can be made to fail. */
export interface MiniCluster extends CaseCluster {
  readonly server: MiniApiServer
}

/** Our API server in this process, reached from the namespace at 127.0.0.1:6443. */
export async function createMiniCluster(node: Netns): Promise<MiniCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-mini-'))
  const server = await createMiniApiServer({
    isPlainHttp: true,
    historySize: 20_000,
    serviceCidrs: ['10.96.0.0/12', 'fd00:10:96::/112'],
  })
  // The server's own Service is not part of the cases.
  server.delete('Service', 'kubernetes', 'default')
  const socketPath = join(dir, 'api.sock')
  const bridge = net.createServer((client) => {
    const upstream = net.connect(server.port, '127.0.0.1')
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => bridge.listen(socketPath, resolve))
  const forwarder = await startForwarder(node, '127.0.0.1:6443', socketPath)
  const kubeconfig = join(dir, 'kubeconfig')
  writeFileSync(kubeconfig, server.kubeconfig().replace(server.url, 'http://127.0.0.1:6443'))
  let count = 0
  return {
    server,
    kubeconfig,
    async put(objects) {
      for (const object of objects) {
        count += 1
        const known = server.get(object.kind, object.metadata.name, object.metadata.namespace)
        const uid = known?.metadata?.uid ?? `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
        const metadata = { ...object.metadata, uid, creationTimestamp: '2026-01-01T00:00:00Z' }
        const wanted = { ...object, metadata } as unknown as KubeObject
        // What does not change an object makes no new version of it, as in every API server.
        if (known === undefined || !deepEqual(withoutVersion(known), wanted)) server.put(wanted)
      }
    },
    async remove(objects) {
      for (const { kind, metadata } of objects) server.delete(kind, metadata.name, metadata.namespace)
    },
    async close() {
      await forwarder.close()
      await server.close()
      bridge.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion, ...metadata } = object.metadata ?? {}
  void resourceVersion
  return { ...object, metadata }
}

const paths: Readonly<
  Record<string, { readonly prefix: string; readonly plural: string; readonly isNamespaced: boolean }>
> = {
  Service: { prefix: '/api/v1', plural: 'services', isNamespaced: true },
  Node: { prefix: '/api/v1', plural: 'nodes', isNamespaced: false },
  Namespace: { prefix: '/api/v1', plural: 'namespaces', isNamespaced: false },
  EndpointSlice: { prefix: '/apis/discovery.k8s.io/v1', plural: 'endpointslices', isNamespaced: true },
}

/** etcd and kube-apiserver in the node's namespace. */
export async function createRealCluster(node: Netns): Promise<CaseCluster> {
  const server = await startRealApiServer(node)
  const namespaces = new Set(['default'])
  const pathOf = ({
    kind,
    metadata,
  }: Pick<Manifest, 'kind' | 'metadata'>): { readonly list: string; readonly one: string } => {
    const entry = paths[kind]
    if (entry === undefined) throw new Error(`no path for ${kind}`)
    const list = `${entry.prefix}/${entry.isNamespaced ? `namespaces/${metadata.namespace ?? 'default'}/` : ''}${entry.plural}`
    return { list, one: `${list}/${metadata.name}` }
  }
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    allowed: readonly number[] = [],
  ): Promise<unknown> => {
    const answer = await server.request(method, path, body === undefined ? {} : { body })
    if (answer.status >= 300 && !allowed.includes(answer.status))
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`)
    return answer.status >= 300 ? undefined : answer.body
  }
  const putOne = async (object: Manifest): Promise<void> => {
    const { list, one } = pathOf(object)
    const known = (await ask('GET', one, undefined, [404])) as { metadata: { resourceVersion: string } } | undefined
    const written = (
      known === undefined
        ? await ask('POST', list, object)
        : await ask('PUT', one, {
            ...object,
            metadata: { ...object.metadata, resourceVersion: known.metadata.resourceVersion },
          })
    ) as { metadata: unknown }
    if (object['status'] !== undefined) await ask('PUT', `${one}/status`, { ...written, status: object['status'] })
  }
  return {
    kubeconfig: server.kubeconfig,
    async put(objects) {
      for (const object of objects) {
        const { namespace } = object.metadata
        if (namespace !== undefined && !namespaces.has(namespace)) {
          await ask(
            'POST',
            '/api/v1/namespaces',
            { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
            [409],
          )
          namespaces.add(namespace)
        }
        if (object.kind !== 'Namespace') await putOne(object)
      }
    },
    async remove(objects) {
      for (const object of objects)
        if (object.kind !== 'Namespace') await ask('DELETE', pathOf(object).one, undefined, [404])
    },
    close: () => server.close(),
  }
}
