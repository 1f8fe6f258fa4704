// Watches of a kubernetes plugin: API objects into its index, without a store of their own between. The index keeps
// what names depend on; here only keys are remembered, to notice what a new list no longer has.

import { existsSync } from 'node:fs'
import { connectCluster, type Log } from '@kubewire/daemon-kit'
import {
  type ClusterAccess,
  type MetricsPort,
  programmingLatency,
  type WatchedKind,
  type WatchRequest,
  type ZoneIndex,
} from '@kubewire/dns-core'
import { type Cluster, type Resource, watchResource } from '@kubewire/informer'
import { readKubeconfig } from '@kubewire/informer/kubeconfig'
import { EndpointSlices, Namespaces, Pods, ServiceImports, Services } from '@kubewire/informer/resources'
import { joinHostPort, type KubeObject } from '@kubewire/kube-model'
import type { Subscription } from 'rxjs'
import { meterCluster } from './metered-cluster.ts'

const resources: { readonly [kind in WatchedKind]: Resource<never> } = {
  Service: Services as Resource<never>,
  EndpointSlice: EndpointSlices as Resource<never>,
  Namespace: Namespaces as Resource<never>,
  Pod: Pods as Resource<never>,
  ServiceImport: ServiceImports as Resource<never>,
  ImportedSlice: EndpointSlices as Resource<never>,
}

/** Connects the way a kubernetes block says. Rejects when there is nothing to connect with. */
export async function connectAccess(access: ClusterAccess, metrics: MetricsPort): Promise<Cluster> {
  const cluster = await connectUnmetered(access)
  return meterCluster(cluster, { limits: access, host: await hostOf(access), metrics })
}

/** `host:port` of the API server, as the client of the original labels it. */
async function hostOf({ kubeconfig, endpoint }: ClusterAccess): Promise<string> {
  if (kubeconfig === undefined && endpoint !== undefined) return new URL(endpoint).host
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env
  if (kubeconfig === undefined && host !== undefined) return joinHostPort(host, Number(port ?? 443))
  const context = await readKubeconfig(
    kubeconfig === undefined
      ? {}
      : { path: kubeconfig.file, ...(kubeconfig.context === undefined ? {} : { context: kubeconfig.context }) },
  )
  return new URL(context?.cluster.server ?? 'http://localhost').host
}

function connectUnmetered(access: ClusterAccess): Promise<Cluster> {
  const { kubeconfig, endpoint, tls } = access
  if (kubeconfig !== undefined) {
    if (!existsSync(kubeconfig.file)) {
      return Promise.reject(new Error(`stat ${kubeconfig.file}: no such file or directory`))
    }
    return connectCluster({
      kubeconfig: kubeconfig.file,
      ...(kubeconfig.context === undefined ? {} : { context: kubeconfig.context }),
    })
  }
  if (endpoint === undefined) {
    const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env
    if (host !== undefined && port !== undefined) return connectCluster()
    const wanted = 'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined'
    return Promise.reject(new Error(`unable to load in-cluster configuration, ${wanted}`))
  }
  return connectCluster({ server: endpoint, ...(tls === undefined ? {} : { tlsFiles: tls }) })
}

/** Where watches report to. */
export interface WatchWorld {
  readonly log: Pick<Log, 'warn'>
  readonly metrics: MetricsPort
}

/** Follows every kind of a request until closed; marks the index synchronised when all first lists are in. */
export function watchCluster(
  cluster: Cluster,
  request: WatchRequest,
  index: ZoneIndex,
  world: WatchWorld,
): { close(): void } {
  const kinds = Object.keys(request.kinds) as WatchedKind[]
  const unsynced = new Set(kinds)
  const subscriptions: Subscription[] = kinds.map((kind) =>
    followKind(cluster, kind, request, index, world, () => {
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
  { log, metrics }: WatchWorld,
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
    const latency = kind === 'EndpointSlice' ? programmingLatency(index, object, Date.now()) : undefined
    if (latency !== undefined) {
      const { serviceKind, seconds } = latency
      metrics.observe('coredns_kubernetes_dns_programming_duration_seconds', [serviceKind], seconds)
    }
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
