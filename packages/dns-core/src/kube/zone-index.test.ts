import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, namespace, pod, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import type { WatchedKind } from './cluster-view.ts'
import { createZoneIndex } from './zone-index.ts'

const versioned = <T extends KubeObject>(object: T, resourceVersion: string): T => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
})

describe('which changes move the SOA serial', () => {
  const tea = service('shop/tea', { clusterIPs: ['10.96.4.4'] })
  const slice = endpointSlice('shop/tea', ['10.20.3.4'])
  const client = pod('shop/client', ['10.20.9.9'])
  it.each([
    ['Service', tea, service('shop/tea', { clusterIPs: ['10.96.4.5'] }), false, 'another cluster IP'],
    ['Service', tea, service('shop/tea', { clusterIPs: ['10.96.4.4'], ports: [{ port: 81 }] }), true, 'another port'],
    ['Service', tea, undefined, true, 'a service that goes'],
    ['EndpointSlice', slice, endpointSlice('shop/tea', ['10.20.3.5']), true, 'another endpoint'],
    [
      'EndpointSlice',
      slice,
      endpointSlice('shop/tea', [{ addresses: ['10.20.3.4'], targetRef: { name: 'x' } }]),
      false,
      'another target name',
    ],
    [
      'EndpointSlice',
      slice,
      endpointSlice('shop/tea', [{ addresses: ['10.20.3.4'], zone: 'a' }]),
      true,
      'another zone',
    ],
    ['Pod', client, pod('shop/client', ['10.20.9.9', 'fd00::9']), true, 'another address of a pod'],
    ['Pod', client, pod('shop/client', ['10.20.9.9'], { a: 'b' }), false, 'a label of a pod'],
    ['Namespace', namespace('shop'), undefined, false, 'a namespace that goes'],
  ] as const)(
    '%s: %#',
    (kind: WatchedKind, before: KubeObject, after: KubeObject | undefined, moves: boolean, says: string) => {
      const index = createZoneIndex({ keepsZones: true })
      const key = { kind, namespace: before.metadata?.namespace ?? '', name: before.metadata?.name ?? '' }
      index.apply({ ...key, object: versioned(before, '1') }, 1_000_000)
      const start = index.serials.internal
      index.apply(after === undefined ? key : { ...key, object: versioned(after, '2') }, 2_000_000)
      expect([says, index.serials.internal !== start]).toEqual([says, moves])
    },
  )

  it('does not count zones where zonal names are off', () => {
    const index = createZoneIndex()
    const key = { kind: 'EndpointSlice', namespace: 'shop', name: 'tea-a' } as const
    index.apply({ ...key, object: versioned(slice, '1') }, 1_000_000)
    const moved = endpointSlice('shop/tea', [{ addresses: ['10.20.3.4'], zone: 'a' }])
    index.apply({ ...key, object: versioned(moved, '2') }, 2_000_000)
    expect(index.serials.internal).toBe(1000)
  })

  it('ignores an update with the version it has', () => {
    const index = createZoneIndex()
    const key = { kind: 'Service', namespace: 'shop', name: 'tea' } as const
    index.apply({ ...key, object: versioned(tea, '1') }, 1_000_000)
    index.apply({ ...key, object: versioned(service('shop/tea', { ports: [{ port: 1 }] }), '1') }, 2_000_000)
    expect(index.serials.internal).toBe(1000)
  })
})

describe('what the index holds', () => {
  it('finds services by address, slices by service and address, and forgets them', () => {
    const index = createZoneIndex()
    const [tea, slice] = [service('shop/tea', { clusterIPs: ['10.96.4.4'] }), endpointSlice('shop/tea', ['10.20.3.4'])]
    index.apply({ kind: 'Service', namespace: 'shop', name: 'tea', object: tea }, 0)
    index.apply({ kind: 'EndpointSlice', namespace: 'shop', name: 'tea-a', object: slice }, 0)
    expect([...index.servicesByAddress('10.96.4.4')].map((s) => s.name)).toEqual(['tea'])
    expect([...index.slices('shop', 'tea')].length).toBe(1)
    expect([...index.slicesByAddress('10.20.3.4')].length).toBe(1)
    index.apply({ kind: 'EndpointSlice', namespace: 'shop', name: 'tea-a' }, 0)
    expect([...index.slicesByAddress('10.20.3.4')].length).toBe(0)
  })

  it('keeps a terminating pod as it was and never adds one', () => {
    const index = createZoneIndex()
    const terminating = (ip: string): KubeObject => {
      const object = pod('shop/p', [ip])
      return { ...object, metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
    }
    const key = { kind: 'Pod', namespace: 'shop', name: 'p' } as const
    index.apply({ ...key, object: terminating('10.1.1.1') }, 0)
    expect([...index.podsByAddress('10.1.1.1')].length).toBe(0)
    index.apply({ ...key, object: pod('shop/p', ['10.1.1.2']) }, 0)
    index.apply({ ...key, object: terminating('10.1.1.3') }, 0)
    expect([...index.podsByAddress('10.1.1.2')].length).toBe(1)
  })
})
