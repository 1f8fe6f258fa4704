// Writes addresses into the status of the Ingresses we serve; only the leader does.

import { type Log, systemClock } from '@kubewire/daemon-kit'
import { type Cluster, resourcePath, runAsLeader, WatchError } from '@kubewire/informer'
import { Ingresses, Nodes, Pods, Services } from '@kubewire/informer/resources'
import {
  deepEqual,
  type Ingress,
  type LoadBalancerIngress,
  type Node,
  type Pod,
  type Service,
} from '@kubewire/kube-model'
import { statusAddresses } from './status-addresses.ts'

/** What the status writer works with. */
export interface StatusParts {
  readonly cluster: Cluster
  readonly pod: { readonly name: string; readonly namespace: string }
  /** The Ingresses that are served now. */
  readonly served: () => readonly Ingress[]
  readonly published: string
  /** `namespace/name` of `--publish-service`, or empty. */
  readonly publishService: string
  readonly usesInternalAddresses: boolean
  readonly intervalMs: number
  readonly clearsOnShutdown: boolean
  readonly election: { readonly id: string; readonly ttlMs: number } | undefined
  readonly onLeader: (isLeader: boolean) => void
  readonly log: Log
}

/** The status writer. */
export interface StatusWriter {
  /** Something changed that status may have to follow. */
  wake(): void
  /** Leads no longer; clears the status where that is wanted and nobody else serves. */
  close(): Promise<void>
}

/** Starts the election (or leads at once without one). */
export function createStatusWriter(parts: StatusParts): StatusWriter {
  const closing = new AbortController()
  let isLeader = false
  let waker = new AbortController()
  const lead = async (signal: AbortSignal): Promise<void> => {
    isLeader = true
    parts.onLeader(true)
    while (!signal.aborted) {
      await writeRound(parts).catch((error: unknown) => parts.log.warn('status of Ingresses', { error: String(error) }))
      waker = new AbortController()
      await systemClock.sleep(parts.intervalMs, AbortSignal.any([signal, waker.signal]))
    }
    isLeader = false
    parts.onLeader(false)
  }
  const running = runElection(parts, closing.signal, lead)
  return {
    wake: () => waker.abort(),
    close: async () => {
      const mayClear = isLeader && parts.clearsOnShutdown
      if (mayClear)
        await clearIfAlone(parts).catch((error: unknown) =>
          parts.log.warn('status is not cleared', { error: String(error) }),
        )
      closing.abort()
      await running
    },
  }
}

async function runElection(
  parts: StatusParts,
  signal: AbortSignal,
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { election, cluster, pod } = parts
  if (election === undefined) return lead(signal)
  const seconds = election.ttlMs / 1000
  await runAsLeader(
    cluster,
    {
      name: election.id,
      namespace: pod.namespace,
      identity: pod.name,
      leaseDurationSeconds: seconds,
      renewDeadlineSeconds: seconds / 2,
      retryPeriodSeconds: seconds / 4,
      signal,
      onError: (error) => parts.log.debug('leader election', { error: error.message }),
    },
    lead,
  )
}

async function currentAddresses(parts: StatusParts): Promise<readonly LoadBalancerIngress[]> {
  const needsPods = parts.published === '' && parts.publishService === ''
  const [namespace = '', name = ''] = parts.publishService.split('/')
  const service =
    name === '' ? undefined : await read<Service>(parts.cluster, resourcePath(Services, { namespace, name }))
  // Nobody knows the addresses then: those that stand in the status may be right.
  if (name !== '' && service === undefined) throw new Error(`the Service ${parts.publishService} does not exist`)
  const pods = needsPods ? await controllerPods(parts) : []
  const nodes = pods.length === 0 ? [] : await listAll<Node>(parts.cluster, resourcePath(Nodes))
  return statusAddresses({
    published: parts.published,
    service,
    pods,
    nodes,
    usesInternalAddresses: parts.usesInternalAddresses,
  })
}

// Pods with the labels of our own.
async function controllerPods({ cluster, pod }: StatusParts): Promise<readonly Pod[]> {
  const own = await read<Pod>(cluster, resourcePath(Pods, pod))
  if (own === undefined) throw new Error(`the own Pod ${pod.namespace}/${pod.name} does not exist`)
  const labels = Object.entries(own.metadata?.labels ?? {}).filter(([key]) => !hashLabels.has(key))
  if (labels.length === 0) return [own]
  const labelSelector = labels.map(([key, value]) => `${key}=${value}`).join(',')
  return listAll<Pod>(cluster, resourcePath(Pods, { namespace: pod.namespace }), { labelSelector })
}

// These differ between the pods of one controller during a rollout.
const hashLabels: ReadonlySet<string> = new Set([
  'pod-template-hash',
  'controller-revision-hash',
  'pod-template-generation',
])

const parallelWrites = 10

async function writeRound(parts: StatusParts): Promise<void> {
  await writeAll(parts, await currentAddresses(parts))
}

async function writeAll(parts: StatusParts, addresses: readonly LoadBalancerIngress[]): Promise<void> {
  const due = parts.served().filter((one) => !deepEqual(one.status?.loadBalancer?.ingress ?? [], addresses))
  for (let at = 0; at < due.length; at += parallelWrites) {
    await Promise.all(due.slice(at, at + parallelWrites).map((one) => writeOne(parts, one, addresses)))
  }
}

/** Clusters where a status may be replaced and not patched: the roles of ingress-nginx grant that alone. */
const replacing = new WeakSet<Cluster>()

async function writeOne(
  parts: StatusParts,
  ingress: Ingress,
  addresses: readonly LoadBalancerIngress[],
): Promise<void> {
  const { name = '', namespace = '' } = ingress.metadata ?? {}
  const path = resourcePath(Ingresses, { namespace, name, subresource: 'status' })
  const status = { loadBalancer: { ingress: addresses } }
  try {
    if (!replacing.has(parts.cluster)) {
      const contentType = 'application/merge-patch+json'
      try {
        return await parts.cluster.request({ method: 'PATCH', path, contentType, body: { status } })
      } catch (error) {
        if (!(error instanceof WatchError) || error.status?.code !== 403) throw error
      }
    }
    const current = await parts.cluster.request<Ingress>({
      method: 'GET',
      path: resourcePath(Ingresses, { namespace, name }),
    })
    await parts.cluster.request({ method: 'PUT', path, body: { ...current, status } })
    replacing.add(parts.cluster)
  } catch (error) {
    parts.log.warn('status of an Ingress', {
      ingress: `${namespace}/${name}`,
      error: error instanceof Error ? error.message : '',
    })
  }
}

// COMPAT: cleared only with exactly one address and no other pod of this controller (ingress-nginx 1.15 status.go).
async function clearIfAlone(parts: StatusParts): Promise<void> {
  const addresses = await currentAddresses(parts)
  if (addresses.length !== 1) return
  const others = (await controllerPods(parts)).filter(
    (one) => one.metadata?.name !== parts.pod.name && one.status?.phase === 'Running',
  )
  if (others.length === 0) await writeAll(parts, [])
}

async function read<T>(cluster: Cluster, path: string): Promise<T | undefined> {
  return cluster.request<T>({ method: 'GET', path }).catch((error: unknown) => {
    if (error instanceof WatchError && error.status?.code === 404) return undefined
    throw error
  })
}

async function listAll<T>(
  cluster: Cluster,
  path: string,
  query: { readonly labelSelector?: string } = {},
): Promise<readonly T[]> {
  const list = await cluster.request<{ readonly items?: readonly T[] }>({ method: 'GET', path, query })
  return list.items ?? []
}
