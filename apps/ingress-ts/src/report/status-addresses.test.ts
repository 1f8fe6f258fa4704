import type { Node, Pod, Service } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { type AddressSources, statusAddresses } from './status-addresses.ts'

const pod = (nodeName: string, ready = 'True'): Pod => ({
  spec: { nodeName },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
})

const node = (name: string, ...addresses: readonly (readonly [type: string, address: string])[]): Node => ({
  metadata: { name },
  status: { addresses: addresses.map(([type, address]) => ({ type, address })) },
})

const service = (spec: object, ingress: readonly object[] = []): Service =>
  ({ spec, status: { loadBalancer: { ingress } } }) as Service

describe('addresses in the status of an Ingress', () => {
  const none: AddressSources = { published: '', service: undefined, pods: [], nodes: [], usesInternalAddresses: false }
  const edge = node('edge', ['InternalIP', '10.0.0.1'], ['ExternalIP', '192.0.2.1'])
  const rows: readonly (readonly [fact: string, sources: Partial<AddressSources>, wanted: readonly object[]])[] = [
    [
      'published ones, names before addresses by order of the text',
      { published: '192.0.2.10, lb.example' },
      [{ ip: '192.0.2.10' }, { hostname: 'lb.example' }],
    ],
    [
      'the name of an ExternalName Service',
      { service: service({ type: 'ExternalName', externalName: 'x.example' }) },
      [{ hostname: 'x.example' }],
    ],
    [
      'the address of a ClusterIP Service',
      { service: service({ type: 'ClusterIP', clusterIP: '10.96.0.9' }) },
      [{ ip: '10.96.0.9' }],
    ],
    [
      'external addresses of a NodePort Service',
      { service: service({ type: 'NodePort', clusterIP: '10.96.0.9', externalIPs: ['192.0.2.7'] }) },
      [{ ip: '192.0.2.7' }],
    ],
    [
      'balancers and external addresses of a LoadBalancer Service',
      {
        service: service({ type: 'LoadBalancer', externalIPs: ['192.0.2.8'] }, [
          { ip: '192.0.2.7' },
          { hostname: 'lb.example' },
        ]),
      },
      [{ ip: '192.0.2.7' }, { ip: '192.0.2.8' }, { hostname: 'lb.example' }],
    ],
    ['the external address of the node', { pods: [pod('edge')], nodes: [edge] }, [{ ip: '192.0.2.1' }]],
    [
      'the internal one where that is wanted',
      { pods: [pod('edge')], nodes: [edge], usesInternalAddresses: true },
      [{ ip: '10.0.0.1' }],
    ],
    [
      'the internal one where there is no other',
      { pods: [pod('n')], nodes: [node('n', ['InternalIP', '10.0.0.2'])] },
      [{ ip: '10.0.0.2' }],
    ],
    [
      'every address of a node of two families',
      { pods: [pod('n')], nodes: [node('n', ['InternalIP', '10.0.0.2'], ['InternalIP', '2001:db8::2'])] },
      [{ ip: '10.0.0.2' }, { ip: '2001:db8::2' }],
    ],
    [
      'name and address of a balancer that has both',
      { service: service({ type: 'LoadBalancer' }, [{ ip: '192.0.2.7', hostname: 'lb.example' }]) },
      [{ ip: '192.0.2.7', hostname: 'lb.example' }],
    ],
    ['nothing for a pod that is not ready', { pods: [pod('edge', 'False')], nodes: [edge] }, []],
    ['each address once', { pods: [pod('edge'), pod('edge')], nodes: [edge] }, [{ ip: '192.0.2.1' }]],
  ]
  it.each(rows)('%s', (_, sources, wanted) => {
    expect(statusAddresses({ ...none, ...sources })).toEqual(wanted)
  })
})
