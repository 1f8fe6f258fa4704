// One family of the daemon on iptables in memory: what the word tests of syncs work with.

import { createLog, fakeClock } from '@kubewire/daemon-kit'
import { proxyOptions, type TrackedFlow } from '@kubewire/iptables-gen'
import { type EndpointSlice, type KubeObject, keyOf, parseCidr, type Service, snapshotOf } from '@kubewire/kube-model'
import { createFamilyProxier, type FamilyProxier } from '../../../../apps/kube-proxy-ts/src/family-proxier.ts'
import { createIptablesBackend } from '../../../../apps/kube-proxy-ts/src/kernel/iptables-backend.ts'
import { createProxyMetrics } from '../../../../apps/kube-proxy-ts/src/metrics.ts'
import { metricSum } from '../read-metrics.ts'
import { createMemoryIptables, type MemoryIptables } from './memory-iptables.ts'

/** A proxier and everything around it. */
export interface ProxierBench {
  readonly iptables: MemoryIptables
  readonly proxier: FamilyProxier
  /** Flows that were deleted so far. */
  readonly deletedFlows: readonly TrackedFlow[]
  /** How often tracked flows were listed: a cleanup ran. */
  readonly cleanups: () => number
  readonly healthUpdates: () => number
  /** Puts an object and tells the proxier; gives whether that asks for a sync. */
  put(object: KubeObject): boolean
  remove(object: KubeObject): boolean
  metric(name: string): Promise<number>
  /** Number of full syncs that succeeded. */
  fullSyncs(): Promise<number>
  partialSyncs(): Promise<number>
}

/** Starts one; `flows` is what connection tracking holds. */
export function createProxierBench(
  how: { readonly iptables?: MemoryIptables; readonly flows?: readonly TrackedFlow[]; readonly family?: 4 | 6 } = {},
): ProxierBench {
  const { iptables = createMemoryIptables(), flows = [], family = 4 } = how
  const objects = new Map<string, KubeObject>()
  const metrics = createProxyMetrics(['IPv4', 'IPv6'])
  const clock = fakeClock(Date.UTC(2026, 0, 1))
  const log = createLog({ format: 'json', write: () => {} })
  const deletedFlows: TrackedFlow[] = []
  let cleanups = 0
  let healthUpdates = 0
  const proxier = createFamilyProxier({
    family,
    backend: createIptablesBackend({ family, iptables, variant: 'nft', keepsProgram: true, log }),
    conntrack: {
      async list() {
        cleanups += 1
        return flows.filter((flow) => !deletedFlows.includes(flow))
      },
      async remove(_family, some) {
        deletedFlows.push(...some)
      },
    },
    healthPorts: { setServices: async () => {}, setCounts: () => {} },
    metrics,
    clock,
    log,
    snapshot: () => snapshotOf(objects.values()),
    options: () =>
      proxyOptions({
        family,
        nodeName: 'node-a',
        detector: { kind: 'cidr', cidr: parseCidr('10.244.0.0/16') as never },
      }),
    onSuccess: () => {
      healthUpdates += 1
    },
  })
  const tell = (object: KubeObject, isDeleted: boolean): boolean =>
    object.kind === 'Service'
      ? proxier.serviceChanged(object as Service, isDeleted)
      : proxier.sliceChanged(object as EndpointSlice, isDeleted)
  const metric = async (name: string): Promise<number> => metricSum(await metrics.registry.text(), name)
  return {
    iptables,
    proxier,
    deletedFlows,
    cleanups: () => cleanups,
    healthUpdates: () => healthUpdates,
    put(object) {
      objects.set(`${object.kind} ${keyOf(object)}`, object)
      return tell(object, false)
    },
    remove(object) {
      objects.delete(`${object.kind} ${keyOf(object)}`)
      return tell(object, true)
    },
    metric,
    fullSyncs: () => metric('kubeproxy_sync_full_proxy_rules_duration_seconds_count'),
    partialSyncs: () => metric('kubeproxy_sync_partial_proxy_rules_duration_seconds_count'),
  }
}

/** A Service with one port, and a slice of it with one endpoint. */
export function pairOf(
  name: string,
  protocol: 'TCP' | 'UDP',
  address: string,
  change: { readonly spec?: object; readonly conditions?: object; readonly ports?: readonly object[] } = {},
): { readonly service: KubeObject; readonly slice: KubeObject } {
  const ports = change.ports ?? [{ name: 'p', port: 53, protocol, nodePort: 30_053 }]
  const addressType = address.includes(':') ? 'IPv6' : 'IPv4'
  return {
    service: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'w', name },
      spec: { type: 'NodePort', clusterIP: '10.96.30.1', ports, ...change.spec },
    } as KubeObject,
    slice: {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { namespace: 'w', name: `${name}-${addressType}`, labels: { 'kubernetes.io/service-name': name } },
      addressType,
      ports: (ports as readonly { name: string; protocol: string }[]).map((port) => ({
        name: port.name,
        protocol: port.protocol,
        port: 5353,
      })),
      endpoints: [
        { addresses: [address], ...(change.conditions === undefined ? {} : { conditions: change.conditions }) },
      ],
    } as KubeObject,
  }
}
