import { describe, expect, it, vi } from 'vitest'
import type { ApiObject } from '../api-object.ts'
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

describe('the work that a change makes', () => {
  /** So many Services and pods; pod i belongs to the Services that `selector` names. */
  async function cluster(counts: { readonly services: number; readonly pods: number }, app: (i: number) => string) {
    const server = createTestServer()
    const { storage } = server.state
    const one = (name: string, more: JsonObject) => ({ metadata: { name, namespace: 'default', uid: name }, ...more })
    for (let i = 0; i < counts.services; i++) {
      const spec = { selector: { app: app(i) }, ipFamilies: ['IPv4'], ports: [{ port: 80, targetPort: 8080 }] }
      storage.put('services', { kind: 'Service', apiVersion: 'v1', ...one(`s${i}`, { spec }) } as ApiObject)
    }
    const pod = (i: number, ready: string): ApiObject => {
      const status = {
        phase: 'Running',
        podIP: `10.244.${i >> 8}.${i & 255}`,
        conditions: [{ type: 'Ready', status: ready }],
      }
      const made = { kind: 'Pod', apiVersion: 'v1', ...one(`p${i}`, { spec: { nodeName: 'n1' }, status }) } as ApiObject
      return { ...made, metadata: { ...made.metadata, labels: { app: app(i) } } }
    }
    for (let i = 0; i < counts.pods; i++) storage.put('pods', pod(i, 'True'))
    const stop = runEndpointSliceController(server.state)
    server.clock.advance(1)
    // Each endpoint asks once for the zone of its node.
    const zones = vi.spyOn(storage.collection('nodes'), 'get')
    // Each write decodes the slice; comparing does not. All servers share one kind, so the count begins anew.
    const kind = server.state.kinds.find('discovery.k8s.io', 'v1', 'endpointslices')
    const decoded = kind && vi.spyOn(kind, 'decode').mockClear()
    const slices = { written: 0 }
    storage.collection('endpointslices.discovery.k8s.io').subscribe(() => slices.written++)
    const change = (i: number) => {
      storage.put('pods', pod(i, 'False'))
      server.clock.advance(1)
      return { endpoints: zones.mock.calls.length, decoded: decoded?.mock.calls.length, written: slices.written }
    }
    return { server, change, stop }
  }

  it('is that of the Services it concerns, among 400 Services and 500 pods', async () => {
    const { change } = await cluster({ services: 400, pods: 500 }, (i) => `app-${i % 400}`)
    expect(change(7)).toEqual({ endpoints: 2, decoded: 2, written: 1 })
  })

  it('is one slice of each Service, where 40 Services share 500 pods', async () => {
    const { change } = await cluster({ services: 40, pods: 500 }, () => 'tea')
    expect(change(7)).toEqual({ endpoints: 40 * 500, decoded: 80, written: 40 })
  })

  it('is cut into turns, so that requests are served in between', async () => {
    const { server } = await cluster({ services: 40, pods: 500 }, () => 'tea')
    const turns = vi.spyOn(server.clock, 'after')
    server.state.storage.put('pods', { ...server.state.storage.collection('pods').list()[0], status: {} } as ApiObject)
    server.clock.advance(1)
    expect(turns).toHaveBeenCalledTimes(40)
  })

  it('goes on after the storage went back to a former version', async () => {
    const { server, stop } = await cluster({ services: 1, pods: 2 }, () => 'tea')
    const { storage } = server.state
    const before = storage.version()
    storage.remove('pods', 'default/p1')
    server.clock.advance(1)
    storage.rollBack(before)
    storage.remove('pods', 'default/p0')
    server.clock.advance(1)
    const [slice] = storage.collection('endpointslices.discovery.k8s.io').list()
    expect(slice?.['endpoints']).toMatchObject([{ targetRef: { name: 'p1' } }])
    stop()
    storage.remove('pods', 'default/p1')
    server.clock.advance(1)
    expect(storage.collection('endpointslices.discovery.k8s.io').list()[0]).toBe(slice)
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
