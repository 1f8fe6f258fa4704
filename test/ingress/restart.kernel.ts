// The daemon as it is installed: a kubeconfig, a server over https, a folder of manifests that changes, an nginx that is
// killed; with the Lua module and without.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDaemon } from '../harness/daemon.ts'
import { startEchoServer } from '../harness/echo-process.ts'
import type { EchoServer } from '../harness/echo-server.ts'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`restart.kernel.ts is skipped: ${missing}`)

const manifests = (endpoint: string): string => `
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: nginx }
spec: { controller: k8s.io/ingress-nginx }
---
apiVersion: v1
kind: Service
metadata: { name: tea, namespace: shop }
spec: { ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: tea-1, namespace: shop, labels: { kubernetes.io/service-name: tea } }
addressType: IPv4
ports: [{ port: 8080 }]
endpoints: [{ addresses: [${endpoint}] }]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: tea, namespace: shop }
spec:
  ingressClassName: nginx
  rules:
    - host: tea.example.org
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: tea, port: { number: 80 } } } }] }
`

describe.skipIf(missing !== undefined).each([
  { mode: 'with the Lua module', flags: [] },
  { mode: 'without the Lua module', flags: ['--dynamic=false'] },
])('the installed daemon $mode', ({ flags }) => {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-restart-'))
  let netns: Netns
  let echo: EchoServer
  let api: RunningProgram
  let daemon: RunningProgram

  const ask = async (): Promise<string> => {
    const args = ['-s', '--max-time', '3', '-H', 'Host: tea.example.org', '-w', '\n%{http_code}', 'http://127.0.0.1/']
    const { stdout } = await netns.run('curl', args)
    return `${stdout.split('\n').at(-1)} ${/"name":"(\w+)"/.exec(stdout)?.[1] ?? ''}`
  }
  const health = async (path: string): Promise<string> =>
    (await netns.run('curl', ['-s', '--max-time', '3', `http://127.0.0.1:10254${path}`])).stdout

  beforeAll(async () => {
    netns = await createNetns('restart')
    await netns.addAddresses(['10.20.3.4', '10.20.3.5'])
    echo = await startEchoServer(netns, [
      { name: 'one', protocol: 'http', address: '10.20.3.4', port: 8080 },
      { name: 'two', protocol: 'http', address: '10.20.3.5', port: 8080 },
    ])
    writeFileSync(join(dir, 'shop.yaml'), manifests('10.20.3.4'))
    const kubeconfig = join(dir, 'kubeconfig')
    api = await startDaemon({
      daemon: 'mini-apiserver',
      netns,
      args: ['--manifests', dir, '--listen', '127.0.0.1:6443', '--write-kubeconfig', kubeconfig],
      isReady: async () => (await netns.run('curl', ['-sk', 'https://127.0.0.1:6443/version'])).exitCode === 0,
    })
    daemon = await startDaemon({
      daemon: 'ingress-ts',
      env: { POD_NAME: 'controller-0', POD_NAMESPACE: 'ingress' },
      netns,
      args: [
        `--kubeconfig=${kubeconfig}`,
        `--run-directory=${join(dir, 'run')}`,
        '--sync-rate-limit=100',
        '--post-shutdown-grace-period=0',
        ...flags,
      ],
      isReady: async () => (await health('/healthz')) === 'ok',
    })
    await daemon.waitUntil(async () => (await ask()) === '200 one')
  })

  afterAll(async () => {
    await daemon?.stop()
    await api?.stop()
    await echo?.close()
    await netns?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('serves an endpoint that moves, once the manifest says so', async () => {
    // Asked all the time: nginx writes its log below the followed folder, which must not put the look off.
    writeFileSync(join(dir, 'shop.yaml'), manifests('10.20.3.5'))
    await daemon.waitUntil(async () => (await ask()) === '200 two', 10_000)
  })

  it('starts nginx again when it is killed, and no old worker goes on answering', async () => {
    const { pid } = JSON.parse(await health('/syncz')) as { readonly pid: number }
    process.kill(pid, 'SIGKILL')
    await daemon.waitUntil(async () => {
      const now = JSON.parse(await health('/syncz')) as { readonly pid?: number }
      return now.pid !== undefined && now.pid !== pid && (await ask()) === '200 two'
    }, 15_000)
    const { stdout } = await netns.run('sh', [
      '-c',
      'for pid in $(ip netns pids "$0"); do cat /proc/$pid/comm; done',
      netns.name,
    ])
    expect(stdout.split('\n').filter((name) => name === 'nginx').length).toBeLessThanOrEqual(1 + workerCount())
  })

  it('ends within its grace periods and takes nginx along', async () => {
    await daemon.stop('SIGTERM', 10_000)
    expect((await daemon.ended).exitCode).toBe(0)
    const { stdout } = await netns.run('sh', [
      '-c',
      'for pid in $(ip netns pids "$0"); do cat /proc/$pid/comm; done',
      netns.name,
    ])
    expect(stdout).not.toContain('nginx')
  })
})

function workerCount(): number {
  return availableParallelism()
}
