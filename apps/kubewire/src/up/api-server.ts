// The demo's API server: in this process, on loopback, filled from a folder of manifests and kept in step with it.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectCluster } from '@kubewire/daemon-kit'
import type { Cluster } from '@kubewire/informer'
import { type KubeObject, printProblem } from '@kubewire/kube-model'
import { createMiniApiServer, makeCertificate } from '@kubewire/mini-apiserver'
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
  /** That Secret. */
  readonly shopSecret: KubeObject
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
  await server.followManifests(manifests, { onProblem: (problem) => say(printProblem(problem)), pollMs: 500 })
  const secret = shopSecret(shop)
  server.apply(secret)
  const kubeconfig = join(stateFolder, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  const cluster = await connectCluster({ kubeconfig })
  return {
    cluster,
    port: server.port,
    kubeconfig,
    kubeconfigFor: (url) => server.kubeconfig().replace(server.url, url),
    shopCertificate: shop.cert,
    shopSecret: secret,
    close: async () => {
      await cluster.close()
      await server.close()
    },
  }
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
