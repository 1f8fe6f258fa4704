// Watches of a kubernetes plugin: API objects into its index, without a store of their own between. The index keeps
// what names depend on; here only keys are remembered, to notice what a new list no longer has.

import { connectCluster, type Log } from '@kubewire/daemon-kit'
import type { ClusterAccess, WatchedKind, WatchRequest, ZoneIndex } from '@kubewire/dns-core'
import { type Cluster, type Resource, watchResource } from '@kubewire/informer'
import { EndpointSlices, Namespaces, Pods, ServiceImports, Services } from '@kubewire/informer/resources'
import type { KubeObject } from '@kubewire/kube-model'
import type { Subscription } from 'rxjs'

const resources: { readonly [kind in WatchedKind]: Resource<never> } = {
  Service: Services as Resource<never>,
  EndpointSlice: EndpointSlices as Resource<never>,
  Namespace: Namespaces as Resource<never>,
  Pod: Pods as Resource<never>,
  ServiceImport: ServiceImports as Resource<never>,
  ImportedSlice: EndpointSlices as Resource<never>,
}

/** Connects the way a kubernetes block says. Rejects when there is nothing to connect with. */
export function connectAccess(access: ClusterAccess): Promise<Cluster> {
  const { kubeconfig, endpoint, tls } = access
  if (kubeconfig !== undefined) {
    return connectCluster({
      kubeconfig: kubeconfig.file,
      ...(kubeconfig.context === undefined ? {} : { context: kubeconfig.context }),
    })
  }
  if (endpoint === undefined) return connectCluster()
  return connectCluster({ server: endpoint, ...(tls === undefined ? {} : { tlsFiles: tls }) })
}

/** Follows every kind of a request until closed; marks the index synchronised when all first lists are in. */
export function watchCluster(
  cluster: Cluster,
  request: WatchRequest,
  index: ZoneIndex,
  log: Pick<Log, 'warn'>,
): { close(): void } {
  const kinds = Object.keys(request.kinds) as WatchedKind[]
  const unsynced = new Set(kinds)
  const subscriptions: Subscription[] = kinds.map((kind) =>
    followKind(cluster, kind, request, index, log, () => {
      unsynced.delete(kind)
      if (unsynced.size === 0 && !index.hasSynced()) index.markSynced()
    }),
  )
  return {
    close() {
      for (const subscription of subscriptions) subscription.unsubscribe()
    },
  }
}

function followKind(
  cluster: Cluster,
  kind: WatchedKind,
  request: WatchRequest,
  index: ZoneIndex,
  log: Pick<Log, 'warn'>,
  synced: () => void,
): Subscription {
  const { labelSelector = '', fieldSelector = '' } = request.kinds[kind] ?? {}
  const source = cluster.source<KubeObject>(resources[kind] as Resource<KubeObject>, {
    ...(labelSelector === '' ? {} : { labelSelector }),
    ...(fieldSelector === '' ? {} : { fieldSelector }),
  })
  const known = new Map<string, { readonly namespace: string; readonly name: string }>()
  let seen = new Set<string>()
  const apply = (object: KubeObject): string => {
    const { namespace = '', name = '' } = object.metadata ?? {}
    const key = `${namespace}/${name}`
    known.set(key, { namespace, name })
    index.apply({ kind, namespace, name, object }, Date.now())
    return key
  }
  const remove = (key: string): void => {
    const identity = known.get(key)
    known.delete(key)
    if (identity !== undefined) index.apply({ kind, ...identity }, Date.now())
  }
  const report = (text: string): void => log.warn(`plugin/kubernetes: ${kind}: ${text}`)
  return watchResource(source, { onError: (error) => report(error.message) }).subscribe((event) => {
    switch (event.type) {
      case 'init':
        seen = new Set()
        return
      case 'initApply':
        seen.add(apply(event.object))
        return
      case 'initDone':
        for (const key of [...known.keys()]) if (!seen.has(key)) remove(key)
        synced()
        return
      case 'apply':
        seen.add(apply(event.object))
        return
      case 'delete': {
        const { namespace = '', name = '' } = event.object.metadata ?? {}
        seen.delete(`${namespace}/${name}`)
        remove(`${namespace}/${name}`)
        return
      }
      case 'bookmark':
        return
    }
  })
}
