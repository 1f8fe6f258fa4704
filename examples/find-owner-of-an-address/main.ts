// Which Service owns an address? Keeps only the fields that the question needs, and an index over them.

import { createInformer, transformed } from '@kubewire/informer'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { Services } from '@kubewire/informer/resources'
import { service } from '@kubewire/kube-model/testing'
import { createMiniApiServer } from '@kubewire/mini-apiserver'

// Everything else of a Service is dropped before it is stored: names are enough for the answer.
const SlimServices = transformed(Services, ({ metadata, spec }) => ({
  metadata: { name: metadata?.name ?? '', namespace: metadata?.namespace ?? '' },
  clusterIPs: spec?.clusterIPs ?? [],
}))

const server = await createMiniApiServer({ isPlainHttp: true })
server.apply(service('shop/tea', { clusterIP: '10.96.7.7' }), service('shop/milk', { clusterIP: '10.96.7.8' }))

const cluster = await connectKubeconfig({ text: server.kubeconfig() })
const services = createInformer(cluster.source(SlimServices), {
  indexers: { clusterIP: (object) => object.clusterIPs },
}).start()
await services.synced()

for (const address of ['10.96.7.7', '10.96.7.9']) {
  const [owner] = services.store.byIndex('clusterIP', address)
  console.log(address, owner === undefined ? 'belongs to no service' : `belongs to ${owner.metadata.name}`)
}
console.log('stored:', Object.keys(services.store.get('tea', 'shop') ?? {}).join(', '))

await services.close()
await cluster.close()
await server.close()
