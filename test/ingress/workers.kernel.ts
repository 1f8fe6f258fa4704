// Worker processes: as many as the control group grants CPUs, and with enable-serial-reloads no new ones before old ones
// have ended.

import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoNetns } from '../harness/netns.ts'
import { startWorld, type World } from './world.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`workers.kernel.ts is skipped: ${missing}`)

const backend = { service: { name: 'tea', port: { number: 80 } } }
const site = (seconds: number): KubeObject =>
  ingress(
    'shop/tea',
    { rules: [{ host: 'tea.example.org', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
    { 'nginx.ingress.kubernetes.io/proxy-read-timeout': String(seconds) },
  ) as KubeObject
const slice = (address: string): KubeObject => endpointSlice('shop/tea', [address]) as KubeObject

/** A request that has begun and does not end: its worker stays. */
const held = `
const socket = require('node:net').connect(80, '127.0.0.1', () => socket.write('GET / HTTP/1.1\\r\\nHost: tea'))
socket.on('close', () => process.exit())
`

/** A control group of a part of one CPU. */
const granted = 'mount -t tmpfs none /sys/fs/cgroup && echo 60000 100000 > /sys/fs/cgroup/cpu.max'

describe.skipIf(missing !== undefined)('worker processes', () => {
  let world: World
  beforeAll(async () => {
    const settings = {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' } },
      data: { 'enable-serial-reloads': 'true', 'worker-processes': 'auto' },
    } as KubeObject
    world = await startWorld({
      label: 'workers',
      flags: ['--watch-ingress-without-class', '--routes=static', '--configmap=shop/settings'],
      objects: [
        service('shop/tea', { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }) as KubeObject,
        slice('10.20.3.4'),
        site(60),
        settings,
      ],
      prepare: granted,
    })
    await world.until('200 one', 'tea.example.org')
  }, 60_000)
  afterAll(async () => {
    await world?.close()
  })

  /** Command lines of nginx's workers in the namespace. */
  const workers = async (): Promise<readonly string[]> => {
    const script = `for pid in $(ip netns pids ${world.netns.name}); do tr '\\0' ' ' < /proc/$pid/cmdline; echo; done`
    const { stdout } = await world.netns.run('sh', ['-c', script])
    return stdout.split('\n').filter((line) => line.startsWith('nginx: worker'))
  }
  const reloads = async (): Promise<number> => JSON.parse(await world.health('/syncz')).reloads

  it('are as many as the control group grants CPUs, begun ones included', async () => {
    expect(await workers()).toHaveLength(1)
  })

  it('of the next reload wait for those of the one before, data does not', async () => {
    const before = await reloads()
    const client = world.netns.start({ program: 'node', args: ['-e', held] })
    const isServed = async (): Promise<boolean> =>
      (await world.netns.run('ss', ['-Htn', 'state', 'established', 'sport', '=', ':80'])).stdout !== ''
    await world.daemon.waitUntil(isServed, 5000)
    await world.put(site(61))
    await world.daemon.waitUntil(async () => (await reloads()) === before + 1, 10_000)
    const isEnding = async (): Promise<boolean> => (await workers()).some((line) => line.includes('shutting down'))
    await world.daemon.waitUntil(isEnding, 5000)

    await world.put(site(62))
    await world.put(slice('10.20.3.5'))
    await world.until('200 two', 'tea.example.org')
    expect(await reloads()).toBe(before + 1)
    expect(await workers()).toHaveLength(2)

    await client.stop('SIGKILL')
    await world.daemon.waitUntil(async () => (await reloads()) === before + 2, 10_000)
    await world.daemon.waitUntil(async () => (await workers()).length === 1, 5000)
  }, 40_000)
})
