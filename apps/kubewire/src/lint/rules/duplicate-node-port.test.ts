import { snapshotOf } from '@kubewire/kube-model'
import { service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { duplicateNodePort } from './duplicate-node-port.ts'

const of = (key: string, nodePort: number, protocol = 'TCP') =>
  service(key, { type: 'NodePort', ports: [{ port: 80, nodePort, protocol }] })

test('the second Service by name is named; another protocol is another port', () => {
  const snapshot = snapshotOf([
    of('shop/tea', 30_080),
    of('shop/milk', 30_080),
    of('shop/udp', 30_080, 'UDP'),
    of('shop/cup', 30_081),
  ])
  expect(duplicateNodePort.check(snapshot)).toMatchObject([
    {
      object: { name: 'tea' },
      message: 'node port 30080 is also that of Service shop/milk: the API server refuses one of them',
    },
  ])
})
