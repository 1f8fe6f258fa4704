// The informers of the controller and the snapshot they make. Of Secrets only those are read that something refers to.
// Source of the filters: ingress-nginx 1.15 store.go (Helm's objects are left out).

import {
  type Cluster,
  createInformerFactory,
  type Informer,
  type InformerEvent,
  transformed,
  WatchError,
} from '@kubewire/informer'
import {
  ConfigMaps,
  EndpointSlices,
  IngressClasses,
  Ingresses,
  Namespaces,
  Services,
} from '@kubewire/informer/resources'
import {
  type ClusterSnapshot,
  type EndpointSlice,
  emptySnapshot,
  type KubeObject,
  type ObjectKey,
  objectKey,
  serviceNameLabel,
} from '@kubewire/kube-model'
import { map, merge, type Observable } from 'rxjs'
import { createReferencedSecrets } from './referenced-secrets.ts'

/** What is watched, and where. */
export interface ClusterStateOptions {
  readonly cluster: Cluster
  /** One namespace instead of all. */
  readonly namespace: string | undefined
  /** Whether Namespaces are watched, for a selector. */
  readonly watchesNamespaces: boolean
  readonly resyncPeriodMs: number
  readonly onError: (error: WatchError) => void
}

/** What changed: endpoints of one Service, or anything else. */
export type StateChange =
  | { readonly kind: 'endpoints'; readonly services: readonly ObjectKey[] }
  | { readonly kind: 'other' }

/** The watched part of the cluster. */
export interface ClusterState {
  readonly snapshot: () => ClusterSnapshot
  /** Emits on every change of what is watched. */
  readonly changes$: Observable<StateChange>
  /** Whether IngressClasses may be read; the original turns class support off when not. */
  readonly hasIngressClasses: boolean
  /** Version that the content of each store includes, by plural name of the resource. */
  readonly seenVersions: () => { readonly [plural: string]: string }
  /** Waits for what a translation has asked for the first time; whether it should ask again. */
  settle(): Promise<boolean>
  /** Says that a translation of everything has asked for all that it needs. */
  sweep(): void
  synced(): Promise<void>
  close(): Promise<void>
}

/** Starts the informers. */
export async function createClusterState(options: ClusterStateOptions): Promise<ClusterState> {
  const { cluster, namespace } = options
  const factory = createInformerFactory(cluster)
  factory.errors$.subscribe(options.onError)
  const scope = namespace === undefined ? {} : { namespace }
  const period = options.resyncPeriodMs > 0 ? { resyncPeriodMs: options.resyncPeriodMs } : {}
  const always = {
    ingresses: factory.informer(leanIngresses, { ...scope, ...period }),
    services: factory.informer(leanServices, scope),
    endpointslices: factory.informer(leanSlices, scope),
    configmaps: factory.informer(ConfigMaps, { ...scope, labelSelector: 'OWNER!=TILLER' }),
    ...(options.watchesNamespaces
      ? { namespaces: factory.informer(Namespaces, { labelSelector: 'OWNER!=TILLER' }) }
      : {}),
  }
  const secrets = createReferencedSecrets({ cluster, namespace, onError: options.onError })
  // The lists are on their way while the question is answered.
  factory.start()
  const hasIngressClasses = await mayList(cluster)
  const informers = {
    ...always,
    ...(hasIngressClasses ? { ingressclasses: factory.informer(IngressClasses) } : {}),
  }
  factory.start()
  const all = Object.entries(informers) as unknown as readonly (readonly [string, Informer<KubeObject>])[]
  return {
    snapshot: () => ({
      ...emptySnapshot,
      ingresses: informers.ingresses.store,
      services: informers.services.store,
      endpointSlices: informers.endpointslices.store,
      secrets: secrets.collection,
      configMaps: informers.configmaps.store,
      ingressClasses: informers.ingressclasses?.store ?? emptySnapshot.ingressClasses,
      namespaces: informers.namespaces?.store ?? emptySnapshot.namespaces,
    }),
    changes$: merge(
      informers.endpointslices.changes$.pipe(map(endpointChange)),
      secrets.changes$.pipe(
        // Nothing has to be translated for it, but the version has been seen.
        map((what): StateChange => (what === 'content' ? { kind: 'other' } : { kind: 'endpoints', services: [] })),
      ),
      ...all
        .filter(([, informer]) => informer !== (informers.endpointslices as unknown))
        .map(([, informer]) => informer.changes$.pipe(map((): StateChange => ({ kind: 'other' })))),
    ),
    hasIngressClasses,
    seenVersions: () => ({
      ...Object.fromEntries(all.map(([plural, { store }]) => [plural, store.resourceVersion ?? ''])),
      secrets: secrets.seenVersion(),
    }),
    settle: secrets.settle,
    sweep: secrets.sweep,
    synced: async () => void (await Promise.all([factory.synced(), secrets.synced()])),
    close: async () => void (await Promise.all([factory.close(), secrets.close()])),
  }
}

// A slice that changed hands counts for both Services.
function endpointChange(event: InformerEvent<EndpointSlice>): StateChange {
  const versions = [event.object, ...(event.type === 'updated' ? [event.previous] : [])]
  const services = versions.map(({ metadata }) =>
    objectKey(metadata?.namespace, metadata?.labels?.[serviceNameLabel] ?? ''),
  )
  return { kind: 'endpoints', services: [...new Set(services)] }
}

// Managed fields are most of an object and nothing to us.
function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields, ...metadata } = (object.metadata ?? {}) as { readonly managedFields?: unknown }
  return managedFields === undefined ? object : { ...object, metadata }
}

const leanIngresses = transformed(Ingresses, withoutManagedFields)
const leanServices = transformed(Services, withoutManagedFields)
const leanSlices = transformed(EndpointSlices, withoutManagedFields)

// COMPAT: only an answer Forbidden at start switches class support off (ingress-nginx 1.15 cmd/nginx/main.go).
async function mayList(cluster: Cluster): Promise<boolean> {
  try {
    await cluster.request({ method: 'GET', path: '/apis/networking.k8s.io/v1/ingressclasses', query: { limit: 1 } })
    return true
  } catch (error) {
    return !(error instanceof WatchError && error.status?.code === 403)
  }
}
