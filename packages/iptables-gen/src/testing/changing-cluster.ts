// A small cluster that changes in every way that matters to rules, step by step. For tests of builders that are told what
// changed.

import { type EndpointSlice, type Service, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import type { ProxySnapshot } from '../proxy/build-ruleset.ts'

/** How many Services a changing cluster has at most. */
export const serviceCount = 6

/** One change of one Service. */
export interface Change {
  readonly index: number
  readonly kind: 'service' | 'endpoints' | 'gone'
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer'
  readonly isLocal: boolean
  readonly isSticky: boolean
  readonly hasTwoPorts: boolean
  readonly endpoints: readonly number[]
}

/** How many changes there are: every number below gives one. */
export const changeCount: number = serviceCount * 4 * 3 * 8 * 512

/** The change that a number stands for. */
export function changeOf(number: number): Change {
  let rest = number
  const take = (choices: number): number => {
    const choice = rest % choices
    rest = Math.floor(rest / choices)
    return choice
  }
  const pick = <T>(choices: readonly [T, ...T[]]): T => choices[take(choices.length)] ?? choices[0]
  const isSet = (): boolean => take(2) === 1
  return {
    index: take(serviceCount),
    kind: pick(['service', 'endpoints', 'endpoints', 'gone']),
    type: pick(['ClusterIP', 'NodePort', 'LoadBalancer']),
    isLocal: isSet(),
    isSticky: isSet(),
    hasTwoPorts: isSet(),
    endpoints: Array.from({ length: 9 }, (_, i) => i + 1).filter(isSet),
  }
}

/** Objects of a cluster that changes. */
export class ChangingCluster {
  readonly services: Map<string, Service> = new Map()
  readonly slices: Map<string, EndpointSlice> = new Map()

  apply({ index, kind, ...shape }: Change): string {
    const key = `shop/s${index}`
    if (kind === 'gone') this.services.delete(key)
    if (kind === 'service') this.services.set(key, randomService(key, index, shape))
    if (kind === 'endpoints')
      this.slices.set(
        key,
        endpointSlice(
          key,
          shape.endpoints.map((n) => ({ addresses: [`10.244.${index}.${n}`], nodeName: n % 2 ? 'edge-1' : 'edge-2' })),
          { ports: [{ name: 'http', port: 8080 }] },
        ),
      )
    return key
  }

  snapshot(): ProxySnapshot {
    return snapshotOf([...this.services.values(), ...this.slices.values()])
  }

  slicesOf(key: string): readonly EndpointSlice[] {
    const slice = this.slices.get(key)
    return slice === undefined ? [] : [slice]
  }
}

function randomService(key: string, index: number, shape: Omit<Change, 'index' | 'kind'>): Service {
  const nodePort = shape.type === 'ClusterIP' ? {} : { nodePort: 30_000 + index }
  return service(
    key,
    {
      type: shape.type,
      clusterIP: `10.96.0.${index + 1}`,
      ports: [
        { name: 'http', port: 80, ...nodePort },
        ...(shape.hasTwoPorts ? [{ name: 'dns', port: 53, protocol: 'UDP' as const }] : []),
      ],
      ...(shape.isSticky ? { sessionAffinity: 'ClientIP' } : {}),
      // Several Services may want the same front end.
      ...(shape.hasTwoPorts ? { externalIPs: ['192.0.2.200'] } : {}),
      ...(shape.isLocal && shape.type !== 'ClusterIP' ? { externalTrafficPolicy: 'Local' } : {}),
      ...(shape.isLocal && shape.type === 'LoadBalancer' ? { loadBalancerSourceRanges: ['203.0.113.0/24'] } : {}),
    },
    shape.type === 'LoadBalancer' ? { status: { loadBalancer: { ingress: [{ ip: `198.51.100.${index + 1}` }] } } } : {},
  )
}
