import { type KubeObject, objectKey, snapshotOf } from '@kubewire/kube-model'
import { expect, it } from 'vitest'
import { mainConfigMap, withoutSettings } from './left-out-settings.ts'

const reference = objectKey('edge', 'settings')
const settings = {
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'edge' },
  data: { a: '1', b: '2' },
} as KubeObject
const other = { kind: 'ConfigMap', metadata: { name: 'other', namespace: 'edge' }, data: { a: '1' } } as KubeObject

it('leaves keys out of the main ConfigMap and of no other', () => {
  const snapshot = withoutSettings(
    snapshotOf([settings, other]),
    reference,
    (key, value) => key === 'a' && value === '1',
  )
  expect(mainConfigMap(snapshot, reference)?.data).toEqual({ b: '2' })
  expect([...snapshot.configMaps].map((one) => one.data)).toEqual([{ b: '2' }, { a: '1' }])
})

it('is the same snapshot where there is nothing to leave out', () => {
  const snapshot = snapshotOf([settings])
  expect(withoutSettings(snapshot, reference, () => false)).toBe(snapshot)
  expect(withoutSettings(snapshot, undefined, () => true)).toBe(snapshot)
})
