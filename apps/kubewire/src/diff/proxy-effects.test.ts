import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, node, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { proxyEffects } from './proxy-effects.ts'

test('each front end of a Service is asked by a pod and from outside', () => {
  const snapshot = snapshotOf([
    node('node-1', ['192.0.2.11']),
    service('shop/tea', {
      type: 'NodePort',
      clusterIP: '10.96.4.4',
      ports: [{ port: 80, nodePort: 30_080, name: 'http' }],
    }),
    endpointSlice('shop/tea', ['10.244.1.11']),
  ])
  const values = { node: '', 'cluster-cidr': ['10.244.0.0/16'], 'masquerade-all': false }
  expect(proxyEffects(snapshot, values).map(({ question, answer }) => [question, answer])).toEqual([
    ['tcp to 10.96.4.4:80 from a pod', '10.244.1.11:8080'],
    ['tcp to 10.96.4.4:80 from outside', '10.244.1.11:8080 masqueraded'],
    ['tcp to node port 30080 of 192.0.2.11 from a pod', '10.244.1.11:8080 masqueraded'],
    ['tcp to node port 30080 of 192.0.2.11 from outside', '10.244.1.11:8080 masqueraded'],
  ])
})
