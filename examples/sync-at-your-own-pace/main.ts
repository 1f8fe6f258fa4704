// Two resources, one loop: changes only mark the state dirty, and the loop reads both stores at its own pace. This is how
// the daemons of this project drive iptables and nginx.

import { coalesce, createInformerFactory, whenSynced } from '@kubewire/informer'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { EndpointSlices, Services } from '@kubewire/informer/resources'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { firstValueFrom, merge, switchMap, take, tap } from 'rxjs'

const server = await createMiniApiServer({ isPlainHttp: true })
server.apply(service('shop/tea'), endpointSlice('shop/tea', ['10.244.1.5']))

const cluster = await connectKubeconfig({ text: server.kubeconfig() })
const factory = createInformerFactory(cluster)
const services = factory.informer(Services, { namespace: 'shop' })
const slices = factory.informer(EndpointSlices, { namespace: 'shop' })

const rounds = whenSynced(services, slices).pipe(
  switchMap(() => merge(services.events$, slices.events$)),
  coalesce({ minMs: 200, maxMs: 30_000 }),
  tap(() => console.log(`sync: ${services.store.size} services, ${slices.store.size} slices`)),
  take(2),
)
const done = firstValueFrom(rounds.pipe(switchMap(() => [])), { defaultValue: undefined })
factory.start()
await factory.synced()

// A burst of ten changes is one more round.
for (let i = 0; i < 5; i++) server.apply(service(`shop/s${i}`), endpointSlice(`shop/s${i}`, [`10.244.2.${i}`]))
await done

await factory.close()
await cluster.close()
await server.close()
