import { describe, expect, it } from 'vitest'
import { creationTimeMs, keyOf, objectKey, printRef, refOf } from './objects/meta.ts'
import { compareObjects, emptySnapshot, snapshotOf, sortedObjects } from './snapshot.ts'
import { endpointSlice, ingress, namespace, node, pod, service } from './testing/objects.ts'

describe('a snapshot', () => {
  const snapshot = snapshotOf([
    service('shop/tea'),
    service('edge/tea'),
    endpointSlice('shop/tea', ['10.0.0.1']),
    namespace('shop'),
    node('n1', ['192.0.2.1']),
    pod('shop/p', ['10.0.0.1']),
    ingress('shop/front', {}),
    { kind: 'Deployment', metadata: { name: 'ignored' } },
    {},
  ])

  it('sorts objects into their kinds and leaves out what nobody reads', () => {
    const sizes = Object.entries(snapshot)
      .filter(([, { size }]) => size > 0)
      .map(([kind, { size }]) => [kind, size])
    expect(Object.fromEntries(sizes)).toEqual({
      services: 2,
      endpointSlices: 1,
      namespaces: 1,
      nodes: 1,
      pods: 1,
      ingresses: 1,
    })
  })
  it('finds by name and namespace', () => {
    expect(snapshot.services.get('tea', 'shop')?.metadata?.namespace).toBe('shop')
    expect([snapshot.services.get('tea'), snapshot.nodes.get('n1')?.metadata?.name]).toEqual([undefined, 'n1'])
  })
  it('of two objects with one key the later counts', () => {
    const twice = snapshotOf([
      service('shop/tea', { clusterIP: '10.96.0.1' }),
      service('shop/tea', { clusterIP: '10.96.0.2' }),
    ])
    expect([...twice.services].map(({ spec }) => spec?.clusterIP)).toEqual(['10.96.0.2'])
  })
  it('lists by namespace, then name', () => {
    const names = ['b/a', 'a/b', 'a/a', 'aa/a'].map((key) => service(key))
    expect(sortedObjects(snapshotOf(names).services).map((one) => keyOf(one))).toEqual(['a/a', 'a/b', 'aa/a', 'b/a'])
    expect(compareObjects({}, {})).toBe(0)
  })
  it('may be empty', () => {
    expect(Object.values(emptySnapshot).every(({ size }) => size === 0)).toBe(true)
  })
})

describe('the identity of an object', () => {
  it.each([
    [objectKey('shop', 'tea'), 'shop/tea'],
    [objectKey(undefined, 'n1'), 'n1'],
    [objectKey('', 'n1'), 'n1'],
    [keyOf({}), ''],
    [printRef(refOf(service('shop/tea'))), 'Service shop/tea'],
    [printRef(refOf({ metadata: { name: 'n1' } }, 'Node')), 'Node n1'],
    [printRef(refOf({})), 'Object '],
  ])('%s', (made, text) => expect(made).toBe(text))

  it.each([
    ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    [new Date(7), 7],
    ['yesterday', undefined],
    [undefined, undefined],
  ])('created %s is %s ms', (creationTimestamp, ms) => {
    expect(creationTimeMs({ metadata: creationTimestamp === undefined ? {} : { creationTimestamp } })).toBe(ms)
  })
})
