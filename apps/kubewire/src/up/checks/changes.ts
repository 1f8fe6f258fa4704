// Changes: made while everything runs; each must show without a restart.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomic } from '@kubewire/daemon-kit'
import { demoNetwork } from '../plan.ts'
import type { DemoWorld } from '../world.ts'
import { type Check, endpointsOf, eventually } from './check.ts'
import { curlHost } from './ingress.ts'

const slicePath = '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices/tea-a'
const ingressesPath = '/apis/networking.k8s.io/v1/namespaces/shop/ingresses'
const added = '10.244.1.13'

/** The table; the order matters, each leaves the cluster as it found it or as its name says. */
export const changeChecks: readonly Check[] = [
  {
    name: 'a new endpoint gets connections',
    expected: /10\.244\.1\.13[\s\S]* after /,
    asked: () => `PATCH endpointslice tea-a with ${added}; [client] curl http://10.96.10.1/`,
    ask: async (world) => {
      await addEndpoint(world)
      const command = ['curl', '-sS', '--max-time', '5', '-H', 'Connection: close', 'http://10.96.10.1/[1-40]'] as const
      return eventually(async () => endpointsOf((await world.run('client', command)).stdout), hasAdded)
    },
  },
  {
    name: 'and requests, while nginx goes on with the same workers',
    expected: /10\.244\.1\.13[\s\S]* after .*; same workers$/,
    asked: () => '[outside] curl https://shop.example.org/',
    ask: async (world) => {
      const before = await nginxWorkers(world)
      const command = curlHost('https://shop.example.org/[1-30]', '-k')
      const answer = await eventually(async () => endpointsOf((await world.run('outside', command)).stdout), hasAdded)
      const after = await nginxWorkers(world)
      return `${answer}; ${before !== '' && before === after ? 'same workers' : `workers ${before} became ${after}`}`
    },
  },
  {
    name: 'a Deployment that is scaled has that many endpoints',
    expected: /^10\.244\.1\.100:8080\n10\.244\.1\.101:8080\n10\.244\.1\.102:8080\n10\.244\.1\.103:8080 after /,
    asked: () => 'scale deployment milk to 4; [client] curl http://milk/',
    ask: async (world) => {
      await world.cluster.request({
        method: 'PATCH',
        path: '/apis/apps/v1/namespaces/shop/deployments/milk/scale',
        contentType: 'application/merge-patch+json',
        body: { spec: { replicas: 4 } },
      })
      const command = ['curl', '-sS', '--max-time', '5', '-H', 'Connection: close', 'http://milk/[1-60]'] as const
      const ask = async (): Promise<string> => endpointsOf((await world.run('client', command)).stdout)
      return eventually(ask, (answer) => answer.split('\n').length === 4)
    },
  },
  {
    name: 'an edit of a file shows in DNS',
    expected: /^10\.244\.1\.92 after /,
    asked: () => 'edit 40-data.yaml: db-2 is ready; [client] dig db-2.db.data.svc.cluster.local',
    ask: async (world) => {
      const path = join(world.manifests, '40-data.yaml')
      const text = await readFile(path, 'utf8')
      await writeAtomic(path, text.replace(/(hostname: db-2, .*)ready: false/, '$1ready: true'))
      const command = ['dig', '+short', `@${demoNetwork.dnsService}`, 'db-2.db.data.svc.cluster.local'] as const
      return eventually(
        async () => (await world.run('client', command)).stdout.trim(),
        (answer) => answer !== '',
      )
    },
  },
  {
    name: 'an Ingress that nginx would refuse is set aside, and a good one made after it works',
    expected: /^tea at .* after /,
    asked: () => 'POST ingress broken (path /a(b), POST ingress fresh; [outside] curl http://fresh.example.org/',
    ask: async (world) => {
      await createIngress(world, 'broken', 'broken.example.org', '/a(b')
      await createIngress(world, 'fresh', 'fresh.example.org', '/')
      const command = curlHost('http://fresh.example.org/')
      return eventually(
        async () => (await world.run('outside', command)).stdout.trim(),
        (answer) => answer.startsWith('tea'),
      )
    },
  },
  {
    name: 'and the others never noticed',
    expected: /^orders at /,
    asked: () => '[outside] curl http://api.example.org/v1/ping',
    ask: async (world) => (await world.run('outside', curlHost('http://api.example.org/v1/ping'))).stdout.trim(),
  },
  {
    name: 'a deleted Ingress is gone',
    expected: /^404 after /,
    asked: () => 'DELETE ingress fresh; [outside] curl http://fresh.example.org/',
    ask: async (world) => {
      for (const name of ['broken', 'fresh']) {
        await world.cluster.request({ method: 'DELETE', path: `${ingressesPath}/${name}` })
      }
      const command = curlHost('http://fresh.example.org/', '-o', '/dev/null', '-w', '%{http_code}')
      return eventually(
        async () => (await world.run('outside', command)).stdout.trim(),
        (answer) => answer === '404',
      )
    },
  },
]

function hasAdded(answer: string): boolean {
  return answer.split('\n').includes(`${added}:8080`)
}

async function addEndpoint(world: DemoWorld): Promise<void> {
  const slice = await world.cluster.request<{ endpoints: object[] }>({ method: 'GET', path: slicePath })
  const endpoint = { addresses: [added], nodeName: demoNetwork.nodeName, conditions: { ready: true } }
  await world.cluster.request({
    method: 'PATCH',
    path: slicePath,
    contentType: 'application/merge-patch+json',
    body: { endpoints: [...slice.endpoints, endpoint] },
  })
}

async function createIngress(world: DemoWorld, name: string, host: string, path: string): Promise<void> {
  const backend = { service: { name: 'tea', port: { name: 'http' } } }
  await world.cluster.request({
    method: 'POST',
    path: ingressesPath,
    body: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name, namespace: 'shop', annotations: { 'nginx.ingress.kubernetes.io/use-regex': 'true' } },
      spec: {
        ingressClassName: 'nginx',
        rules: [{ host, http: { paths: [{ path, pathType: 'ImplementationSpecific', backend }] } }],
      },
    },
  })
}

async function nginxWorkers(world: DemoWorld): Promise<string> {
  const { stdout } = await world.runHere(['ip', 'netns', 'pids', world.plan.namespaces.pods])
  const workers: string[] = []
  for (const pid of stdout.split('\n').filter((line) => line !== '')) {
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    // `nginx: worker process is shutting down` is a worker of the time before a reload.
    if (/nginx: worker process\0*$/.test(title)) workers.push(pid)
  }
  return workers.sort().join(' ')
}
