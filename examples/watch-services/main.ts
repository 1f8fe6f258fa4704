// Keeps a live copy of all Services, against the API server that lives in this process: the same lines work with a real
// cluster and `connectCluster()`.

import { createInformer } from '@kubewire/informer'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { Services } from '@kubewire/informer/resources'
import { service } from '@kubewire/kube-model/testing'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { firstValueFrom, map } from 'rxjs'

const server = await createMiniApiServer()
server.apply(service('shop/tea'))

const cluster = await connectKubeconfig({ text: server.kubeconfig() })
const services = createInformer(cluster.source(Services)).start()
await services.synced()
console.log(
  'in the store:',
  [...services.store]
    .map(({ metadata }) => metadata?.name)
    .sort()
    .join(', '),
)

const changes = services.changes$.pipe(map(({ type, key }) => `${type} ${key}`))

async function show(change: () => void): Promise<void> {
  const next = firstValueFrom(changes)
  change()
  console.log(await next)
}

await show(() => server.apply(service('shop/milk')))
server.dropConnections() // the watch comes back and misses nothing
await show(() => server.apply(service('shop/tea', { type: 'NodePort', ports: [{ port: 80 }] })))
await show(() => server.delete('Service', 'milk', 'shop'))

await services.close()
await server.close()
