// What the compiler must infer and refuse for users of the public API. Compiled with the tests, never run.

import type { KubeObject, Pod } from '@kubewire/kube-model'
import type { Cluster, Informer, InformerEvent, Resource } from './index.ts'
import { createInformer, createInformerFactory, transformed } from './index.ts'
import { Pods, Services } from './resources.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const proven = <Claim extends true>(): Claim | undefined => undefined

declare const cluster: Cluster

// The projection's type is the resource's.
const Slim = transformed(Pods, ({ metadata, status }) => ({
  metadata: { name: metadata?.name ?? '' },
  ip: status?.podIP ?? '',
}))
proven<Equal<typeof Slim, Resource<{ metadata: { name: string }; ip: string }>>>()

// Index names are inferred, and only they can be asked for.
const pods = createInformer(cluster.source(Slim), { indexers: { ip: (pod) => pod.ip } })
const found: readonly { readonly ip: string }[] = pods.store.byIndex('ip', '192.0.2.1')
// @ts-expect-error there is no index of this name
pods.store.byIndex('node', 'n1')
const more = pods.addIndexers({ name: (pod) => pod.metadata.name })
more.store.byIndex('name', 'fig')
more.store.byIndex('ip', '192.0.2.1')

// An informer without indexes has none to ask.
const services = createInformerFactory(cluster).informer(Services)
// @ts-expect-error no index at all
services.store.byIndex('name', 'tea')

// Events are narrowed by their type.
declare const event: InformerEvent<Pod>
if (event.type === 'updated') proven<Equal<typeof event.previous, Pod>>()
// @ts-expect-error only updates have a previous object
if (event.type === 'added') event.previous

// Objects are read-only.
// @ts-expect-error stored objects are shared
if (found[0]) found[0].ip = ''

/** Kept so that no declaration above counts as unused. */
export const used: Informer<KubeObject, never>[] = []
