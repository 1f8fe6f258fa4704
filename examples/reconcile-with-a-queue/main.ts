// A controller in a few lines: keys go through a work queue, which never runs one key twice at a time, collapses bursts
// and retries failures. This one labels every Namespace.

import { createInformer, createWorkQueue, type ObjectKey, resourcePath, runWorkers } from '@kubewire/informer'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { Namespaces } from '@kubewire/informer/resources'
import { namespace } from '@kubewire/kube-model/testing'
import { createMiniApiServer } from '@kubewire/mini-apiserver'

const server = await createMiniApiServer({ isPlainHttp: true })
server.apply(namespace('shop'), namespace('edge'))

const cluster = await connectKubeconfig({ text: server.kubeconfig() })
const namespaces = createInformer(cluster.source(Namespaces, { fieldSelector: 'metadata.name!=default' }))
const queue = createWorkQueue<ObjectKey>()
namespaces.events$.subscribe((event) => queue.add(event.key))
await namespaces.start().synced()

const stop = new AbortController()
const log: string[] = []
let failures = 1
await runWorkers(queue, { concurrency: 2, maxRetries: 5, signal: stop.signal }, async (name) => {
  if (!['shop', 'edge'].includes(name) || namespaces.store.get(name)?.metadata?.labels?.['team']) return
  if (name === 'edge' && failures-- > 0) throw new Error('not this time') // tried again a moment later
  const path = resourcePath(Namespaces as never, { name })
  const body = { metadata: { labels: { team: 'fruit' } } }
  await cluster.request({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' })
  log.push(`labelled ${name}`)
  if (log.length === 2) stop.abort()
})
console.log(log.sort().join('\n'))
console.log(server.get('Namespace', 'edge')?.metadata?.labels?.['team'])

await namespaces.close()
await cluster.close()
await server.close()
