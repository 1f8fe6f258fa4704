// The cluster as it would be once files are applied: what the files say, with what the server has filled in before, and
// everything else as it is. Nothing is removed, as `kubectl apply` removes nothing.

import {
  deepEqual,
  type KubeObject,
  keyOf,
  type Service,
  type ServicePort,
  serviceNameLabel,
  withDefaultNamespace,
} from '@kubewire/kube-model'

/** The objects of `live` with those of `files` in their places. */
export function overlayObjects(live: readonly KubeObject[], files: readonly KubeObject[]): readonly KubeObject[] {
  const known = new Map(live.map((object) => [idOf(object), object]))
  const merged = new Map(known)
  // Slices of a Service that now selects other pods are those of yesterday; they are assumed anew.
  const stale = new Set<string>()
  for (const file of files.map(withDefaultNamespace)) {
    const before = known.get(idOf(file))
    merged.set(idOf(file), before === undefined ? file : applied(before, file))
    if (file.kind !== 'Service' || before === undefined) continue
    if (!deepEqual(selectorOf(before), selectorOf(file))) stale.add(keyOf(file))
  }
  return [...merged.values()].filter(
    ({ kind, metadata }) =>
      kind !== 'EndpointSlice' || !stale.has(`${metadata?.namespace}/${metadata?.labels?.[serviceNameLabel]}`),
  )
}

function idOf(object: KubeObject): string {
  return `${object.kind} ${keyOf(object)}`
}

function selectorOf(object: KubeObject): unknown {
  return (object as Service).spec?.selector ?? {}
}

function applied(before: KubeObject, file: KubeObject): KubeObject {
  const { creationTimestamp } = before.metadata ?? {}
  const { status } = before as { readonly status?: unknown }
  const object = {
    ...file,
    metadata: { ...file.metadata, ...(creationTimestamp === undefined ? {} : { creationTimestamp }) },
    ...(status === undefined || file.kind === 'Secret' ? {} : { status }),
  } as KubeObject
  return file.kind === 'Service' ? appliedService(before, object) : object
}

/** Addresses and node ports stay what the server once gave. */
function appliedService({ spec: old = {} }: Service, service: Service): Service {
  const { spec = {} } = service
  const { clusterIP, clusterIPs, ipFamilies, healthCheckNodePort } = old
  const wasAddressed = spec.type !== 'ExternalName' && (spec.clusterIP ?? '') === '' && clusterIP !== undefined
  const isExposed = spec.type === 'NodePort' || spec.type === 'LoadBalancer'
  const ports = spec.ports?.map((port) => (isExposed ? withNodePort(port, old.ports ?? []) : port))
  return {
    ...service,
    spec: {
      ...spec,
      ...(wasAddressed ? { clusterIP, ...(clusterIPs === undefined ? {} : { clusterIPs }) } : {}),
      ...(wasAddressed && spec.ipFamilies === undefined && ipFamilies !== undefined ? { ipFamilies } : {}),
      ...(ports === undefined ? {} : { ports }),
      ...(healthCheckNodePort === undefined || !isExposed ? {} : { healthCheckNodePort }),
    },
  }
}

function withNodePort(port: ServicePort, old: readonly ServicePort[]): ServicePort {
  const same = old.find(
    ({ port: number, protocol = 'TCP' }) => number === port.port && protocol === (port.protocol ?? 'TCP'),
  )
  return port.nodePort !== undefined || same?.nodePort === undefined ? port : { ...port, nodePort: same.nodePort }
}
