import { createLog } from '@kubewire/daemon-kit'
import { type Cluster, WatchError } from '@kubewire/informer'
import type { Ingress } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { createStatusWriter, type StatusParts } from './status.ts'

/** Answers of the API by path; what is missing is not there, an Error is thrown. */
type Answers = { readonly [path: string]: object }

const notFound = new WatchError({ code: 'INF_CONNECT', step: 'request', message: 'none', status: { code: 404 } })
const forbidden = new WatchError({ code: 'INF_CONNECT', step: 'request', message: 'no', status: { code: 403 } })
const down = new WatchError({ code: 'INF_CONNECT', step: 'request', message: 'ECONNREFUSED' })
const front: Ingress = {
  metadata: { namespace: 'shop', name: 'front' },
  status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
}

/** What the leader's first round writes. */
async function written(answers: Answers, parts: Partial<StatusParts>): Promise<readonly unknown[]> {
  const bodies: unknown[] = []
  const cluster = {
    request: async ({ method, path, body }: { method: string; path: string; body?: unknown }) => {
      if (method === 'PATCH' && answers['PATCH'] !== undefined) throw answers['PATCH']
      if (method === 'PATCH' || method === 'PUT') return void bodies.push(body)
      const answer = answers[path] ?? notFound
      if (answer instanceof Error) throw answer
      return answer
    },
  } as unknown as Cluster
  const writer = createStatusWriter({
    cluster,
    pod: { name: 'controller-0', namespace: 'ingress' },
    served: () => [front],
    published: '',
    publishService: '',
    usesInternalAddresses: false,
    intervalMs: 60_000,
    clearsOnShutdown: false,
    election: undefined,
    onLeader: () => {},
    log: createLog({ format: 'klog', level: 'error', write: () => {} }),
    ...parts,
  })
  await new Promise((resolve) => setImmediate(resolve))
  await writer.close()
  return bodies
}

describe('the status of Ingresses', () => {
  const service = '/api/v1/namespaces/ingress/services/front'
  const pod = '/api/v1/namespaces/ingress/pods/controller-0'
  const balancer = { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } }
  const rows: readonly (readonly [string, Answers, Partial<StatusParts>, readonly unknown[]])[] = [
    ['shows published addresses', {}, { published: '192.0.2.8' }, [[{ ip: '192.0.2.8' }]]],
    ['shows those of a Service', { [service]: balancer }, { publishService: 'ingress/front' }, [[{ ip: '192.0.2.9' }]]],
    [
      'is emptied where the Service has none',
      { [service]: { spec: { type: 'LoadBalancer' } } },
      { publishService: 'ingress/front' },
      [[]],
    ],
    ['stays where the Service does not exist', {}, { publishService: 'ingress/front' }, []],
    ['stays where the Service cannot be read', { [service]: down }, { publishService: 'ingress/front' }, []],
    ['stays where the own Pod does not exist', {}, {}, []],
    [
      'stays where nodes cannot be read',
      { [pod]: { metadata: {}, spec: { nodeName: 'edge' } }, '/api/v1/nodes': down },
      {},
      [],
    ],
    ['is not written where it says that already', {}, { published: '192.0.2.1' }, []],
  ]
  it.each(rows)('%s', async (_, answers, parts, addresses) => {
    expect(await written(answers, parts)).toEqual(
      addresses.map((ingress) => ({ status: { loadBalancer: { ingress } } })),
    )
  })

  it('is replaced where it may not be patched', async () => {
    const path = '/apis/networking.k8s.io/v1/namespaces/shop/ingresses/front'
    const answers = { PATCH: forbidden, [path]: { ...front, spec: {} } }
    expect(await written(answers, { published: '192.0.2.8' })).toEqual([
      { ...front, spec: {}, status: { loadBalancer: { ingress: [{ ip: '192.0.2.8' }] } } },
    ])
  })
})
