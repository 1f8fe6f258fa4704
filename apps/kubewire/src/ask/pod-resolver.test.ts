import type { Pod } from '@kubewire/kube-model'
import { expect, it, test } from 'vitest'
import { podResolver, podSpecOf } from './pod-resolver.ts'

const cluster = ['shop.svc.cluster.local.', 'svc.cluster.local.', 'cluster.local.']

test.each<[string, NonNullable<Pod['spec']>, readonly string[], number, readonly string[]]>([
  ['a pod that says nothing asks the cluster', {}, cluster, 5, []],
  [
    'searches and options are added',
    { dnsConfig: { searches: ['corp.example.org', 'svc.cluster.local'], options: [{ name: 'ndots', value: '2' }] } },
    [...cluster, 'corp.example.org.'],
    2,
    [
      'dnsConfig: the search list has corp.example.org, svc.cluster.local as well',
      'dnsConfig: ndots is 2 in place of 5',
    ],
  ],
  [
    'further name servers are asked when the first is silent',
    { dnsConfig: { nameservers: ['192.0.2.53'] } },
    cluster,
    5,
    ['dnsConfig: when no server answers in time, 192.0.2.53 is asked'],
  ],
  [
    'policy None leaves what dnsConfig has',
    { dnsPolicy: 'None', dnsConfig: { nameservers: ['192.0.2.53'], searches: ['example.org'] } },
    ['example.org.'],
    1,
    [
      'dnsPolicy None: this pod asks 192.0.2.53, not the DNS server of the cluster',
      'dnsConfig: the search list has example.org as well',
    ],
  ],
  [
    'policy Default asks where the node asks',
    { dnsPolicy: 'Default' },
    [],
    1,
    ['dnsPolicy Default: this pod asks the name servers of its node, with its search list'],
  ],
  [
    'so does a pod in the network of its node',
    { hostNetwork: true },
    [],
    1,
    [
      'hostNetwork without dnsPolicy ClusterFirstWithHostNet: this pod asks the name servers of its node, with its search list',
    ],
  ],
  ['unless it says otherwise', { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }, cluster, 5, []],
])('%s', (_, spec, searches, ndots, notes) => {
  expect(podResolver(spec, 'shop')).toEqual({ searches, ndots, notes })
})

it('finds the spec of a pod, and of the workload that would make it', () => {
  const template = { spec: { dnsPolicy: 'Default' } }
  const objects = [
    { kind: 'Deployment', metadata: { namespace: 'shop', name: 'tea' }, spec: { template } },
    { kind: 'Pod', metadata: { name: 'toolbox' }, spec: { dnsPolicy: 'None' } },
  ]
  expect(podSpecOf(objects, 'shop', 'tea-0')).toEqual({ dnsPolicy: 'Default' })
  expect(podSpecOf(objects, 'default', 'toolbox')).toEqual({ dnsPolicy: 'None' })
  expect(podSpecOf(objects, 'shop', 'toolbox')).toEqual({})
})
