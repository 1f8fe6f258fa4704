// Runs what `planWorkloads` decides against the API server: pods appear, get addresses and go.

import { createSyncLoop } from '@kubewire/daemon-kit'
import { type Cluster, createInformer, defineResource, type Resource } from '@kubewire/informer'
import { Pods } from '@kubewire/informer/resources'
import { merge } from 'rxjs'
import { demoNetwork } from './plan.ts'
import { type Deployment, planWorkloads, type WorkloadStep } from './plan-workloads.ts'

const Deployments: Resource<Deployment> = defineResource<Deployment>({
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  isNamespaced: true,
})

/** Starts; resolves when every pod of the first look runs. */
export async function startWorkloads(
  cluster: Cluster,
  note: (text: string) => void,
): Promise<{ close(): Promise<void> }> {
  const deployments = createInformer(cluster.source(Deployments)).start()
  const pods = createInformer(cluster.source(Pods)).start()
  await Promise.all([deployments.synced(), pods.synced()])
  const loop = createSyncLoop<readonly WorkloadStep[], readonly WorkloadStep[]>({
    snapshot: () => planWorkloads([...deployments.store], [...pods.store], demoNetwork.nodeName),
    plan: (steps) => (steps.length === 0 ? undefined : steps),
    apply: async (steps) => {
      for (const step of steps) await applyStep(cluster, step)
    },
    onFailure: (error) => note(`workloads: ${error instanceof Error ? error.message : String(error)}`),
    // The answers of the server come back as events; what they do not show yet must not be done twice.
    minIntervalMs: 50,
    retryMs: 200,
  })
  const subscription = merge(deployments.events$, pods.events$).subscribe(() => loop.markDirty())
  loop.markDirty()
  await loop.idle()
  return {
    close: async () => {
      subscription.unsubscribe()
      await loop.close()
      await Promise.all([deployments.close(), pods.close()])
    },
  }
}

async function applyStep(cluster: Cluster, step: WorkloadStep): Promise<void> {
  if (step.kind === 'create-pod') {
    const { namespace = '' } = step.pod.metadata ?? {}
    const body = { apiVersion: 'v1', kind: 'Pod', ...step.pod }
    await ignoring(409, cluster.request({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods`, body }))
    return
  }
  const pod = `/api/v1/namespaces/${step.namespace}/pods/${step.name}`
  if (step.kind === 'delete-pod') {
    const query = { gracePeriodSeconds: 0 }
    await ignoring(404, cluster.request({ method: 'DELETE', path: pod, query }))
  } else if (step.kind === 'start-pod') {
    if (step.needsNode) await bind(cluster, pod, step.name)
    const [podIP] = step.ips
    const conditions = [{ type: 'Ready', status: 'True' }]
    const status = { phase: 'Running', podIP, podIPs: step.ips.map((ip) => ({ ip })), conditions }
    await ignoring(404, patchStatus(cluster, pod, status))
  } else {
    const { replicas } = step
    const status = { replicas, readyReplicas: replicas, availableReplicas: replicas, updatedReplicas: replicas }
    const path = `/apis/apps/v1/namespaces/${step.namespace}/deployments/${step.name}`
    await ignoring(404, patchStatus(cluster, path, status))
  }
}

function bind(cluster: Cluster, pod: string, name: string): Promise<unknown> {
  const body = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { apiVersion: 'v1', kind: 'Node', name: demoNetwork.nodeName },
  }
  return cluster.request({ method: 'POST', path: `${pod}/binding`, body })
}

function patchStatus(cluster: Cluster, path: string, status: object): Promise<unknown> {
  const contentType = 'application/merge-patch+json'
  return cluster.request({ method: 'PATCH', path: `${path}/status`, contentType, body: { status } })
}

/** Somebody was faster: what the step wanted is so already. */
async function ignoring(code: number, request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if ((error as { status?: { code?: number } }).status?.code !== code) throw error
  })
}
