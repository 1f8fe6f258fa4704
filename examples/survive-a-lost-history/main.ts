// The server forgets its history while the connection is down. What is deleted meanwhile is found by the relist, and the
// store is never empty in between.

import { createInformer } from '@kubewire/informer'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { ConfigMaps } from '@kubewire/informer/resources'
import { createMiniApiServer } from '@kubewire/mini-apiserver'

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shop', name } })
const server = await createMiniApiServer({ isPlainHttp: true })
server.apply(configMap('menu'), configMap('prices'))

const cluster = await connectKubeconfig({ text: server.kubeconfig() })
const maps = createInformer(cluster.source(ConfigMaps, { namespace: 'shop' })).start()
await maps.synced()

const seen = new Promise<void>((resolve) => {
  maps.changes$.subscribe((event) => {
    const how = event.type === 'deleted' && event.isFinalStateUnknown ? ' (found missing)' : ''
    console.log(`${event.type} ${event.key}${how}; ${maps.store.size} in the store`)
    if (event.type === 'added') resolve()
  })
})
maps.errors$.subscribe((error) => console.log(`${error.code} at ${error.step}, retryable: ${error.isRetryable}`))

server.dropConnections()
server.delete('ConfigMap', 'prices', 'shop')
server.apply(configMap('opening-hours'))
server.compact() // whoever resumes from before is answered 410
await seen

await maps.close()
await cluster.close()
await server.close()
