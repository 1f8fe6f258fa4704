// Requests are counted from the first one on, and go on being counted after a reload, a killed worker and a restart of
// the controller.

import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoNetns } from '../harness/netns.ts'
import { startWorld, type World } from './world.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`counted.kernel.ts is skipped: ${missing}`)

function site(name: string, annotations: { readonly [name: string]: string } = {}): KubeObject {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const rules = [
    { host: `${name}.example.org`, http: { paths: [{ path: '/', pathType: 'Prefix' as const, backend }] } },
  ]
  return ingress(`shop/${name}`, { rules }, annotations) as KubeObject
}

describe.skipIf(missing !== undefined)('requests', () => {
  let world: World

  beforeAll(async () => {
    world = await startWorld({
      label: 'counted',
      flags: ['--watch-ingress-without-class', '--enable-metrics=true'],
      objects: [
        service('shop/tea', { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
        endpointSlice('shop/tea', ['10.20.3.4']),
        site('tea'),
      ],
    })
  }, 60_000)
  afterAll(async () => {
    await world?.close()
  })

  /** How many requests of a host are counted. */
  const counted = async (host: string): Promise<number> => {
    const lines = (await world.health('/metrics')).split('\n')
    const own = lines.filter(
      (line) => line.startsWith('nginx_ingress_controller_requests{') && line.includes(`"${host}"`),
    )
    return own.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }
  const counts = (host: string, wanted: number): Promise<void> =>
    world.daemon.waitUntil(async () => (await counted(host)) === wanted, 5000)

  it('are counted within some seconds, from the first one on', async () => {
    expect(await world.ask('tea.example.org')).toBe('200 one')
    await counts('tea.example.org', 1)
  }, 20_000)

  it('are counted after a reload', async () => {
    await world.put(site('milk', { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '13' }))
    await world.until('200 one', 'milk.example.org')
    const before = await counted('tea.example.org')
    for (let i = 0; i < 10; i++) await world.ask('tea.example.org')
    await counts('tea.example.org', before + 10)
  }, 20_000)

  it('are counted after the workers were killed', async () => {
    const pids = (await world.netns.run('sh', ['-c', `ip netns pids ${world.netns.name}`])).stdout.split('\n')
    for (const pid of pids.filter(Boolean)) {
      const script = `grep -q "nginx: worker" /proc/${pid}/cmdline && kill -9 ${pid}; true`
      await world.netns.run('sh', ['-c', script])
    }
    await world.until('200 one', 'tea.example.org')
    const before = await counted('milk.example.org')
    for (let i = 0; i < 10; i++) await world.ask('milk.example.org')
    await counts('milk.example.org', before + 10)
  }, 20_000)
})
