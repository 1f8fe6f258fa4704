// What the page knows of the cluster without asking: who is there, for the map and for completing what is typed.
// Small next to the objects themselves; the objects stay in the worker.

import {
  type ClusterSnapshot,
  compareText,
  type EndpointSlice,
  type IngressBackend,
  keyOf,
  type ObjectRef,
  refOf,
  type Service,
  serviceNameLabel,
  sortedObjects,
} from '@kubewire/kube-model'
import type { ClusterDocument } from '../cluster-document.ts'

/** A Service as the map draws it. */
export interface MapService {
  readonly ref: ObjectRef
  readonly type: string
  /** First cluster IP, `headless`, or the external name. */
  readonly address: string
  /** `http 80/TCP`. */
  readonly ports: readonly string[]
  readonly firstPort: number | undefined
  readonly ways: readonly MapWay[]
  readonly endpoints: readonly MapEndpoint[]
}

/** A host and path that leads to a Service. */
export interface MapWay {
  readonly url: string
  readonly host: string
  readonly path: string
  readonly ingress: ObjectRef
  /** Only some requests take it. */
  readonly isCanary: boolean
}

/** An endpoint of a Service. */
export interface MapEndpoint {
  readonly address: string
  readonly isReady: boolean
  readonly pod: string | undefined
  readonly node: string | undefined
}

/** What is there. */
export interface ClusterSummary {
  readonly source: string
  readonly generation: number
  readonly failure: string | undefined
  readonly counts: readonly (readonly [kind: string, count: number])[]
  readonly services: readonly MapService[]
  readonly nodes: readonly string[]
  /** `shop/tea-1`. */
  readonly pods: readonly string[]
}

/** Reads the snapshot once. */
export function summarizeCluster(document: ClusterDocument, snapshot: ClusterSnapshot): ClusterSummary {
  const ways = waysByService(snapshot)
  const slices = slicesByService(snapshot)
  return {
    source: document.source,
    generation: document.generation,
    failure: document.failure,
    counts: (
      [
        ['namespaces', snapshot.namespaces.size],
        ['nodes', snapshot.nodes.size],
        ['services', snapshot.services.size],
        ['ingresses', snapshot.ingresses.size],
        ['endpoint slices', snapshot.endpointSlices.size],
        ['pods', snapshot.pods.size],
      ] as const
    ).filter(([, count]) => count > 0),
    services: sortedObjects(snapshot.services).map((service) => {
      const key = keyOf(service)
      return mapService(service, ways.get(key) ?? [], slices.get(key) ?? [])
    }),
    nodes: sortedObjects(snapshot.nodes).map(({ metadata }) => metadata?.name ?? ''),
    pods: sortedObjects(snapshot.pods)
      .filter(({ status }) => status?.podIP !== undefined)
      .map((pod) => keyOf(pod)),
  }
}

function mapService(service: Service, ways: readonly MapWay[], slices: readonly EndpointSlice[]): MapService {
  const { type = 'ClusterIP', clusterIP = '', externalName = '', ports = [] } = service.spec ?? {}
  return {
    ref: refOf(service, 'Service'),
    type,
    address: type === 'ExternalName' ? externalName : clusterIP === 'None' ? 'headless' : clusterIP,
    ports: ports.map(
      ({ name, port, protocol = 'TCP' }) => `${name === undefined ? '' : `${name} `}${port}/${protocol}`,
    ),
    firstPort: ports[0]?.port,
    ways,
    endpoints: endpointsOf(slices),
  }
}

/** One entry a Pod, or an address where no Pod is named; a second family is no second endpoint. */
function endpointsOf(slices: readonly EndpointSlice[]): readonly MapEndpoint[] {
  const found = new Map<string, MapEndpoint>()
  const ordered = [...slices].sort((a, b) => compareText(a.addressType ?? '', b.addressType ?? ''))
  for (const { endpoints, addressType } of ordered) {
    for (const { addresses = [], conditions, targetRef, nodeName } of endpoints ?? []) {
      const [address = ''] = addresses
      const pod = targetRef?.kind === 'Pod' ? targetRef.name : undefined
      const isSecondFamily = addressType === 'IPv6' && pod === undefined && found.size > 0
      const key = pod ?? address
      if (found.has(key) || isSecondFamily) continue
      found.set(key, { address, isReady: conditions?.ready !== false, pod, node: nodeName })
    }
  }
  return [...found.values()]
}

function slicesByService(snapshot: ClusterSnapshot): ReadonlyMap<string, readonly EndpointSlice[]> {
  const slices = new Map<string, EndpointSlice[]>()
  for (const slice of snapshot.endpointSlices) {
    const { namespace, labels } = slice.metadata ?? {}
    const name = labels?.[serviceNameLabel]
    if (name === undefined) continue
    const key = `${namespace}/${name}`
    const known = slices.get(key)
    if (known === undefined) slices.set(key, [slice])
    else known.push(slice)
  }
  return slices
}

function waysByService(snapshot: ClusterSnapshot): ReadonlyMap<string, readonly MapWay[]> {
  const ways = new Map<string, MapWay[]>()
  for (const ingress of sortedObjects(snapshot.ingresses)) {
    const { rules = [], tls = [], defaultBackend } = ingress.spec ?? {}
    const isCanary = ingress.metadata?.annotations?.['nginx.ingress.kubernetes.io/canary'] === 'true'
    const secured = new Set(tls.flatMap(({ hosts = [] }) => hosts))
    const add = (host: string, path: string, backend: IngressBackend | undefined): void => {
      const name = backend?.service?.name
      if (name === undefined) return
      const key = `${ingress.metadata?.namespace}/${name}`
      const named = host === '' ? 'any-host.example.org' : host.replace(/^\*/, 'any')
      const url = `${secured.has(host) ? 'https' : 'http'}://${named}${path.startsWith('/') ? literalStart(path) : '/'}`
      ways.set(key, [...(ways.get(key) ?? []), { url, host, path, ingress: refOf(ingress, 'Ingress'), isCanary }])
    }
    for (const { host = '', http } of rules) {
      for (const { path = '/', backend } of http?.paths ?? []) add(host, path, backend)
    }
    if (defaultBackend !== undefined) add('', '/', defaultBackend)
  }
  return ways
}

/** The part of a path before its first sign of an expression: something that can be asked for. */
function literalStart(path: string): string {
  const [start = '/'] = path.split(/[(\\[.*+?|^$]/)
  return start === '' ? '/' : start
}
