// CoreDNS and kube-proxy, the originals, watch mini-apiserver while Services and EndpointSlices come, change and go; then
// the same against kube-apiserver. What they answer and what rules they write must be the same.
// CHURN_SECONDS lengthens it (10 by default, 600 for a soak).

import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { originalBinary } from '../harness/api-server.ts'
import { whyNoNetns } from '../harness/netns.ts'
import { type ClientScene, openClientScene } from './client-scene.ts'

const seconds = Number(process.env['CHURN_SECONDS'] ?? '10')
const seed = Number(process.env['CHURN_SEED'] ?? '7')
const reason = whyNoNetns() ?? whyNoOriginals()
if (reason !== undefined) console.log(`real-clients.kernel.ts skipped: ${reason}`)

function whyNoOriginals(): string | undefined {
  try {
    for (const name of ['coredns', 'kube-proxy', 'kube-apiserver', 'server'] as const) originalBinary(name)
    return undefined
  } catch (error) {
    return String(error)
  }
}

const services = Array.from({ length: 24 }, (_, i) => `svc-${i}`)

/** A small generator of numbers (mulberry32), so that both servers see the same changes. */
function createRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Known {
  endpoints: readonly string[]
}

/** Makes the same changes in any scene; returns what should be there at the end. */
async function churn({ send }: ClientScene, steps: number): Promise<ReadonlyMap<string, Known>> {
  const random = createRandom(seed)
  const known = new Map<string, Known>()
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  for (let step = 0; step < steps; step++) {
    const i = Math.floor(random() * services.length)
    const name = services[i] ?? ''
    const draw = random()
    const endpoints = Array.from(
      { length: Math.floor(random() * 4) },
      (_, k) => `10.244.${i}.${10 + k + Math.floor(random() * 3) * 4}`,
    )
    const slicePath = `/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices`
    if (!known.has(name)) {
      await send('POST', '/api/v1/namespaces/shop/services', service(name, i))
      await send('POST', slicePath, slice(name, endpoints))
      known.set(name, { endpoints })
    } else if (draw < 0.25) {
      await send('DELETE', `/api/v1/namespaces/shop/services/${name}`)
      await send('DELETE', `${slicePath}/${name}-a`)
      known.delete(name)
    } else {
      await send('PUT', `${slicePath}/${name}-a`, slice(name, endpoints))
      known.set(name, { endpoints })
    }
    await delay(10)
  }
  return known
}

function service(name: string, i: number): unknown {
  const isHeadless = i % 4 === 3
  return {
    metadata: { name },
    spec: {
      ...(isHeadless ? { clusterIP: 'None' } : { clusterIP: `10.96.10.${i + 1}` }),
      ...(i % 4 === 1 ? { type: 'NodePort' } : {}),
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ name: 'http', port: 80, ...(i % 4 === 1 ? { nodePort: 30_100 + i } : {}) }],
    },
  }
}

function slice(name: string, addresses: readonly string[]): unknown {
  return {
    metadata: { name: `${name}-a`, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  }
}

interface Outcome {
  readonly names: { readonly [name: string]: readonly string[] }
  readonly rules: readonly string[]
}

/** Waits until two looks agree, then returns what they saw. */
async function settle(scene: ClientScene): Promise<Outcome> {
  let before = ''
  for (let look = 0; look < 20; look++) {
    await delay(1000)
    const names: { [name: string]: readonly string[] } = {}
    for (const name of services) {
      names[name] = await scene.resolve(`${name}.shop.svc.cluster.local`, 'A')
      names[`_http._tcp.${name}`] = await scene.resolve(`_http._tcp.${name}.shop.svc.cluster.local`, 'SRV')
    }
    const outcome = { names, rules: await scene.rules() }
    const now = JSON.stringify(outcome)
    if (now === before) return outcome
    before = now
  }
  throw new Error('the clients do not come to rest')
}

async function outcomeWith(api: 'mini' | 'real'): Promise<Outcome> {
  const scene = await openClientScene(api)
  try {
    const known = await churn(scene, seconds * 20)
    const outcome = await settle(scene)
    const wanted = [...known].filter(([, { endpoints }]) => endpoints.length > 0).length
    expect(outcome.rules.length, scene.logs()).toBeGreaterThan(wanted)
    return outcome
  } finally {
    await scene.close()
  }
}

describe.skipIf(reason !== undefined)('CoreDNS and kube-proxy under churn', () => {
  it(
    'make the same of mini-apiserver as of kube-apiserver',
    async () => {
      const ours = await outcomeWith('mini')
      const theirs = await outcomeWith('real')
      expect(ours.names).toEqual(theirs.names)
      expect(ours.rules).toEqual(theirs.rules)
    },
    seconds * 8000 + 180_000,
  )
})
