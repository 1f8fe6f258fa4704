// EndpointSlices for Services with a selector that have none: from the Pods of the files, else from the pods that
// Deployments, StatefulSets, DaemonSets and ReplicaSets of the files would make.

import {
  compareObjects,
  type EndpointSlice,
  type KubeObject,
  keyOf,
  matchesSelector,
  type Problem,
  refOf,
  type Service,
  type ServicePort,
  selectorOf,
  serviceNameLabel,
} from '@kubewire/kube-model'
import { familiesOf } from './assume-addresses.ts'
import { type AssumedPod, assumedPods } from './assume-pods.ts'

/** The missing slices. */
export function assumeSlices(objects: readonly KubeObject[]): {
  readonly objects: readonly EndpointSlice[]
  readonly problems: readonly Problem[]
} {
  const pods = assumedPods(objects)
  const sliced = new Set(objects.filter(({ kind }) => kind === 'EndpointSlice').map(sliceOwner))
  const slices: EndpointSlice[] = []
  const problems: Problem[] = []
  const services = objects.filter((object): object is Service => object.kind === 'Service')
  for (const service of [...services].sort(compareObjects)) {
    const { selector = {}, type } = service.spec ?? {}
    const isSelecting = type !== 'ExternalName' && Object.keys(selector).length > 0
    if (!isSelecting || sliced.has(keyOf(service))) continue
    const requirements = selectorOf({ matchLabels: selector }) ?? []
    const selected = pods.filter(
      ({ namespace, labels }) => namespace === service.metadata?.namespace && matchesSelector(requirements, labels),
    )
    slices.push(...slicesOf(service, selected))
    problems.push(assumption(service, selected))
  }
  return { objects: slices, problems }
}

function sliceOwner({ metadata }: KubeObject): string {
  return `${metadata?.namespace}/${metadata?.labels?.[serviceNameLabel]}`
}

/** One slice for each family and set of target ports: pods that name their ports differently do not share one. */
function slicesOf(service: Service, pods: readonly AssumedPod[]): EndpointSlice[] {
  const { namespace, name } = service.metadata ?? {}
  const labels = {
    [serviceNameLabel]: name ?? '',
    ...(service.spec?.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {}),
  }
  const slices: EndpointSlice[] = []
  for (const family of familiesOf(service.spec ?? {})) {
    const groups = new Map<string, AssumedPod[]>()
    for (const pod of pods) {
      const key = JSON.stringify(portsOf(service.spec?.ports ?? [], pod))
      groups.set(key, [...(groups.get(key) ?? []), pod])
    }
    for (const [ports, members] of groups) {
      slices.push({
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          ...(namespace === undefined ? {} : { namespace }),
          name: `${name}-assumed-${slices.length}`,
          labels,
        },
        addressType: family,
        ports: JSON.parse(ports) as NonNullable<EndpointSlice['ports']>,
        endpoints: members.map((pod) => ({
          addresses: [family === 'IPv6' ? pod.ipv6 : pod.ipv4],
          conditions: { ready: true, serving: true, terminating: false },
          targetRef: { kind: 'Pod', name: pod.name, namespace: pod.namespace },
          ...(pod.subdomain === name && pod.hostname !== undefined ? { hostname: pod.hostname } : {}),
          ...(pod.nodeName === undefined ? {} : { nodeName: pod.nodeName }),
        })),
      })
    }
  }
  return slices
}

function portsOf(ports: readonly ServicePort[], pod: AssumedPod): object[] {
  return ports.flatMap(({ name = '', port, protocol = 'TCP', targetPort = port }) => {
    const number = typeof targetPort === 'number' ? targetPort : pod.namedPorts.get(`${protocol} ${targetPort}`)
    return number === undefined ? [] : [{ name, port: number, protocol }]
  })
}

function assumption(service: Service, pods: readonly AssumedPod[]): Problem {
  const object = refOf(service)
  if (pods.length === 0) {
    const message = 'expected Pods or workloads that it selects, found none'
    const fallback = 'it has no endpoints'
    return { code: 'CLI_NO_PODS', severity: 'warning', object, path: 'spec.selector', message, fallback }
  }
  const from = [...new Set(pods.map((pod) => pod.origin))].join(', ')
  return {
    code: 'CLI_ASSUMED_ENDPOINTS',
    severity: 'warning',
    object,
    path: '',
    message: 'expected EndpointSlices, found none',
    fallback: `${pods.length} ready ${pods.length === 1 ? 'endpoint' : 'endpoints'} from ${from} assumed`,
  }
}
