// The demo's API server: in this process, filled from a folder of manifests and kept in step with it, reachable from
// this machine on loopback and from inside the namespaces through the relay.

import { writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
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
import { startChild } from './child.ts'
import { DemoError } from './netns.ts'
import { type DemoPlan, demoNetwork } from './plan.ts'

/** The running API server. */
export interface DemoApi {
  readonly cluster: Cluster
  /** Paths of kubeconfigs: for this machine, and for programs inside the namespaces. */
  readonly kubeconfig: string
  readonly kubeconfigInside: string
  /** PEM of the certificate that the Secret `shop/shop-tls` holds. */
  readonly shopCertificate: string
  close(): Promise<void>
}

/** Starts it; resolves when every object of the folder is there. */
export async function startApi(plan: DemoPlan, manifests: string, say: (text: string) => void): Promise<DemoApi> {
  const nodeIp = demoNetwork.node[0].replace(/\/.*$/, '')
  const server = await createMiniApiServer({
    hosts: [nodeIp, '10.96.0.1'],
    serviceCidrs: demoNetwork.serviceNetworks,
  })
  const shop = await makeCertificate(['shop.example.org'], 'shop.example.org')
  server.apply(apiServerSlice(nodeIp))
  const follower = await followFolder(server, manifests, say)
  server.apply(shopSecret(shop))
  const kubeconfig = join(plan.stateFolder, 'kubeconfig')
  const kubeconfigInside = join(plan.stateFolder, 'kubeconfig-inside')
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  const urlInside = `https://${nodeIp}:${demoNetwork.apiPort}`
  await writeFile(kubeconfigInside, server.kubeconfig().replace(server.url, urlInside), { mode: 0o600 })
  const relay = await startRelay(plan, server.port)
  const cluster = await connectCluster({ kubeconfig })
  return {
    cluster,
    kubeconfig,
    kubeconfigInside,
    shopCertificate: shop.cert,
    close: async () => {
      follower.unsubscribe()
      await cluster.close()
      await relay.close()
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

/** Joins the API server's port to the node's address: a Unix socket here, the relay process inside. */
async function startRelay(plan: DemoPlan, port: number): Promise<{ close(): Promise<void> }> {
  const socketPath = join(plan.stateFolder, 'api.sock')
  const door = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    inner.pipe(outer)
    outer.pipe(inner)
    const end = (): void => {
      inner.destroy()
      outer.destroy()
    }
    for (const socket of [inner, outer]) socket.on('error', end).on('close', end)
  })
  await listenOn(door, socketPath)
  const child = startChild(plan.namespaces.node, ['__relay', String(demoNetwork.apiPort), socketPath])
  const answer = await child.next()
  if (answer !== 'ok') throw new DemoError(answer)
  return {
    close: async () => {
      await child.close()
      await new Promise((resolve) => door.close(resolve))
    },
  }
}

function listenOn(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}
