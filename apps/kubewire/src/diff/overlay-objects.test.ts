import type { Service } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { overlayObjects } from './overlay-objects.ts'

const port = { name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 } as const
const live = service('shop/tea', {
  type: 'NodePort',
  clusterIP: '10.96.4.4',
  clusterIPs: ['10.96.4.4'],
  selector: { app: 'tea' },
  ports: [{ ...port, nodePort: 30_080 }],
})
const slice = endpointSlice('shop/tea', ['10.244.1.11'])
const milk = service('shop/milk')

test('what the server once gave stays, what the file says counts, others are untouched', () => {
  const file = service('shop/tea', { type: 'NodePort', selector: { app: 'tea' }, externalTrafficPolicy: 'Local' })
  const [tea, ...others] = overlayObjects([live, slice, milk], [file])
  expect((tea as Service).spec).toMatchObject({
    clusterIP: '10.96.4.4',
    externalTrafficPolicy: 'Local',
    ports: [{ port: 80, nodePort: 30_080 }],
  })
  expect(others).toEqual([slice, milk])
})

test('a Service that selects other pods loses the slices of the old ones', () => {
  const file = service('shop/tea', { selector: { app: 'tea-next' } })
  expect(overlayObjects([live, slice], [file]).map(({ kind }) => kind)).toEqual(['Service'])
})

test('a node port goes with the type that has one', () => {
  const [tea] = overlayObjects([live], [service('shop/tea', { selector: { app: 'tea' } })])
  expect((tea as Service).spec?.ports?.[0]?.nodePort).toBeUndefined()
})

test('a new object is added, in the default namespace unless it names one', () => {
  const file = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cup' } }
  expect(overlayObjects([milk], [file])[1]?.metadata).toEqual({ name: 'cup', namespace: 'default' })
})
