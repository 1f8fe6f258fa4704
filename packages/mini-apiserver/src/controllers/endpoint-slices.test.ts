import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json.ts'
import { createTestServer } from '../testing/in-process.ts'
import { runEndpointSliceController } from './endpoint-slices.ts'
import { runNamespaceController } from './namespaces.ts'

const pods = '/api/v1/namespaces/default/pods'
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
const strategic = 'application/strategic-merge-patch+json'

function scene() {
  const server = createTestServer()
  runEndpointSliceController(server.state)
  const addPod = async (name: string, ip: string, status: JsonObject = {}) => {
    const spec = {
      nodeName: 'n1',
      containers: [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort: 8080 }] }],
    }
    await server.ask(`POST ${pods}`, { metadata: { name, labels: { app: 'tea' } }, spec })
    const ready = { phase: 'Running', podIP: ip, conditions: [{ type: 'Ready', status: 'True' }], ...status }
    await server.ask(`PATCH ${pods}/${name}/status`, { status: ready }, strategic)
    server.clock.advance(1)
  }
  const list = async () => (await server.ask(`GET ${slices}`)).body['items'] as JsonObject[]
  return { server, addPod, list }
}

const tea = {
  metadata: { name: 'tea', labels: { x: 'y' } },
  spec: { selector: { app: 'tea' }, ports: [{ name: 'http', port: 80, targetPort: 'web' }] },
}

describe('EndpointSlices from Services and Pods', () => {
  it('holds ready pods with their named port, node and owner', async () => {
    const { server, addPod, list } = scene()
    await server.ask('POST /api/v1/nodes', { metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'z' } } })
    await server.ask('POST /api/v1/namespaces/default/services', tea)
    await addPod('a', '10.244.1.5')
    expect(await list()).toMatchObject([
      {
        metadata: {
          labels: { x: 'y', 'kubernetes.io/service-name': 'tea' },
          ownerReferences: [{ kind: 'Service', name: 'tea' }],
        },
        addressType: 'IPv4',
        endpoints: [
          {
            addresses: ['10.244.1.5'],
            conditions: { ready: true, serving: true, terminating: false },
            nodeName: 'n1',
            zone: 'z',
            targetRef: { name: 'a' },
          },
        ],
        ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
      },
    ])
  })

  it('shows a pod that is not ready, one that ends, and none that has ended', async () => {
    const { server, addPod, list } = scene()
    await server.ask('POST /api/v1/namespaces/default/services', tea)
    await addPod('a', '10.244.1.5', { conditions: [{ type: 'Ready', status: 'False' }] })
    await addPod('b', '10.244.1.6')
    await addPod('c', '10.244.1.7', { phase: 'Succeeded' })
    await server.ask(`DELETE ${pods}/b`)
    server.clock.advance(1)
    const [slice] = await list()
    expect(slice?.['endpoints']).toMatchObject([
      { addresses: ['10.244.1.5'], conditions: { ready: false, serving: false, terminating: false } },
      { addresses: ['10.244.1.6'], conditions: { ready: false, serving: true, terminating: true } },
    ])
  })

  it('leaves slices of others alone, makes none where there never was a pod, and cleans up after the Service', async () => {
    const { server, addPod, list } = scene()
    await server.ask('POST /api/v1/namespaces/default/services', tea)
    await server.ask(`POST ${slices}`, {
      metadata: { name: 'mine', labels: { 'kubernetes.io/service-name': 'tea' } },
      addressType: 'IPv4',
      endpoints: [],
      ports: [],
    })
    server.clock.advance(1)
    expect(await list()).toHaveLength(1)
    await addPod('a', '10.244.1.5')
    expect(await list()).toHaveLength(2)
    await server.ask('DELETE /api/v1/namespaces/default/services/tea')
    server.clock.advance(1)
    expect(await list()).toMatchObject([{ metadata: { name: 'mine' } }])
  })
})

describe('the end of a namespace', () => {
  it('takes its contents along, but waits for finalizers', async () => {
    const server = createTestServer()
    runNamespaceController(server.state)
    await server.ask('POST /api/v1/namespaces', { metadata: { name: 'shop' } })
    await server.ask('POST /api/v1/namespaces/shop/configmaps', { metadata: { name: 'a' } })
    await server.ask('POST /api/v1/namespaces/shop/configmaps', {
      metadata: { name: 'held', finalizers: ['example.org/x'] },
    })
    await server.ask('DELETE /api/v1/namespaces/shop')
    server.clock.advance(1500)
    expect((await server.ask('GET /api/v1/namespaces/shop/configmaps')).body['items']).toMatchObject([
      { metadata: { name: 'held' } },
    ])
    await server.ask(
      'PATCH /api/v1/namespaces/shop/configmaps/held',
      { metadata: { finalizers: null } },
      'application/merge-patch+json',
    )
    server.clock.advance(1500)
    expect((await server.ask('GET /api/v1/namespaces/shop')).status).toBe(404)
  })
})
