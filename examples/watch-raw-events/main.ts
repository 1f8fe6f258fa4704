// The lowest layer: a watch that heals itself, as a plain Observable, here of a custom resource. A relist is visible as
// data, so a consumer can build a new state beside the old one.

import { defineResource, type KubeObject, watchResource } from '@kubewire/informer'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { lastValueFrom, map, take, tap } from 'rxjs'

interface Orchard extends KubeObject {
  readonly spec?: { readonly trees?: number }
}

// A resource needs no code, only where the API serves it.
const names = { plural: 'orchards', singular: 'orchard', kind: 'Orchard', listKind: 'OrchardList' }
const Orchards = defineResource<Orchard>({ ...names, group: 'example.org', version: 'v1', isNamespaced: true })

const server = await createMiniApiServer({ isPlainHttp: true })
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'orchards.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names,
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  },
}
const orchard = (trees: number): Orchard => ({
  apiVersion: 'example.org/v1',
  kind: 'Orchard',
  metadata: { namespace: 'default', name: 'hill' },
  spec: { trees },
})
server.apply(definition)
server.apply(orchard(7))

const cluster = await connectKubeconfig({ text: server.kubeconfig() })
const events = watchResource(cluster.source(Orchards)).pipe(
  tap((event) => {
    if (event.type === 'initDone') server.apply(orchard(8))
    if (event.type === 'apply') server.delete('Orchard', 'hill', 'default')
  }),
  map((event) => ('object' in event ? `${event.type} with ${event.object.spec?.trees} trees` : event.type)),
  tap((line) => console.log(line)),
  take(5), // unsubscribing aborts the request
)
await lastValueFrom(events)

await cluster.close()
await server.close()
