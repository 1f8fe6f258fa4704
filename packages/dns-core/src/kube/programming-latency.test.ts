import { type KubeObject, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { programmingLatency } from './programming-latency.ts'
import { createZoneIndex } from './zone-index.ts'

const trigger = 'endpoints.kubernetes.io/last-change-trigger-time'
const changed = '2026-01-01T00:00:00Z'

function sliceOf(name: string, annotations: { readonly [key: string]: string }): KubeObject {
  const slice = endpointSlice(name, ['10.20.3.4'])
  return { ...slice, metadata: { ...slice.metadata, annotations } }
}

describe('the programming latency of a slice', () => {
  const index = createZoneIndex()
  const services = [service('shop/tea', { clusterIP: '10.96.4.4' }), service('shop/db', { clusterIPs: ['None'] })]
  for (const object of snapshotOf(services).services) {
    const { namespace = '', name = '' } = object.metadata ?? {}
    index.apply({ kind: 'Service', namespace, name, object }, 0)
  }
  const nowMs = Date.parse('2026-01-01T00:00:01.5Z')

  it.each([
    ['of a service with an address', 'shop/tea', { [trigger]: changed }, { serviceKind: 'cluster_ip', seconds: 1.5 }],
    [
      'of a headless service',
      'shop/db',
      { [trigger]: changed },
      { serviceKind: 'headless_with_selector', seconds: 1.5 },
    ],
    ['of a service that is not known yet', 'shop/new', { [trigger]: changed }, undefined],
    ['without the time of its change', 'shop/tea', {}, undefined],
    ['with a time that is none', 'shop/tea', { [trigger]: 'yesterday' }, undefined],
  ])('%s', (_name, slice, annotations, expected) => {
    expect(programmingLatency(index, sliceOf(slice, annotations), nowMs)).toEqual(expected)
  })
})
