// EndpointSlices for Services that have none: from the Pods of the files, else from the pods that Deployments,
// StatefulSets, DaemonSets and ReplicaSets of the files would make, else from v1 Endpoints.

import {
  compareObjects,
  type EndpointSlice,
  type KubeObject,
  keyOf,
  matchesSelector,
  type Problem,
  printRef,
  refOf,
  type Selector,
  type Service,
  type ServicePort,
  selectorOf,
  serviceNameLabel,
} from '@kubewire/kube-model'
import { familiesOf } from './assume-addresses.ts'
import { type AssumedPod, assumedPods } from './assume-pods.ts'
import { mirrorEndpoints } from './mirror-endpoints.ts'

/** The missing slices. */
export function assumeSlices(objects: readonly KubeObject[]): {
  readonly objects: readonly EndpointSlice[]
  readonly problems: readonly Problem[]
} {
  const pods = assumedPods(objects)
  const mirrored = mirrorEndpoints(objects)
  const sliced = new Set(objects.filter(({ kind }) => kind === 'EndpointSlice').map(sliceOwner))
  const slices: EndpointSlice[] = []
  const problems: Problem[] = []
  const services = objects.filter((object): object is Service => object.kind === 'Service')
  for (const service of [...services].sort(compareObjects)) {
    if (service.spec?.type === 'ExternalName' || sliced.has(keyOf(service))) continue
    const selector = service.spec?.selector ?? {}
    const isSelecting = Object.keys(selector).length > 0
    const requirements = selectorOf({ matchLabels: selector }) ?? []
    const selected = !isSelecting
      ? []
      : pods.filter(
          ({ namespace, labels }) => namespace === service.metadata?.namespace && matchesSelector(requirements, labels),
        )
    const given = mirrored.get(keyOf(service))
    if (selected.length === 0 && given !== undefined) {
      slices.push(...given)
      problems.push(mirroring(service, given))
    } else if (isSelecting) {
      slices.push(...slicesOf(service, selected))
      const idle = selected.length > 0 ? [] : idleOrigins(objects, service, requirements)
      problems.push(selected.length > 0 ? assumption(service, selected) : noPods(service, idle))
    }
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
  const isAlwaysReady = service.spec?.publishNotReadyAddresses === true
  const slices: EndpointSlice[] = []
  for (const family of familiesOf(service.spec ?? {})) {
    const groups = new Map<string, AssumedPod[]>()
    for (const pod of pods.filter((one) => addressOf(one, family) !== undefined)) {
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
          addresses: [addressOf(pod, family) ?? ''],
          conditions: {
            ready: isAlwaysReady || isServed(pod),
            serving: pod.isReady,
            terminating: pod.isTerminating,
          },
          targetRef: { kind: 'Pod', name: pod.name, namespace: pod.namespace },
          ...(pod.subdomain === name && pod.hostname !== undefined ? { hostname: pod.hostname } : {}),
          ...(pod.nodeName === undefined ? {} : { nodeName: pod.nodeName }),
        })),
      })
    }
  }
  return slices
}

function addressOf(pod: AssumedPod, family: string): string | undefined {
  return family === 'IPv6' ? pod.ipv6 : pod.ipv4
}

function isServed({ isReady, isTerminating }: AssumedPod): boolean {
  return isReady && !isTerminating
}

function portsOf(ports: readonly ServicePort[], pod: AssumedPod): object[] {
  return ports.flatMap(({ name = '', port, protocol = 'TCP', targetPort = port }) => {
    const number = typeof targetPort === 'number' ? targetPort : pod.namedPorts.get(`${protocol} ${targetPort}`)
    return number === undefined ? [] : [{ name, port: number, protocol }]
  })
}

// Workloads with no replicas and pods that have ended: the selector is right, and yet there is nothing.
function idleOrigins(objects: readonly KubeObject[], service: Service, requirements: Selector): readonly string[] {
  return objects
    .filter((object) => {
      const { template } = (object as { readonly spec?: { readonly template?: KubeObject } }).spec ?? {}
      const labels = (object.kind === 'Pod' ? object : template)?.metadata?.labels
      return (
        object.metadata?.namespace === service.metadata?.namespace &&
        labels !== undefined &&
        matchesSelector(requirements, labels)
      )
    })
    .map((object) => printRef(refOf(object)))
}

function noPods(service: Service, idle: readonly string[]): Problem {
  const message =
    idle.length === 0
      ? 'expected Pods or workloads that it selects, found none'
      : `expected Pods that run, found none of ${idle.join(', ')}`
  const object = refOf(service)
  const fallback = 'it has no endpoints'
  return { code: 'CLI_NO_PODS', severity: 'warning', object, path: 'spec.selector', message, fallback }
}

function assumption(service: Service, pods: readonly AssumedPod[]): Problem {
  const from = [...new Set(pods.map((pod) => pod.origin))].join(', ')
  const isAlwaysReady = service.spec?.publishNotReadyAddresses === true
  const readyCount = isAlwaysReady ? pods.length : pods.filter(isServed).length
  return endpointsAssumed(service, readyCount, pods.length - readyCount, from)
}

function mirroring(service: Service, slices: readonly EndpointSlice[]): Problem {
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? [])
  const readyCount = endpoints.filter(({ conditions }) => conditions?.ready === true).length
  const from = printRef({ ...refOf(service), kind: 'Endpoints' })
  return endpointsAssumed(service, readyCount, endpoints.length - readyCount, from)
}

function endpointsAssumed(service: Service, readyCount: number, others: number, from: string): Problem {
  const ready = `${readyCount} ready ${readyCount === 1 ? 'endpoint' : 'endpoints'}`
  return {
    code: 'CLI_ASSUMED_ENDPOINTS',
    severity: 'warning',
    object: refOf(service),
    path: '',
    message: 'expected EndpointSlices, found none',
    fallback: `${ready}${others === 0 ? '' : ` and ${others} not ready`} from ${from} assumed`,
  }
}
