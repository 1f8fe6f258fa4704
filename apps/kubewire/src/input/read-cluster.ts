// The objects of a running cluster, as the current user may see them: `--context`, `--kubeconfig`, and of one namespace
// with `-n`, because a user may be allowed no more. Labels are selected afterwards (select-input.ts): what is selected
// refers to what is not.

import { connectCluster } from '@kubewire/daemon-kit'
import { type Cluster, type Resource, WatchError } from '@kubewire/informer'
import {
  ConfigMaps,
  EndpointSlices,
  IngressClasses,
  Ingresses,
  Namespaces,
  Nodes,
  Pods,
  Secrets,
  Services,
} from '@kubewire/informer/resources'
import type { KubeObject } from '@kubewire/kube-model'
import { ClusterError } from '../exit-code.ts'
import type { Output } from '../output.ts'
import type { ClusterValues } from './cluster-flags.ts'

/**
 * Lists every kind that generators read. A kind that the user may not list is said and left out.
 *
 * @throws ClusterError when there is no such cluster or it does not answer
 */
export async function readCluster(values: ClusterValues, output: Output): Promise<readonly KubeObject[]> {
  let cluster: Cluster | undefined
  try {
    cluster = await connectCluster({
      ...(values.kubeconfig === '' ? {} : { kubeconfig: values.kubeconfig }),
      ...(values.context === '' ? {} : { context: values.context }),
    })
    const objects: KubeObject[] = []
    for (const resource of resources) objects.push(...(await listAll(cluster, resource, values, output)))
    return objects
  } catch (error) {
    if (error instanceof WatchError) throw new ClusterError(error.message, { cause: error })
    throw error
  } finally {
    await cluster?.close()
  }
}

const resources: readonly Resource<KubeObject>[] = [
  Namespaces,
  Nodes,
  Services,
  EndpointSlices,
  Pods,
  ConfigMaps,
  IngressClasses,
  Ingresses,
  Secrets,
]

async function listAll(
  cluster: Cluster,
  resource: Resource<KubeObject>,
  values: ClusterValues,
  output: Output,
): Promise<readonly KubeObject[]> {
  const { group, version, kind, isNamespaced, plural } = resource
  const source = cluster.source(resource, {
    ...(isNamespaced && values.namespace !== '' ? { namespace: values.namespace } : {}),
    // Other Secrets are nobody's business here.
    ...(kind === 'Secret' ? { fieldSelector: 'type=kubernetes.io/tls' } : {}),
  })
  const apiVersion = group === '' ? version : `${group}/${version}`
  const objects: KubeObject[] = []
  const signal = AbortSignal.timeout(30_000)
  try {
    let token: string | undefined
    do {
      const page = await source.list({ limit: 500, ...(token === undefined ? {} : { continue: token }) }, signal)
      // Lists do not repeat what their items are.
      for await (const object of page.items) objects.push({ ...object, kind, apiVersion })
      output.progress?.(`listing ${plural}: ${objects.length}`)
      token = page.continue
    } while (token !== undefined && token !== '')
  } catch (error) {
    if (!(error instanceof WatchError) || error.status?.code !== 403) throw error
    output.note(`${plural} may not be listed; they are left out\n`)
  }
  return objects
}
