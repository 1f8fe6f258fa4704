// The pods behind selectors: those of the files, and those that workloads of the files would make, with addresses.

import { compareObjects, type KubeObject, type Pod, printRef, refOf } from '@kubewire/kube-model'
import { stableNumber } from './stable-number.ts'

/** A pod that exists on paper. */
export interface AssumedPod {
  readonly namespace: string
  readonly name: string
  readonly labels: { readonly [key: string]: string }
  readonly ipv4: string
  readonly ipv6: string
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

/** Pods in order of namespace and name. Workloads' pods have no node, except a DaemonSet's: one on each Node. */
export function assumedPods(objects: readonly KubeObject[]): readonly AssumedPod[] {
  const pods: AssumedPod[] = []
  const used = new Set(objects.map((object) => (object as Pod).status?.podIP))
  const numberFor = (key: string): number => {
    const number = stableNumber(key, addressCount, (n) => used.has(ipv4Of(n)))
    used.add(ipv4Of(number))
    return number
  }
  const nodes = objects.filter(({ kind }) => kind === 'Node').map(({ metadata }) => metadata?.name ?? '')
  for (const object of [...objects].sort(compareObjects)) {
    if (object.kind === 'Pod') pods.push(podOf(object, object, object.metadata?.name ?? '', numberFor))
    else if (workloadKinds.has(object.kind ?? '')) pods.push(...workloadPods(object, nodes, numberFor))
  }
  return pods
}

type NumberFor = (key: string) => number

// The upper half of a /16 without its last addresses.
const addressCount = 0x7f00

const workloadKinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'])

const ipv4Of = (n: number): string => `10.244.${128 + Math.floor(n / 256)}.${n % 256}`
const ipv6Of = (n: number): string => `fd00:10:244:8000::${n.toString(16)}`

function workloadPods(workload: Workload, nodes: readonly string[], numberFor: NumberFor): AssumedPod[] {
  const { replicas = 1, template = {}, serviceName, ordinals } = workload.spec ?? {}
  const { name = '', namespace } = workload.metadata ?? {}
  const places = workload.kind === 'DaemonSet' ? [...nodes].sort() : []
  const count = workload.kind === 'DaemonSet' ? Math.max(places.length, 1) : Math.min(replicas, maxReplicas)
  return Array.from({ length: count }, (_, at) => {
    const index = workload.kind === 'StatefulSet' ? at + (ordinals?.start ?? 0) : at
    const podName = `${name}-${index}`
    const nodeName = places[at]
    const isMember = workload.kind === 'StatefulSet'
    const spec = {
      ...template.spec,
      ...(isMember ? { hostname: podName } : {}),
      ...(isMember && serviceName !== undefined ? { subdomain: serviceName } : {}),
      ...(nodeName === undefined ? {} : { nodeName }),
    }
    const labels = { ...template.metadata?.labels, ...(isMember ? memberLabels(podName, index) : {}) }
    const metadata = { ...template.metadata, labels, name: podName, ...(namespace === undefined ? {} : { namespace }) }
    return podOf({ metadata, spec }, workload, podName, numberFor)
  })
}

// What the StatefulSet controller puts on each pod, so that a Service can select one of them.
function memberLabels(podName: string, index: number): { readonly [key: string]: string } {
  return { 'statefulset.kubernetes.io/pod-name': podName, 'apps.kubernetes.io/pod-index': String(index) }
}

function podOf(pod: Pod, origin: KubeObject, name: string, numberFor: NumberFor): AssumedPod {
  const { spec = {}, status = {}, metadata = {} } = pod
  const ports = (spec.containers ?? []).flatMap((container) => container.ports ?? [])
  const named = ports.flatMap(({ name: portName, containerPort, protocol = 'TCP' }): [string, number][] =>
    portName === undefined || containerPort === undefined ? [] : [[`${protocol} ${portName}`, containerPort]],
  )
  const known = [status.podIP ?? '', ...(status.podIPs ?? []).map(({ ip = '' }) => ip)]
  const number = numberFor(`${metadata.namespace ?? 'default'}/${name}`)
  return {
    namespace: metadata.namespace ?? 'default',
    name,
    labels: metadata.labels ?? {},
    ipv4: known.find((ip) => ip.includes('.')) ?? ipv4Of(number),
    ipv6: known.find((ip) => ip.includes(':')) ?? ipv6Of(number),
    nodeName: spec.nodeName,
    hostname: spec.hostname,
    subdomain: spec.subdomain,
    namedPorts: new Map(named),
    origin: printRef(refOf(origin)),
  }
}
