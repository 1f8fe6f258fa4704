// What a controller manager, a scheduler and a kubelet would do next for Deployments and Pods, as values: the demo's
// substitute for all three. Pods get a name with a number, an address, and are ready at once.

import { compareText, type KubeObject, keyOf, type Pod } from '@kubewire/kube-model'

/** apps/v1 Deployment, the fields that count here. */
export interface Deployment extends KubeObject {
  readonly spec?: {
    readonly replicas?: number
    readonly template?: { readonly metadata?: KubeObject['metadata']; readonly spec?: object }
  }
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number }
}

/** One thing to do. */
export type WorkloadStep =
  | { readonly kind: 'create-pod'; readonly pod: Pod }
  | { readonly kind: 'delete-pod'; readonly namespace: string; readonly name: string }
  | {
      readonly kind: 'start-pod'
      readonly namespace: string
      readonly name: string
      readonly needsNode: boolean
      readonly ips: readonly string[]
    }
  | { readonly kind: 'report'; readonly namespace: string; readonly name: string; readonly replicas: number }

/** Label of the pods that belong to a Deployment of this name. */
export const ownerLabel = 'demo.kubewire.example/deployment'

/** The steps that bring pods in line with Deployments; an empty list when nothing is to be done. */
export function planWorkloads(
  deployments: readonly Deployment[],
  pods: readonly Pod[],
  nodeName: string,
): readonly WorkloadStep[] {
  const steps: WorkloadStep[] = []
  const owners = new Set(deployments.map((deployment) => keyOf(deployment)))
  for (const deployment of [...deployments].sort((a, b) => compareText(keyOf(a), keyOf(b)))) {
    steps.push(...deploymentSteps(deployment, pods, nodeName))
  }
  for (const pod of pods) {
    const { namespace = '', name = '', labels } = pod.metadata ?? {}
    const owner = labels?.[ownerLabel]
    if (owner !== undefined && !owners.has(`${namespace}/${owner}` as never))
      steps.push({ kind: 'delete-pod', namespace, name })
  }
  return [...steps, ...startSteps(pods)]
}

function deploymentSteps(deployment: Deployment, pods: readonly Pod[], nodeName: string): WorkloadStep[] {
  const { namespace = '', name = '' } = deployment.metadata ?? {}
  const { replicas = 1, template } = deployment.spec ?? {}
  const own = pods.filter((pod) => pod.metadata?.namespace === namespace && pod.metadata.labels?.[ownerLabel] === name)
  const wanted = new Set(Array.from({ length: replicas }, (_, i) => `${name}-${i + 1}`))
  const there = new Set(own.map((pod) => pod.metadata?.name ?? ''))
  const steps: WorkloadStep[] = []
  for (const podName of there) if (!wanted.has(podName)) steps.push({ kind: 'delete-pod', namespace, name: podName })
  for (const podName of wanted) {
    if (there.has(podName)) continue
    const labels = { ...template?.metadata?.labels, [ownerLabel]: name }
    const metadata = { name: podName, namespace, labels }
    steps.push({ kind: 'create-pod', pod: { metadata, spec: { ...template?.spec, nodeName } } as Pod })
  }
  const ready = own.filter((pod) => wanted.has(pod.metadata?.name ?? '') && pod.status?.podIP !== undefined).length
  if (deployment.status?.readyReplicas !== ready && !(ready === 0 && deployment.status?.readyReplicas === undefined)) {
    steps.push({ kind: 'report', namespace, name, replicas: ready })
  }
  return steps
}

// Addresses that examples/shop does not use: .100 to .199 of the node's pod networks.
function startSteps(pods: readonly Pod[]): WorkloadStep[] {
  const used = new Set(pods.flatMap((pod) => pod.status?.podIP ?? []))
  const steps: WorkloadStep[] = []
  for (const pod of pods) {
    const { namespace = '', name = '', deletionTimestamp } = pod.metadata ?? {}
    if (pod.status?.podIP !== undefined || deletionTimestamp !== undefined) continue
    const number = Array.from({ length: 100 }, (_, i) => 100 + i).find((n) => !used.has(`10.244.1.${n}`))
    if (number === undefined) break
    used.add(`10.244.1.${number}`)
    const ips = [`10.244.1.${number}`, `fd00:10:244:1::${number}`]
    const needsNode = (pod as { readonly spec?: { readonly nodeName?: string } }).spec?.nodeName === undefined
    steps.push({ kind: 'start-pod', namespace, name, needsNode, ips })
  }
  return steps
}
