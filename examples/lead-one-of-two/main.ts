// Two replicas, one Lease: one leads, and when it stops the other takes over at once.

import type { Lease } from '@kubewire/informer'
import { type Cluster, runAsLeader } from '@kubewire/informer'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { createMiniApiServer } from '@kubewire/mini-apiserver'

const server = await createMiniApiServer({ isPlainHttp: true })
const cluster = await connectKubeconfig({ text: server.kubeconfig() })
const lease = { name: 'shop-controller', namespace: 'default', retryPeriodSeconds: 0.05 }

function replica(identity: string, connection: Cluster) {
  const stop = new AbortController()
  let begin: () => void = () => undefined
  const leading = new Promise<void>((resolve) => {
    begin = resolve
  })
  const done = runAsLeader(connection, { ...lease, identity, signal: stop.signal }, async (signal) => {
    console.log(`${identity} leads`)
    begin()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    console.log(`${identity} has finished its work`)
  })
  return { leading, stop: () => stop.abort(), done }
}

const one = replica('replica-1', cluster)
await one.leading
const two = replica('replica-2', cluster)

one.stop() // the lease is released after the work has ended
await one.done
await two.leading
const { spec } = server.get<Lease>('Lease', 'shop-controller', 'default') ?? {}
console.log(`the lease names ${spec?.holderIdentity} after ${spec?.leaseTransitions} change of holder`)

two.stop()
await two.done
await cluster.close()
await server.close()
