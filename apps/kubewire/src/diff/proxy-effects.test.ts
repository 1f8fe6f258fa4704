import { type ServiceSpec, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, node, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { diffEffects, type EffectChange } from './effect.ts'
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
  const packets = proxyEffects(snapshot, values).filter(({ place }) => place === undefined)
  expect(packets.map(({ question, answer }) => [question, answer])).toEqual([
    ['tcp to 10.96.4.4:80 from a pod', '10.244.1.11:8080'],
    ['tcp to 10.96.4.4:80 from outside', '10.244.1.11:8080 masqueraded'],
    ['tcp to node port 30080 of 192.0.2.11 from a pod', '10.244.1.11:8080 masqueraded'],
    ['tcp to node port 30080 of 192.0.2.11 from outside', '10.244.1.11:8080 masqueraded'],
  ])
})

const noNode = { node: '', 'cluster-cidr': [], 'masquerade-all': false }
const port = { port: 80, name: 'http', targetPort: 8080 }

function changes(before: ServiceSpec, after: ServiceSpec): readonly EffectChange[] {
  const [old = [], now = []] = [before, after].map((spec) =>
    proxyEffects(
      snapshotOf([
        service('shop/tea', { type: 'LoadBalancer', clusterIP: '10.96.4.4', ports: [port], ...spec }),
        endpointSlice('shop/tea', ['10.244.1.11']),
      ]),
      noNode,
    ),
  )
  return diffEffects(old, now)
}

test.each<[string, ServiceSpec, ServiceSpec, object]>([
  [
    'a node port that moves',
    { ports: [{ ...port, nodePort: 30_080 }] },
    { ports: [{ ...port, nodePort: 30_081 }] },
    {
      question: 'tcp to node port 30080 of a node without endpoints from outside',
      before: '10.244.1.11:8080 masqueraded',
    },
  ],
  [
    'an external policy',
    {},
    { externalTrafficPolicy: 'Local' },
    { question: 'port http: spec.externalTrafficPolicy is Local', before: 'false (the default)', after: 'true' },
  ],
  [
    'an internal policy',
    { internalTrafficPolicy: 'Local' },
    {},
    { question: 'port http: spec.internalTrafficPolicy is Local', before: 'true' },
  ],
  [
    'affinity that goes',
    { sessionAffinity: 'ClientIP' },
    {},
    { question: 'port http: session affinity of a client address, seconds', before: '10800' },
  ],
  [
    'the time of affinity',
    { sessionAffinity: 'ClientIP' },
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } },
    { before: '10800', after: '60' },
  ],
  [
    'source ranges',
    {},
    { loadBalancerSourceRanges: ['198.51.100.0/24'] },
    { question: 'port http: spec.loadBalancerSourceRanges', after: '198.51.100.0/24' },
  ],
  [
    'the port of health checks',
    { externalTrafficPolicy: 'Local', healthCheckNodePort: 31_000 },
    { externalTrafficPolicy: 'Local', healthCheckNodePort: 31_001 },
    { question: 'port http: spec.healthCheckNodePort', before: '31000', after: '31001' },
  ],
  [
    'the spread of traffic',
    {},
    { trafficDistribution: 'PreferClose' },
    { question: 'spec.trafficDistribution', after: 'PreferClose' },
  ],
])('without a Node, %s is a difference', (_name, before, after, change) => {
  expect(changes(before, after)).toContainEqual(expect.objectContaining(change))
})
