import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { readSources } from './sources.ts'

const tea = service('shop/tea', { clusterIP: '10.96.4.4' })
const milk = service('shop/milk', { clusterIP: '10.96.4.5' })
const slice = endpointSlice('shop/tea', ['192.0.2.4'])
const moved = endpointSlice('shop/tea', ['192.0.2.5'])

describe('the sources of backends', () => {
  const first = readSources(snapshotOf([tea, milk, slice]), undefined)

  it('are the same while they hold the same objects, whatever else changes', () => {
    expect(readSources(snapshotOf([tea, milk, slice]), first)).toBe(first)
  })

  it.each([
    ['a Service is another object', [{ ...tea }, milk, slice]],
    ['a Service is gone', [tea, slice]],
    ['a Service is new', [tea, milk, service('shop/new', {}), slice]],
    ['a slice is another object', [tea, milk, moved]],
    ['a slice is gone', [tea, milk]],
  ])('are others when %s', (_what, objects) => {
    const now = readSources(snapshotOf(objects), first)
    expect(now).not.toBe(first)
    expect(now.slicesOf('shop', 'tea')).toEqual(objects.filter((one) => one.kind === 'EndpointSlice'))
    expect(now.services).toEqual(objects.filter((one) => one.kind === 'Service'))
  })
})
