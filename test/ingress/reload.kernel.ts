// Reloads under keep-alive load: before nginx reloads, answers tell clients that their connection is over, so that no request
// meets a connection that nginx has closed.

import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoNetns } from '../harness/netns.ts'
import { startWorld, type World } from './world.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`reload.kernel.ts is skipped: ${missing}`)

const backend = { service: { name: 'tea', port: { number: 80 } } }
const site = (seconds: number) =>
  ingress(
    'shop/tea',
    { rules: [{ host: 'tea.example.org', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
    { 'nginx.ingress.kubernetes.io/proxy-read-timeout': String(seconds) },
  )

describe.skipIf(missing !== undefined)('reloads under load', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({
      label: 'reload',
      flags: ['--watch-ingress-without-class', '--routes=static'],
      objects: [
        service('shop/tea', { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
        endpointSlice('shop/tea', ['10.20.3.4']),
        site(60),
      ] as never,
    })
    await world.until('200 one', 'tea.example.org')
  }, 60_000)
  afterAll(async () => {
    await world?.close()
  })

  it('lose no request of clients that keep their connections', async () => {
    const reloads = async (): Promise<number> => JSON.parse(await world.health('/syncz')).reloads
    const before = await reloads()
    const load = world.netns.mustRun(
      'wrk',
      ['-t1', '-c8', '-d5s', '-H', 'Host: tea.example.org', 'http://127.0.0.1/'],
      { timeoutMs: 30_000 },
    )
    for (let i = 1; i <= 3; i++) {
      await world.put(site(60 + i) as never)
      await world.daemon.waitUntil(async () => (await reloads()) >= before + i, 10_000)
    }
    const text = await load
    expect(text).not.toContain('Socket errors')
    expect(text).not.toContain('Non-2xx')
    expect(Number(/(\d+) requests in/.exec(text)?.[1])).toBeGreaterThan(100)
    expect(await reloads()).toBeGreaterThanOrEqual(before + 3)
  })

  it('begin with answers that end the connection', async () => {
    const answers = async (): Promise<string> =>
      (await world.netns.run('curl', ['-si', '-H', 'Host: tea.example.org', 'http://127.0.0.1/'])).stdout
    const control = ['--unix-socket', `${world.dir}/run/control/control.sock`, '-sf', '-X', 'POST']
    // The reload before may still be asking clients to come again.
    await world.daemon.waitUntil(async () => !/^connection: close/im.test(await answers()))
    await world.netns.mustRun('curl', [...control, '-d', '{"seconds":2}', 'http://control/drain'])
    expect(await answers()).toMatch(/^connection: close/im)
  })
})
