import type { Log } from '@kubewire/daemon-kit'
import { createLog, parseFlags } from '@kubewire/daemon-kit'
import { type Cluster, type ClusterRequest, errorOfStatus } from '@kubewire/informer'
import { describe, expect, it } from 'vitest'
import type { Flags } from './check-flags.ts'
import { flagTable } from './flags.ts'
import { checkCluster, checkPorts, ownPod, zoneOfPod } from './start-checks.ts'

function flagsOf(...argv: readonly string[]): Flags {
  return parseFlags(flagTable, argv, { dialect: 'pflag' }).values
}

const silent: Log = createLog({ format: 'json', write: () => {} })

/** A cluster of GET answers by path; what is absent is 404, and an Error is a connection that fails. */
function clusterOf(answers: { readonly [path: string]: unknown }): Cluster {
  return {
    request: ({ path }: ClusterRequest) => {
      const answer = answers[path]
      if (answer instanceof Error) return Promise.reject(answer)
      if (answer !== undefined) return Promise.resolve(answer)
      return Promise.reject(
        errorOfStatus({ kind: 'Status', code: 404, message: 'not found' } as never, 'request', path),
      )
    },
  } as unknown as Cluster
}

const found = { '/version': {}, '/api/v1/namespaces/shop/services/tea': {}, '/api/v1/namespaces/shop': {} }

describe('Ports at the start', () => {
  it.each([
    { name: 'nothing is wrong while all are free', taken: [], argv: [], errors: [] },
    {
      name: 'a taken port names its flag',
      taken: [8443],
      argv: ['--https-port=8443'],
      errors: ['port 8443 is already in use, check the flag --https-port'],
    },
    { name: 'the passthrough port counts only with passthrough', taken: [442], argv: [], errors: [] },
    {
      name: 'with passthrough it counts',
      taken: [442],
      argv: ['--enable-ssl-passthrough'],
      errors: ['port 442 is already in use, check the flag --ssl-passthrough-proxy-port'],
    },
  ])('$name', async ({ taken, argv, errors }) => {
    const probe = (port: number): Promise<string | undefined> =>
      Promise.resolve((taken as readonly number[]).includes(port) ? 'EADDRINUSE' : undefined)
    expect(await checkPorts(flagsOf(...argv), probe)).toEqual(errors)
  })

  it('are really tried', async () => {
    const { createServer } = await import('node:net')
    const server = createServer().listen(0)
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const errors = await checkPorts(flagsOf(`--stream-port=${port}`))
    server.close()
    expect(errors.filter((error) => error.includes('--stream-port'))).toHaveLength(1)
  })
})

describe('What must be known before the start', () => {
  it.each([
    { name: 'both names', env: { POD_NAME: 'a', POD_NAMESPACE: 'b' }, pod: { name: 'a', namespace: 'b' } },
    { name: 'no name of the Pod', env: { POD_NAMESPACE: 'b' }, pod: undefined },
    { name: 'an empty namespace', env: { POD_NAME: 'a', POD_NAMESPACE: '' }, pod: undefined },
  ])('$name', ({ env, pod }) => {
    expect(ownPod(env)).toEqual(pod)
  })

  it.each([
    ['1', '18+', 'expected Kubernetes 1.19 or newer, the API server is 1.18+'],
    ['1', '19', undefined],
    ['2', '0', undefined],
  ])('the API server of version %s.%s', async (major, minor, error) => {
    const outcome = checkCluster(clusterOf({ '/version': { major, minor } }), flagsOf(), silent)
    await (error === undefined ? expect(outcome).resolves.toBeUndefined() : expect(outcome).rejects.toThrow(error))
  })
})

describe('Objects that flags name', () => {
  it.each([
    { name: 'a Service that exists', argv: ['--default-backend-service=shop/tea'], error: undefined },
    {
      name: 'a default backend that does not exist',
      argv: ['--default-backend-service=shop/milk'],
      error: 'Service shop/milk of --default-backend-service does not exist',
    },
    {
      name: 'a published Service that does not exist',
      argv: ['--publish-service=shop/milk'],
      error: 'Service shop/milk of --publish-service does not exist',
    },
    {
      name: 'a name without a namespace',
      argv: ['--publish-service=milk'],
      error: 'expected namespace/name in --publish-service, got milk',
    },
    { name: 'a Namespace that exists', argv: ['--watch-namespace=shop'], error: undefined },
    {
      name: 'a Namespace that does not exist',
      argv: ['--watch-namespace=lab'],
      error: 'Namespace lab of --watch-namespace does not exist',
    },
  ])('$name', async ({ argv, error }) => {
    const outcome = checkCluster(clusterOf(found), flagsOf(...argv), silent)
    await (error === undefined ? expect(outcome).resolves.toBeUndefined() : expect(outcome).rejects.toThrow(error))
  })

  it('are looked for after ten tries to reach the server at most, each wait half as long again', async () => {
    const waits: number[] = []
    const clock = { nowMs: () => 0, sleep: async (ms: number) => void waits.push(Math.round(ms)) }
    const cluster = clusterOf({ '/version': new Error('connection refused') })
    const outcome = checkCluster(cluster, flagsOf(), silent, { clock: clock as never, random: () => 0.5 })
    await expect(outcome).rejects.toThrow('the API server does not answer: connection refused')
    expect(waits.slice(0, 3)).toEqual([1000, 1500, 2250])
    expect(waits).toHaveLength(9)
  })
})

describe('The zone of the controller', () => {
  const pod = { name: 'edge-0', namespace: 'edge' }
  it('is that of the node of its Pod', async () => {
    const cluster = clusterOf({
      '/api/v1/namespaces/edge/pods/edge-0': { spec: { nodeName: 'n1' } },
      '/api/v1/nodes/n1': { metadata: { labels: { 'topology.kubernetes.io/zone': 'west' } } },
    })
    expect(await zoneOfPod(cluster, pod, silent)).toBe('west')
  })

  it('is unknown, with a warning, where the Pod cannot be read', async () => {
    const warnings: string[] = []
    const log = { ...silent, warn: (message: string) => void warnings.push(message) }
    expect(await zoneOfPod(clusterOf({}), pod, log)).toBeUndefined()
    expect(warnings).toEqual(['the zone of the node is not known, topology hints are not followed'])
  })
})
