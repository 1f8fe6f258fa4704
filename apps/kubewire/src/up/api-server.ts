// The demo's API server: in this process, on loopback, filled from a folder of manifests and kept in step with it.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectCluster } from '@kubewire/daemon-kit'
import type { Cluster } from '@kubewire/informer'
import { type KubeObject, printProblem } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { baseManifests } from './base-manifests.ts'
import { demoNetwork } from './plan.ts'
import { missingSecrets, type TlsSecret } from './tls-secrets.ts'

/** The running API server. */
export interface DemoApi {
  readonly cluster: Cluster
  readonly port: number
  /** Path of a kubeconfig for this machine. */
  readonly kubeconfig: string
  /** The text of a kubeconfig that reaches the server at another URL. */
  kubeconfigFor(url: string): string
  /** The Secrets made for `tls` sections of Ingresses, self-signed. */
  readonly secrets: readonly TlsSecret[]
  close(): Promise<void>
}

/** Starts it; resolves when every object of the folder is there. `stateFolder` gets the kubeconfig. */
export async function startApi(stateFolder: string, manifests: string, say: (text: string) => void): Promise<DemoApi> {
  const server = await createMiniApiServer({
    hosts: [demoNetwork.apiAddress, '10.96.0.1'],
    serviceCidrs: demoNetwork.serviceNetworks,
  })
  server.apply(apiServerSlice(demoNetwork.apiAddress))
  await server.followManifests(manifests, { onProblem: (problem) => say(printProblem(problem)), pollMs: 500 })
  // What the folder declares has the last word.
  server.apply(...parseManifests(baseManifests, 'base').objects.filter((object) => !isThere(server, object)))
  const secrets = await missingSecrets(server)
  server.apply(...secrets.map(({ secret }) => secret))
  const kubeconfig = join(stateFolder, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  const cluster = await connectCluster({ kubeconfig })
  return {
    cluster,
    port: server.port,
    kubeconfig,
    kubeconfigFor: (url) => server.kubeconfig().replace(server.url, url),
    secrets,
    close: async () => {
      await cluster.close()
      await server.close()
    },
  }
}

function isThere(server: MiniApiServer, { kind = '', metadata }: KubeObject): boolean {
  return server.get(kind, metadata?.name ?? '', metadata?.namespace) !== undefined
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
