// Random changes of a cluster: objects that go, come, or come back with something altered that an API server lets pass.

import type { DnsCaseStep } from '@kubewire/dns-core/cases'
import type { EndpointSlice, KubeObject, Pod, Service } from '@kubewire/kube-model'
import { randomCluster } from './dns-cluster.ts'
import type { Seeded } from './seeded.ts'

/** Some steps over these objects; each changes one to three of them. */
export function randomSteps(random: Seeded, objects: readonly KubeObject[], count: number): DnsCaseStep[] {
  const present = new Map(objects.map((object) => [idOf(object), object]))
  const spare = randomCluster(random).objects
  return Array.from({ length: count }, () => randomStep(random, present, spare))
}

function randomStep(random: Seeded, present: Map<string, KubeObject>, spare: readonly KubeObject[]): DnsCaseStep {
  const removed: { kind: string; namespace?: string; name: string }[] = []
  const applied: KubeObject[] = []
  const touched = new Set<string>()
  for (let i = random.integer(1, 3); i > 0; i--) {
    const choice = random.pick(['alter', 'alter', 'alter', 'remove', 'add'])
    const object = choice === 'add' ? random.pick(spare) : random.pick([...present.values()])
    const id = idOf(object)
    if (touched.has(id) || (choice === 'remove' && object.kind === 'Namespace' && random.chance(0.7))) continue
    touched.add(id)
    if (choice === 'remove') {
      const { name = '', namespace } = object.metadata ?? {}
      removed.push({ kind: object.kind ?? '', name, ...(namespace === undefined ? {} : { namespace }) })
      present.delete(id)
      continue
    }
    // Something new stands for itself; an object of that name is replaced by it.
    const next = choice === 'add' && !present.has(id) ? object : alter(random, present.get(id) ?? object)
    present.set(id, next)
    applied.push(next)
  }
  return { delete: removed, apply: applied }
}

function alter(random: Seeded, object: KubeObject): KubeObject {
  const labels = random.chance(0.2)
    ? { labels: { ...object.metadata?.labels, ...random.pick([{ expose: 'yes' }, { tier: '1' }, { app: 'web' }]) } }
    : {}
  const metadata = { ...object.metadata, ...labels }
  switch (object.kind) {
    case 'Service':
      return alterService(random, { ...object, metadata } as Service)
    case 'EndpointSlice':
      return alterSlice(random, { ...object, metadata } as EndpointSlice)
    case 'Pod':
      return alterPod(random, { ...object, metadata } as Pod)
    case 'ServiceImport':
      return alterImport(random, { ...object, metadata })
    default:
      return { ...object, metadata: { ...metadata, labels: random.pick([{ expose: 'yes' }, { tier: '1' }, {}]) } }
  }
}

function alterService(random: Seeded, service: Service): Service {
  const { spec = {} } = service
  const altered = random.pick<Service['spec']>([
    spec,
    { ...spec, ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 80 }] },
    {
      ...spec,
      ports: [
        { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
        { name: 'x-y', port: 99, protocol: 'TCP', targetPort: 99 },
      ],
    },
    { ...spec, externalIPs: ['203.0.113.45'] },
    spec.type === 'ExternalName' ? { ...spec, externalName: 'other.partner.example' } : { ...spec, type: 'NodePort' },
    spec.type === 'ExternalName'
      ? {
          type: 'ClusterIP',
          clusterIP: '10.96.77.7',
          clusterIPs: ['10.96.77.7'],
          ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
        }
      : { type: 'ExternalName', externalName: 'www.partner.example', ports: spec.ports ?? [] },
    { ...spec, sessionAffinity: 'ClientIP' },
  ])
  return { ...service, spec: altered ?? spec }
}

function alterSlice(random: Seeded, slice: EndpointSlice): EndpointSlice {
  const endpoints = [...(slice.endpoints ?? [])]
  const first = endpoints[0]
  if (first === undefined)
    return {
      ...slice,
      endpoints: [
        { addresses: [slice.addressType === 'IPv6' ? 'fd00:10:244::77' : '10.244.7.7'], conditions: { ready: true } },
      ],
    }
  const rest = endpoints.slice(1)
  return {
    ...slice,
    endpoints: random.pick([
      rest,
      [{ ...first, conditions: { ready: !(first.conditions?.ready ?? true) } }, ...rest],
      [{ ...first, hostname: 'moved' }, ...rest],
      [{ ...first, zone: 'zone-z' }, ...rest],
      [{ ...first, targetRef: { kind: 'Pod', name: 'renamed', namespace: 'shop' } }, ...rest],
      [{ ...first, nodeName: 'node-9' }, ...rest],
      [...rest, first],
      endpoints,
    ]),
    ports: random.chance(0.2) ? [{ name: 'metrics', port: 9090, protocol: 'TCP' }] : (slice.ports ?? []),
  }
}

function alterPod(random: Seeded, pod: Pod): Pod {
  const { status = {} } = pod
  return {
    ...pod,
    status: random.pick([
      { ...status, phase: 'Succeeded' },
      { ...status, phase: 'Running' },
      { ...status, phase: 'Running', podIP: '10.244.8.8', podIPs: [{ ip: '10.244.8.8' }] },
      { ...status, podIPs: [...(status.podIPs ?? []), { ip: 'fd00:10:244::88' }].slice(0, 2) },
    ]),
  }
}

function alterImport(random: Seeded, object: KubeObject): KubeObject {
  const { spec } = object as KubeObject & { readonly spec: { readonly type: string; readonly ips: readonly string[] } }
  const altered = random.pick([
    { ...spec, ips: ['10.96.99.9'] },
    { ...spec, ports: [{ name: 'http', port: 80, protocol: 'TCP' }] },
    { ...spec, type: spec.type === 'Headless' ? 'ClusterSetIP' : 'Headless' },
  ])
  const result: KubeObject & { readonly spec: unknown } = { ...object, spec: altered }
  return result
}

function idOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata?.namespace ?? ''}/${metadata?.name}`
}
