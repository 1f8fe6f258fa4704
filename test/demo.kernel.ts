// The demo as people run it: its checks pass, Ctrl-C and a crash leave nothing behind, and without root it says so and
// does what it can.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleEntry, executables } from '../tools/bundle-entry.mjs'
import { whyNoNetns } from './harness/netns.ts'

const reason = whyNoNetns()
if (reason !== undefined) console.log(`demo.kernel.ts skipped: ${reason}`)

const name = `kwt${process.pid}`
let folder = ''
let shop = ''
let main = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kubewire-demo-'))
  chmodSync(folder, 0o755)
  for (const app of ['coredns-ts', 'kube-proxy-ts', 'ingress-ts', 'kubewire'] as const) {
    const executable: { readonly entry: string; readonly lua?: string } = executables[app]
    const file = await bundleEntry(executable.entry, join(folder, app, 'dist'), executable.lua)
    if (app === 'kubewire') main = file
  }
  shop = join(folder, 'shop')
  cpSync(fileURLToPath(new URL('../examples/shop', import.meta.url)), shop, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function start(
  words: readonly string[],
  uid?: number,
  env: NodeJS.ProcessEnv = process.env,
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [main, 'up', ...words], {
    env,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
  return { child, ended }
}

async function untilUp(child: ChildProcess, words = 'Ctrl-C ends the demo'): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes(words)) resolve()
    })
    child.once('close', () => reject(new Error('the demo ended before it was up')))
  })
}

const ownManifests = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: registry.example.org/web:1, ports: [{name: http, containerPort: 3000}]}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec:
  ingressClassName: nginx
  tls: [{hosts: [web.example.org], secretName: web-tls}]
  rules:
    - host: web.example.org
      http:
        paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]
`

function leftNamespaces(): string[] {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.startsWith(`${name}-`))
}

describe.skipIf(reason !== undefined)('the demo', () => {
  it('passes its checks, also after a demo that was killed, and leaves nothing behind', async () => {
    const first = start(['-f', shop, '--name', name])
    await untilUp(first.child)
    first.child.kill('SIGKILL')
    await first.ended
    expect(leftNamespaces()).toHaveLength(4)
    const { code, stdout, stderr } = await start(['--once', '-f', shop, '--name', name]).ended
    const lines = stdout.split('\n').filter((line) => /^(not )?ok /.test(line))
    expect(lines.filter((line) => line.startsWith('not ok'))).toEqual([])
    expect(lines.length).toBeGreaterThanOrEqual(25)
    expect(stderr).toContain('removed what an earlier demo left behind')
    expect(code).toBe(0)
    expect(leftNamespaces()).toEqual([])
    expect(existsSync(`/run/kubewire/${name}`)).toBe(false)
  }, 180_000)

  it('runs the manifests of somebody’s own folder: endpoints, addresses and certificates are made', async () => {
    const own = join(folder, 'own')
    mkdirSync(own)
    writeFileSync(join(own, 'web.yaml'), ownManifests)
    const { code, stdout } = await start(['--once', '-f', own, '--name', name]).ended
    expect(stdout).toMatch(/^ok \d+ - default\/web answers: .* → web at \S+:3000 got GET/m)
    expect(stdout).toMatch(/^ok \d+ - default\/web serves https:\/\/web\.example\.org\/: .* → 200/m)
    expect(stdout).not.toMatch(/^not ok/m)
    expect(code).toBe(0)
  }, 60_000)

  it('ends on Ctrl-C with everything it made removed', async () => {
    const demo = start(['-f', shop, '--name', name])
    await untilUp(demo.child)
    demo.child.kill('SIGINT')
    const { code, stdout } = await demo.ended
    expect(code).toBe(0)
    expect(stdout).toContain('tea.shop.svc.cluster.local A\n10.96.10.1\n')
    expect(leftNamespaces()).toEqual([])
  }, 120_000)

  it('says without root what is missing, answers names on a high port and simulates the rest', async () => {
    const { code, stdout, stderr } = await start(['--once', '-f', shop], 65_534).ended
    expect(stderr).toContain('need root: sudo npm run demo')
    expect(stdout.split('\n').filter((line) => line.startsWith('not ok'))).toEqual([])
    expect(stdout).toMatch(/ok 1 - .*127\.0\.0\.1 -p \d+.* → 10\.96\.10\.1\n/)
    expect(code).toBe(0)
  }, 60_000)

  it.each(['SIGINT', 'SIGHUP'] as const)(
    'without root %s, even twice, leaves nothing behind',
    async (signal) => {
      const temporary = join(folder, `temporary-${signal}`)
      mkdirSync(temporary)
      chownSync(temporary, 65_534, 65_534)
      const demo = start(['-f', shop], 65_534, { ...process.env, TMPDIR: temporary })
      await untilUp(demo.child, 'Until Ctrl-C')
      demo.child.kill(signal)
      demo.child.kill('SIGINT')
      expect((await demo.ended).code).toBe(0)
      expect(readdirSync(temporary)).toEqual([])
      expect(spawnSync('pgrep', ['-f', temporary]).status).toBe(1)
    },
    60_000,
  )
})
