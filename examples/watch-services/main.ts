// Keeps a live copy of all Services, against the API server that lives in this process: the same lines work with a real
// cluster and `connectCluster()`.

import { createInformer } from '@kubewire/informer'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { Services } from '@kubewire/informer/resources'
import { service } from '@kubewire/kube-model/testing'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { filter, firstValueFrom, take, toArray } from 'rxjs'

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

const changes = firstValueFrom(
  services.changes$.pipe(
    filter(({ key }) => key.startsWith('shop/')),
    take(3),
    toArray(),
  ),
)
server.apply(service('shop/milk'))
server.dropConnections() // the watch comes back where it was
server.apply(service('shop/tea', { type: 'NodePort', ports: [{ port: 80 }] }))
server.delete('Service', 'milk', 'shop')
for (const { type, key } of await changes) console.log(type, key)

await services.close()
await server.close()
