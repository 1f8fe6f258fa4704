// Keeps the `pods` namespace in step with the EndpointSlices of the API server.

import { createSyncLoop } from '@kubewire/daemon-kit'
import { type Cluster, createInformer } from '@kubewire/informer'
import { EndpointSlices } from '@kubewire/informer/resources'
import type { EndpointSlice } from '@kubewire/kube-model'
import { startChild } from './child.ts'
import { addressLines, DemoError, hasIpv6, ipBatch } from './netns.ts'
import type { DemoPlan } from './plan.ts'
import { type PodEndpoints, podEndpoints } from './pod-endpoints.ts'

/** The running pods. */
export interface DemoPods {
  /** How many endpoints listen. */
  readonly count: number
  close(): Promise<void>
}

/** Starts following; resolves when the first set of endpoints listens. */
export async function startPods(plan: DemoPlan, cluster: Cluster, note: (text: string) => void): Promise<DemoPods> {
  const child = startChild(plan.namespaces.pods, ['__echo'])
  const slices = createInformer(cluster.source(EndpointSlices)).start()
  await slices.synced()
  let installed: PodEndpoints = { addresses: [], endpoints: [] }
  const loop = createSyncLoop<PodEndpoints, PodEndpoints>({
    snapshot: () => podEndpoints(hasIpv6 ? slices.store : [...slices.store].filter(isIpv4)),
    plan: (wanted) => (JSON.stringify(wanted) === JSON.stringify(installed) ? undefined : wanted),
    apply: async (wanted) => {
      const added = wanted.addresses.filter((address) => !installed.addresses.includes(address))
      const gone = installed.addresses.filter((address) => !wanted.addresses.includes(address))
      await ipBatch(plan.namespaces.pods, addressLines('replace', added, 'lo'))
      const answer = await child.ask(JSON.stringify(wanted.endpoints))
      if (answer !== 'ok') throw new DemoError(answer)
      await ipBatch(plan.namespaces.pods, addressLines('del', gone, 'lo'))
    },
    accept: (wanted) => {
      installed = wanted
    },
    onFailure: (error) => note(`pods: ${error instanceof Error ? error.message : String(error)}\n`),
    minIntervalMs: 20,
    retryMs: 200,
  })
  const subscription = slices.events$.subscribe(() => loop.markDirty())
  loop.markDirty()
  await loop.idle()
  return {
    get count() {
      return installed.endpoints.length
    },
    close: async () => {
      subscription.unsubscribe()
      await loop.close()
      await slices.close()
      await child.close()
    },
  }
}

function isIpv4(slice: EndpointSlice): boolean {
  return slice.addressType === 'IPv4'
}
