// The demo's API server: in this process, on loopback, filled from a folder of manifests and kept in step with it.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  connectCluster,
  emptyManifestFolder,
  type ManifestChange,
  readManifestFolder,
  watchDirectory,
} from '@kubewire/daemon-kit'
import type { Cluster } from '@kubewire/informer'
import { compareText, type KubeObject, type Problem, printProblem, printRef, refOf } from '@kubewire/kube-model'
import { createMiniApiServer, type MiniApiServer, makeCertificate } from '@kubewire/mini-apiserver'
import { demoNetwork } from './plan.ts'

/** The running API server. */
export interface DemoApi {
  readonly cluster: Cluster
  readonly port: number
  /** Path of a kubeconfig for this machine. */
  readonly kubeconfig: string
  /** The text of a kubeconfig that reaches the server at another URL. */
  kubeconfigFor(url: string): string
  /** PEM of the certificate that the Secret `shop/shop-tls` holds. */
  readonly shopCertificate: string
  close(): Promise<void>
}

/** Starts it; resolves when every object of the folder is there. `stateFolder` gets the kubeconfig. */
export async function startApi(stateFolder: string, manifests: string, say: (text: string) => void): Promise<DemoApi> {
  const server = await createMiniApiServer({
    hosts: [demoNetwork.apiAddress, '10.96.0.1'],
    serviceCidrs: demoNetwork.serviceNetworks,
  })
  const shop = await makeCertificate(['shop.example.org'], 'shop.example.org')
  server.apply(apiServerSlice(demoNetwork.apiAddress))
  const follower = await followFolder(server, manifests, say)
  server.apply(shopSecret(shop))
  const kubeconfig = join(stateFolder, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  const cluster = await connectCluster({ kubeconfig })
  return {
    cluster,
    port: server.port,
    kubeconfig,
    kubeconfigFor: (url) => server.kubeconfig().replace(server.url, url),
    shopCertificate: shop.cert,
    close: async () => {
      follower.unsubscribe()
      await cluster.close()
      await server.close()
    },
  }
}

/** Applies the folder's objects now and after every edit; a file owns what it declares. */
async function followFolder(
  server: MiniApiServer,
  path: string,
  say: (text: string) => void,
): Promise<{ unsubscribe(): void }> {
  let folder = emptyManifestFolder
  let shown: readonly Problem[] = []
  let ready: () => void = () => {}
  const firstLook = new Promise<void>((resolve) => {
    ready = resolve
  })
  const match = (name: string): boolean => /\.(?:ya?ml|json)$/.test(name)
  const subscription = watchDirectory(path, { match, pollMs: 500 }).subscribe((files) => {
    const read = readManifestFolder(folder, new Map([...files].map(([name, bytes]) => [name, bytes.toString('utf8')])))
    folder = read.folder
    for (const problem of read.folder.problems) {
      if (!shown.some((known) => printProblem(known) === printProblem(problem))) say(printProblem(problem))
    }
    shown = read.folder.problems
    for (const { before, after } of inOrder(read.changes)) write(server, before, after, say)
    ready()
  })
  await firstLook
  return subscription
}

// Namespaces first when they come, last when they go.
function inOrder(changes: readonly ManifestChange[]): ManifestChange[] {
  const rank = ({ after }: ManifestChange): string =>
    after?.kind === 'Namespace' ? '0' : after === undefined ? '2' : '1'
  return [...changes].sort((a, b) => compareText(rank(a), rank(b)))
}

function write(
  server: MiniApiServer,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
  say: (text: string) => void,
): void {
  const object = after ?? before
  if (object === undefined) return
  try {
    const { kind, name, namespace } = refOf(object)
    if (after === undefined) server.delete(kind, name, namespace)
    else server.apply(withoutIdentity(after))
  } catch (error) {
    say(`${printRef(refOf(object))} is left out: ${error instanceof Error ? error.message : String(error)}`)
  }
}

// The folder's reader gives objects a uid and a version of its own; those of the server are meant here.
function withoutIdentity(object: KubeObject): KubeObject {
  const { uid: _uid, resourceVersion: _version, ...metadata } = object.metadata ?? {}
  return { ...object, metadata }
}

function apiServerSlice(address: string): KubeObject {
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv4',
    ports: [{ name: 'https', port: demoNetwork.apiPort, protocol: 'TCP' }],
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
  }
  return slice
}

function shopSecret({ cert, key }: { readonly cert: string; readonly key: string }): KubeObject {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name: 'shop-tls', namespace: 'shop' },
    data: { 'tls.crt': base64(cert), 'tls.key': base64(key) },
  }
  return secret
}
