// The images of `deploy/*/Dockerfile`: built without a container engine, run as their user on a read-only root, and asked
// what their originals are asked. Minutes and gigabytes: only with KUBEWIRE_IMAGES=1, as root, with debootstrap.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildImage, imageCommand } from '../../tools/image.mjs'
import { startDaemon } from '../harness/daemon.ts'
import { startEchoServer } from '../harness/echo-process.ts'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'

const missing =
  process.env['KUBEWIRE_IMAGES'] !== '1'
    ? 'KUBEWIRE_IMAGES=1 is not set'
    : existsSync('/usr/sbin/debootstrap')
      ? whyNoNetns()
      : 'debootstrap is not installed'
if (missing !== undefined) console.log(`images.kernel.ts is skipped: ${missing}`)

const manifests = `
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: nginx }
spec: { controller: k8s.io/ingress-nginx }
---
apiVersion: v1
kind: Service
metadata: { name: tea, namespace: shop }
spec: { clusterIP: 10.96.4.4, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: tea-1, namespace: shop, labels: { kubernetes.io/service-name: tea } }
addressType: IPv4
ports: [{ port: 8080 }]
endpoints: [{ addresses: [10.20.3.4] }]
---
apiVersion: v1
kind: Node
metadata: { name: node-1 }
spec: { podCIDR: 10.20.3.0/24 }
status: { addresses: [{ type: InternalIP, address: 192.0.2.1 }] }
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

describe.skipIf(missing !== undefined)('the images', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-images-'))
  let netns: Netns
  const stops: (() => Promise<void>)[] = []

  const startImage = (
    name: string,
    options: {
      readonly user?: string
      readonly args: readonly string[]
      readonly environment?: { readonly [name: string]: string }
    },
  ): RunningProgram => {
    const running = netns.start(imageCommand(join(dir, name), options))
    stops.push(() => running.stop('SIGKILL'))
    return running
  }
  const curl = async (...args: readonly string[]): Promise<string> =>
    (await netns.run('curl', ['-s', '--max-time', '3', ...args])).stdout

  beforeAll(async () => {
    netns = await createNetns('images')
    await netns.addAddresses(['10.20.3.4', '192.0.2.1'])
    const echo = await startEchoServer(netns, [{ name: 'one', protocol: 'http', address: '10.20.3.4', port: 8080 }])
    stops.push(() => echo.close())
    writeFileSync(join(dir, 'shop.yaml'), manifests)
    const api = await startDaemon({
      daemon: 'mini-apiserver',
      netns,
      args: ['--manifests', dir, '--listen', '127.0.0.1:6443', '--http'],
      isReady: async () => (await curl('http://127.0.0.1:6443/version')) !== '',
    })
    stops.push(() => api.stop())
  })

  afterAll(async () => {
    for (const stop of stops.reverse()) await stop()
    await netns?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('of coredns-ts answers from the cluster as nobody, on port 53', { timeout: 300_000 }, async () => {
    await buildImage('coredns-ts', join(dir, 'coredns-ts'))
    mkdirSync(join(dir, 'coredns-ts/etc/coredns'))
    const corefile = '.:53 {\n errors\n ready\n kubernetes cluster.local {\n endpoint http://127.0.0.1:6443\n }\n}\n'
    writeFileSync(join(dir, 'coredns-ts/etc/coredns/Corefile'), corefile)
    await netns.setSysctl('net.ipv4.ip_unprivileged_port_start', 53)
    const dns = startImage('coredns-ts', { args: ['-conf', '/etc/coredns/Corefile'] })
    await dns.waitUntil(async () => (await curl('http://127.0.0.1:8181/ready')) === 'OK', 30_000)
    const { stdout } = await netns.run('dig', ['+short', '+time=2', '@127.0.0.1', 'tea.shop.svc.cluster.local'])
    expect(stdout).toBe('10.96.4.4\n')
    await dns.stop('SIGKILL')
  })

  it('of kube-proxy-ts writes the rules', { timeout: 300_000 }, async () => {
    await buildImage('kube-proxy-ts', join(dir, 'kube-proxy-ts'))
    const args = ['--master=http://127.0.0.1:6443', '--hostname-override=node-1', '--cluster-cidr=10.20.0.0/16']
    const proxy = startImage('kube-proxy-ts', { args })
    await proxy.waitUntil(async () => (await curl('http://127.0.0.1:10256/healthz')).includes('lastUpdated'), 30_000)
    expect((await netns.run('iptables-save', ['-t', 'nat'])).stdout).toContain('-d 10.96.4.4/32')
  })

  it('of ingress-ts serves for manifests of ingress-nginx, whose user is 101', { timeout: 300_000 }, async () => {
    await buildImage('ingress-ts', join(dir, 'ingress-ts'))
    const args = ['/nginx-ingress-controller', '--apiserver-host=http://127.0.0.1:6443', '--update-status=false']
    const ingress = startImage('ingress-ts', {
      user: '101:82',
      args: [...args, '--disable-leader-election=true'],
      environment: { POD_NAME: 'ingress-1', POD_NAMESPACE: 'ingress' },
    })
    const ask = (): Promise<string> => curl('-H', 'Host: tea.example.org', '-w', '\n%{http_code}', 'http://127.0.0.1/')
    await ingress.waitUntil(async () => (await ask()).endsWith('200'), 30_000)
    expect(await ask()).toContain('"name":"one"')
  })
})
