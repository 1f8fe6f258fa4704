// Two controllers with one nginx, as during an upgrade: the later one takes over what runs, the earlier one does not fight
// and takes nothing along when it ends.

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleDaemon, startDaemon } from '../harness/daemon.ts'
import { startEchoServer } from '../harness/echo-process.ts'
import type { EchoServer } from '../harness/echo-server.ts'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`two-controllers.kernel.ts is skipped: ${missing}`)

describe.skipIf(missing !== undefined)('two controllers with one nginx', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-two-'))
  const kubeconfig = join(dir, 'kubeconfig')
  let netns: Netns
  let echo: EchoServer
  let api: RunningProgram
  const controllers: RunningProgram[] = []

  const hostNamed = (name: string): object => {
    const backend = { service: { name: 'tea', port: { number: 80 } } }
    const rules = [{ host: `${name}.example.org`, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }]
    return ingress(`shop/${name}`, { rules } as Parameters<typeof ingress>[1])
  }
  const write = (...hosts: readonly string[]): void => {
    const items = [
      service('shop/tea', { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
      endpointSlice('shop/tea', ['10.20.3.4']),
      ...hosts.map(hostNamed),
    ]
    writeFileSync(join(dir, 'shop.yaml'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  }
  const ask = async (name: string): Promise<string> => {
    const words = ['-s', '--max-time', '3', '-H', `Host: ${name}.example.org`, 'http://127.0.0.1/']
    return /"name":"(\w+)"/.exec((await netns.run('curl', words)).stdout)?.[1] ?? ''
  }
  const progressOf = async (port: number): Promise<{ readonly pid: number; readonly reloads: number }> =>
    JSON.parse((await netns.run('curl', ['-s', '--max-time', '3', `http://127.0.0.1:${port}/syncz`])).stdout)
  const startController = async (port: number): Promise<void> => {
    const args = [
      ...[`--kubeconfig=${kubeconfig}`, `--run-directory=${join(dir, 'run')}`, `--healthz-port=${port}`],
      ...['--watch-ingress-without-class', '--post-shutdown-grace-period=0', '--update-status=false'],
    ]
    const isReady = async (): Promise<boolean> => {
      const { stdout } = await netns.run('curl', ['-s', '--max-time', '3', `http://127.0.0.1:${port}/healthz`])
      return stdout === 'ok' && (await ask('one')) === 'tea'
    }
    const started = await startDaemon({
      daemon: 'ingress-ts',
      netns,
      args,
      env: { POD_NAME: 'controller-0', POD_NAMESPACE: 'ingress' },
    })
    controllers.push(started)
    await started.waitUntil(isReady)
  }

  beforeAll(async () => {
    netns = await createNetns('two')
    await netns.addAddresses(['10.20.3.4'])
    echo = await startEchoServer(netns, [{ name: 'tea', protocol: 'http', address: '10.20.3.4', port: 8080 }])
    write('one')
    api = await startDaemon({
      daemon: 'mini-apiserver',
      netns,
      args: ['--manifests', dir, '--listen', '127.0.0.1:6443', '--write-kubeconfig', kubeconfig],
      isReady: async () => (await netns.run('curl', ['-sk', 'https://127.0.0.1:6443/version'])).exitCode === 0,
    })
    await startController(10254)
    await startController(10255)
  })
  afterAll(async () => {
    // The output of the first one stays open in nginx, which ends with the second.
    for (const controller of controllers.reverse()) await controller.stop()
    await api?.stop()
    await echo?.close()
    await netns?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('the later one takes over the nginx that runs, without a reload', async () => {
    const [earlier, later] = [await progressOf(10254), await progressOf(10255)]
    expect(later.pid).toBe(earlier.pid)
    expect(later.reloads).toBe(0)
  })

  it('a new host comes from the later one; nginx refuses the earlier one', async () => {
    write('one', 'two')
    const [earlier, later] = controllers as [RunningProgram, RunningProgram]
    await later.waitUntil(async () => (await ask('two')) === 'tea')
    await earlier.waitUntil(() => earlier.output().includes('another controller has taken over'))
    expect(later.output()).not.toContain('another controller has taken over')
  })

  it('the earlier one ends and leaves nginx to the later one', async () => {
    const [earlier] = controllers as [RunningProgram]
    process.kill(earlier.pid, 'SIGTERM')
    await earlier.waitUntil(() => !isAlive(earlier.pid)).catch(() => undefined)
    write('one', 'two', 'three')
    const later = controllers[1] as RunningProgram
    await later.waitUntil(async () => (await ask('three')) === 'tea')
    expect((await progressOf(10255)).reloads).toBe(0)
  })

  it('one of another version, with other Lua files in the same place, takes it over with a reload', async () => {
    const { pid } = await progressOf(10255)
    const bundle = dirname(await bundleDaemon('ingress-ts'))
    appendFileSync(join(bundle, 'lua/kubewire.lua'), '\n-- of another version\n')
    await startController(10256)
    const latest = controllers.at(-1) as RunningProgram
    await latest.waitUntil(async () => (await progressOf(10256)).reloads > 0)
    expect(await progressOf(10256)).toMatchObject({ pid, reloads: 1 })
    expect(await ask('three')).toBe('tea')
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
