// The pods behind selectors: those of the files, and those that workloads of the files would make, with addresses.

import { compareObjects, type KubeObject, type Node, type Pod, printRef, refOf } from '@kubewire/kube-model'
import { isPodGone, isPodReady } from './pod-readiness.ts'
import { stableNumber } from './stable-number.ts'

/** A pod that exists on paper. */
export interface AssumedPod {
  readonly namespace: string
  readonly name: string
  readonly labels: { readonly [key: string]: string }
  /** Absent where the pod is known to have addresses of the other family only. */
  readonly ipv4?: string
  readonly ipv6?: string
  readonly isReady: boolean
  readonly isTerminating: boolean
  readonly nodeName: string | undefined
  readonly hostname: string | undefined
  readonly subdomain: string | undefined
  /** `TCP http` → number. */
  readonly namedPorts: ReadonlyMap<string, number>
  /** Where it comes from, for people: `Deployment shop/tea`. */
  readonly origin: string
}

interface Workload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number
    readonly serviceName?: string
    readonly ordinals?: { readonly start?: number }
    readonly template?: Pod
  }
}

// A number of replicas is a wish, not a reason to print a thousand lines.
const maxReplicas = 50

/**
 * Pods in order of namespace and name. Workloads' pods have no node, except a DaemonSet's: one on each Node. A workload
 * whose pods or ReplicaSets are among the objects makes no others; pods that have ended are left out.
 */
export function assumedPods(objects: readonly KubeObject[]): readonly AssumedPod[] {
  const pods: AssumedPod[] = []
  const used = new Set(objects.map((object) => (object as Pod).status?.podIP))
  const numberFor = (key: string): number => {
    const number = stableNumber(key, addressCount, (n) => used.has(ipv4Of(n)))
    used.add(ipv4Of(number))
    return number
  }
  const nodes = new Map(
    objects.filter((object): object is Node => object.kind === 'Node').map((node) => [node.metadata?.name ?? '', node]),
  )
  const surroundings: Surroundings = { numberFor, nodes }
  const owners = new Set(objects.flatMap(ownersOf))
  for (const object of [...objects].sort(compareObjects)) {
    const { kind = '', metadata: { name = '' } = {} } = object
    if (kind === 'Pod' && !isPodGone(object)) pods.push(podOf(object, object, name, surroundings))
    else if (workloadKinds.has(kind) && !owners.has(printRef(refOf(object)))) {
      pods.push(...workloadPods(object, surroundings))
    }
  }
  return pods
}

interface Surroundings {
  readonly numberFor: (key: string) => number
  readonly nodes: ReadonlyMap<string, Node>
}

// Only objects that a workload controller made stand for what it would make.
function ownersOf({ kind = '', metadata = {} }: KubeObject): string[] {
  if (kind !== 'Pod' && kind !== 'ReplicaSet') return []
  return (metadata.ownerReferences ?? []).map((owner) =>
    printRef(refOf({ kind: owner.kind ?? '', metadata: { ...metadata, name: owner.name ?? '' } })),
  )
}

// The upper half of a /16 without its last addresses.
const addressCount = 0x7f00

const workloadKinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'])

const ipv4Of = (n: number): string => `10.244.${128 + Math.floor(n / 256)}.${n % 256}`
const ipv6Of = (n: number): string => `fd00:10:244:8000::${n.toString(16)}`

function workloadPods(workload: Workload, surroundings: Surroundings): AssumedPod[] {
  const { replicas = 1, template = {}, serviceName, ordinals } = workload.spec ?? {}
  const { name = '', namespace } = workload.metadata ?? {}
  const places = workload.kind === 'DaemonSet' ? [...surroundings.nodes.keys()].sort() : []
  const count = workload.kind === 'DaemonSet' ? Math.max(places.length, 1) : Math.min(replicas, maxReplicas)
  return Array.from({ length: count }, (_, at) => {
    const index = workload.kind === 'StatefulSet' ? at + (ordinals?.start ?? 0) : at
    const podName = `${name}-${index}`
    const nodeName = places[at] ?? hostOf(template, surroundings.nodes, at)
    const isMember = workload.kind === 'StatefulSet'
    const spec = {
      ...template.spec,
      ...(isMember ? { hostname: podName } : {}),
      ...(isMember && serviceName !== undefined ? { subdomain: serviceName } : {}),
      ...(nodeName === undefined ? {} : { nodeName }),
    }
    const labels = { ...template.metadata?.labels, ...(isMember ? memberLabels(podName, index) : {}) }
    const metadata = { ...template.metadata, labels, name: podName, ...(namespace === undefined ? {} : { namespace }) }
    return podOf({ metadata, spec }, workload, podName, surroundings)
  })
}

// Pods in the network of their node never share one: their ports are the node's.
function hostOf({ spec }: Pod, nodes: Surroundings['nodes'], at: number): string | undefined {
  return spec?.hostNetwork === true && spec.nodeName === undefined ? [...nodes.keys()].sort()[at] : undefined
}

// What the StatefulSet controller puts on each pod, so that a Service can select one of them.
function memberLabels(podName: string, index: number): { readonly [key: string]: string } {
  return { 'statefulset.kubernetes.io/pod-name': podName, 'apps.kubernetes.io/pod-index': String(index) }
}

function podOf(pod: Pod, origin: KubeObject, name: string, surroundings: Surroundings): AssumedPod {
  const { spec = {}, metadata = {} } = pod
  const ports = (spec.containers ?? []).flatMap((container) => container.ports ?? [])
  const named = ports.flatMap(({ name: portName, containerPort, protocol = 'TCP' }): [string, number][] =>
    portName === undefined || containerPort === undefined ? [] : [[`${protocol} ${portName}`, containerPort]],
  )
  const number = surroundings.numberFor(`${metadata.namespace ?? 'default'}/${name}`)
  const known = knownAddresses(pod, surroundings.nodes)
  const [ipv4, ipv6] =
    known.length === 0
      ? [ipv4Of(number), ipv6Of(number)]
      : [known.find((ip) => ip.includes('.')), known.find((ip) => ip.includes(':'))]
  return {
    namespace: metadata.namespace ?? 'default',
    name,
    labels: metadata.labels ?? {},
    ...(ipv4 === undefined ? {} : { ipv4 }),
    ...(ipv6 === undefined ? {} : { ipv6 }),
    isReady: isPodReady(pod),
    isTerminating: metadata.deletionTimestamp !== undefined,
    nodeName: spec.nodeName,
    hostname: spec.hostname,
    subdomain: spec.subdomain,
    namedPorts: new Map(named),
    origin: printRef(refOf(origin)),
  }
}

/** Addresses that the pod has, or those of its node where it shares the node's network; none when nothing says. */
function knownAddresses({ spec = {}, status = {} }: Pod, nodes: ReadonlyMap<string, Node>): readonly string[] {
  const { podIP, podIPs = [], hostIP } = status
  const own = [podIP, ...podIPs.map(({ ip }) => ip)].filter((ip) => ip !== undefined && ip !== '')
  if (own.length > 0 || spec.hostNetwork !== true) return own as string[]
  const addresses = nodes.get(spec.nodeName ?? '')?.status?.addresses ?? []
  const internal = addresses.flatMap(({ type, address }) => (type === 'InternalIP' && address ? [address] : []))
  return internal.length > 0 || hostIP === undefined ? internal : [hostIP]
}
