// Ingresses that come and go at random while clients with long connections look on; runs inside a namespace. The program
// prints one line of JSON: what failed, how often nginx was reloaded, and whether its table is what a translation says.
// Arguments: bundle of the controller, number of changes.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type KubeObject, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { renderRouted, translateIngresses } from '@kubewire/nginx-gen'
import { mustRun, type RunningProgram, startProgram } from '../harness/process.ts'
import { openGrpcStreams, openWebSockets, type Streams, startBackends } from './long-streams.ts'

const [controllerFile = '', changes = '100'] = process.argv.slice(2)
const count = Number(changes)
const prefix = 'nginx.ingress.kubernetes.io/'
const address = '10.20.3.4'

/** What a run came to. */
export interface ChurnResult {
  readonly changes: number
  readonly requests: number
  readonly failedRequests: number
  readonly brokenStreams: readonly string[]
  readonly messages: number
  readonly reloads: number
  /** Hosts whose routes in nginx are not those of a fresh translation. */
  readonly differences: readonly string[]
  readonly notServed: readonly string[]
  readonly slowestMs: number
}

const runDir = mkdtempSync(join(tmpdir(), 'kw-churn-'))
const api = await createMiniApiServer({ isPlainHttp: true })
const backends = await startBackends(address)
const names = ['tea', 'chat', 'grpc']
let created = 0
const port = (target: number): object => ({ ports: [{ port: 80, targetPort: target, protocol: 'TCP' as const }] })
api.put(
  ...(
    [
      service('shop/tea', port(8080)),
      service('shop/chat', port(8081)),
      service('shop/grpc', port(8082)),
      ...names.map((name, at) =>
        endpointSlice(`shop/${name}`, [address], { ports: [{ port: 8080 + at, protocol: 'TCP' }] }),
      ),
      oneHost('tea', 'tea.example.org', 'tea'),
      oneHost('chat', 'chat.example.org', 'chat'),
      oneHost('grpc', 'grpc.example.org', 'grpc', { 'backend-protocol': 'GRPC' }),
      // One of each kind of settings that is to come: what is known needs no reload.
      ...kinds().map((kind, at) => oneHost(`kind-${at}`, `kind-${at}.example.org`, 'tea', kind)),
    ] as KubeObject[]
  ).map(complete),
)
function complete(object: KubeObject): KubeObject {
  created++
  const creationTimestamp = new Date(Date.parse('2026-01-01T00:00:00Z') + created * 1000).toISOString()
  const uid = `00000000-0000-4000-8000-${String(created).padStart(12, '0')}`
  return { ...object, metadata: { ...object.metadata, uid, creationTimestamp } }
}

function kinds(): readonly { readonly [name: string]: string }[] {
  return [
    {},
    { 'rewrite-target': '/$1' },
    { 'permanent-redirect': 'https://new.example.org/' },
    { 'app-root': '/start' },
    { 'proxy-read-timeout': '77' },
    { 'upstream-vhost': 'tea.shop.example.org' },
  ]
}

function oneHost(
  name: string,
  host: string,
  target: string,
  annotations: { readonly [name: string]: string } = {},
): KubeObject {
  const path = 'rewrite-target' in annotations ? '/(.*)' : '/'
  const backend = { service: { name: target, port: { number: 80 } } }
  const rules = [{ host, http: { paths: [{ path, pathType: 'ImplementationSpecific' as const, backend }] } }]
  const named = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [prefix + key, value]))
  return ingress(`shop/${name}`, { rules }, named) as KubeObject
}

function startController(): RunningProgram {
  return startProgram({
    program: process.execPath,
    args: [
      controllerFile,
      ...[`--apiserver-host=${api.url}`, `--run-directory=${runDir}`, '--watch-ingress-without-class'],
      ...['--sync-rate-limit=100', '--post-shutdown-grace-period=0', '--update-status=false'],
    ],
    env: { POD_NAME: 'kubewire-0', POD_NAMESPACE: 'shop' },
  })
}

async function statusOf(host: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = http.request({ host: '127.0.0.1', port: 80, path: '/', headers: { host }, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.setTimeout(5000, () => sent.destroy())
    sent.on('error', () => resolve(0))
    sent.end()
  })
}

async function waitFor(holds: () => Promise<boolean>, limitMs = 30_000): Promise<number> {
  const startMs = Date.now()
  while (!(await holds())) {
    if (Date.now() - startMs > limitMs) return Number.POSITIVE_INFINITY
    await delay(5)
  }
  return Date.now() - startMs
}

async function reloadsOf(): Promise<number> {
  const answer = await fetch('http://127.0.0.1:10254/syncz')
  return ((await answer.json()) as { readonly reloads: number }).reloads
}

/** Numbers that look random and are the same each time. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Load {
  requests: number
  failures: number
}

/** Keep-alive load on a host that stays, until the work is done. */
async function underLoad(work: () => Promise<void>, total: Load): Promise<void> {
  let isDone = false
  const loading = (async () => {
    while (!isDone) {
      const text = await mustRun({
        program: 'wrk',
        args: ['-t1', '-c8', '-d2s', '-H', 'Host: tea.example.org', 'http://127.0.0.1/'],
        timeoutMs: 20_000,
      })
      const socket = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text)?.slice(1) ?? []
      const others = Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0)
      total.failures += socket.reduce((sum, part) => sum + Number(part), 0) + others
      total.requests += Number(/(\d+) requests in/.exec(text)?.[1] ?? 0)
    }
  })()
  await work()
  isDone = true
  await loading
}

const random = createRandom(20261130)
const present = new Map<number, KubeObject>()
const notServed: string[] = []
let slowestMs = 0

/** Creates or deletes Ingresses; every tenth is waited for. */
async function change(from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) {
    const isNew = present.size === 0 || random(5) < 3
    if (isNew) {
      const kind = random(kinds().length)
      const name = random(8) === 0 ? `*.x${i}.example.org` : `h${i}.example.org`
      const object = complete(oneHost(`i${i}`, name, 'tea', kinds()[kind] ?? {}))
      present.set(i, object)
      api.put(object)
      if (i % 10 === 0) await mustServe(name.replace('*', 'any'), kind === 2 ? 301 : kind === 3 ? 302 : 200)
    } else {
      const [at = 0, object] = [...present][random(present.size)] ?? []
      present.delete(at)
      api.delete('Ingress', object?.metadata?.name ?? '', 'shop')
      const host = (object as { readonly spec?: { readonly rules?: readonly { readonly host?: string }[] } }).spec
        ?.rules?.[0]?.host
      if (i % 10 === 0) await mustServe((host ?? '').replace('*', 'any'), 404)
    }
    await delay(15)
  }
}

async function mustServe(host: string, status: number): Promise<void> {
  const tookMs = await waitFor(async () => (await statusOf(host)) === status)
  if (tookMs === Number.POSITIVE_INFINITY) notServed.push(`${host} ${status} (found ${await statusOf(host)})`)
  else slowestMs = Math.max(slowestMs, tookMs)
}

/** Hosts whose entry in nginx is not that of a fresh translation. */
async function differences(): Promise<readonly string[]> {
  const kinds = ['Ingress', 'Service', 'EndpointSlice', 'Secret', 'ConfigMap']
  const objects = kinds.flatMap((kind) => api.list(kind))
  const options = { watchWithoutClass: true, ipv6: existsSync('/proc/net/if_inet6') }
  const { value: model } = translateIngresses(snapshotOf(objects), options)
  const wanted = renderRouted(model, { filesDir: join(runDir, 'files'), tempDir: join(runDir, 'temp') }).table
  const text = await mustRun({
    program: 'curl',
    args: ['-s', '--unix-socket', join(runDir, 'control/control.sock'), 'http://control/configuration/routes'],
  })
  const found = JSON.parse(text) as { readonly [host: string]: string }
  const hosts = new Set([...Object.keys(wanted), ...Object.keys(found)])
  return [...hosts].filter((host) => wanted[host] !== found[host])
}

const load: Load = { requests: 0, failures: 0 }
let controller = startController()
let streams: readonly Streams[] = []
let reloads = 0
try {
  await waitFor(async () => (await statusOf('kind-5.example.org')) === 200)
  await waitFor(async () => (await statusOf('tea.example.org')) === 200)
  const before = await reloadsOf()
  streams = [await openWebSockets('chat.example.org', 4), await openGrpcStreams('grpc.example.org', 4)]
  await underLoad(() => change(0, count / 2), load)
  reloads += (await reloadsOf()) - before
  await underLoad(async () => {
    // Its pipes stay open in nginx, which outlives it: nothing to wait for.
    process.kill(controller.pid, 'SIGKILL')
    await delay(500)
    controller = startController()
    await waitFor(async () => (await reloadsOf().catch(() => -1)) >= 0)
    await mustServe('tea.example.org', 200)
    await change(count / 2, (count * 3) / 4)
  }, load)
  const broken = streams.flatMap((one) => one.broken())
  const messages = streams.reduce((sum, one) => sum + one.messages(), 0)
  for (const one of streams) one.close()
  // A worker that is killed takes its connections along; the next one finds the table.
  const master = Number(readFileSync(join(runDir, 'nginx.pid'), 'utf8'))
  for (const pid of readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim().split(' '))
    process.kill(Number(pid), 'SIGKILL')
  await mustServe('tea.example.org', 200)
  await underLoad(() => change((count * 3) / 4, count), load)
  reloads += await reloadsOf()
  await waitFor(async () => (await differences()).length === 0, 10_000)
  const result: ChurnResult = {
    ...{ changes: count, requests: load.requests, failedRequests: load.failures, brokenStreams: broken, messages },
    ...{ reloads, differences: await differences(), notServed, slowestMs },
  }
  process.stdout.write(`${JSON.stringify(result)}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n${controller.output().slice(-4000)}\n`)
  process.exitCode = 1
} finally {
  for (const one of streams) one.close()
  await controller.stop('SIGTERM')
  backends.close()
  await api.close()
  rmSync(runDir, { recursive: true, force: true })
}
process.exit()
