// Brings the demo cluster up, in order, and takes it down in the opposite order, whatever happens in between.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApiRelay } from './api-relay.ts'
import { type DemoApi, startApi } from './api-server.ts'
import { startDaemons } from './daemons.ts'
import { waitForFirstAnswer } from './first-answer.ts'
import { DemoError } from './netns.ts'
import { createNetwork, removeNetwork } from './network.ts'
import { type DemoPlan, demoNetwork } from './plan.ts'
import { startPods } from './pods.ts'
import { claimStateFolder, releaseStateFolder } from './state-folder.ts'
import { startWorkloads } from './workloads.ts'
import { type DemoWorld, demoWorld } from './world.ts'

/** A demo that is up. */
export interface Demo {
  readonly world: DemoWorld
  readonly api: DemoApi
  /** Resolves with the reason when a daemon ends by itself. */
  readonly crashed: Promise<string>
  close(): Promise<void>
}

/** Starts everything; on an error, or when `signal` aborts, what was started is closed again. */
export async function startDemo(
  plan: DemoPlan,
  manifests: string,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<Demo> {
  const closers: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (let next = closers.pop(); next !== undefined; next = closers.pop()) await next()
  }
  try {
    if (await claimStateFolder(plan)) say('removed what an earlier demo left behind')
    closers.push(() => releaseStateFolder(plan))
    say('network: namespaces for a node, its pods, a pod to work in, and the outside')
    closers.push(() => removeNetwork(plan))
    await createNetwork(plan)
    interrupted(signal)
    say(`API server: following ${manifests}`)
    const api = await startApi(plan.stateFolder, manifests, say)
    closers.push(() => api.close())
    interrupted(signal)
    const relay = await startApiRelay(plan, api.port)
    closers.push(() => relay.close())
    const inside = join(plan.stateFolder, 'kubeconfig-inside')
    const urlInside = `https://${demoNetwork.apiAddress}:${demoNetwork.apiPort}`
    await writeFile(inside, api.kubeconfigFor(urlInside), { mode: 0o600 })
    await writeFile(join(plan.stateFolder, 'demo.crt'), api.secrets.map(({ certificate }) => certificate).join(''))
    const workloads = await startWorkloads(api.cluster, say)
    closers.push(() => workloads.close())
    const pods = await startPods(plan, api.cluster, say)
    closers.push(() => pods.close())
    say(`pods: ${pods.count} endpoints that say who they are`)
    say('daemons: coredns-ts, kube-proxy-ts, ingress-ts')
    const daemons = await startDaemons(plan, api.cluster, inside, signal)
    closers.push(() => daemons.close())
    const crashed = Promise.race(daemons.processes.map((daemon) => daemon.crashed))
    const world = demoWorld(plan, api.cluster, manifests)
    await waitForFirstAnswer(world)
    return { world, api, crashed, close }
  } catch (error) {
    await close()
    throw error
  }
}

function interrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new DemoError(`interrupted: ${String(signal.reason)}`)
}
