// The daemon at work: start to the last host, one endpoint change, CPU per request beside a plain proxying location of
// the same nginx, and failed requests while endpoints change and nginx reloads. In a namespace of its own; all load is
// bounded and stays on its loopback.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bundleDaemon, startDaemon } from '../../test/harness/daemon.ts'
import { createNetns, type Netns } from '../../test/harness/netns.ts'
import type { RunningProgram } from '../../test/harness/process.ts'
import { clusterOf, hostAt, hostWithoutTls, ingressAt, makePair, sliceAt } from './objects.ts'

const one = '10.20.3.4'
const two = '10.20.3.5'
const rounds = 5
const secondsPerRound = 3

/** Measures, with request metrics and access log or without both; the answer is a row to print. */
export async function measureKernel(
  count: number,
  isLogged = false,
): Promise<{ readonly [what: string]: string | number }> {
  const netns = await createNetns('bench')
  const dir = mkdtempSync(join(tmpdir(), 'kw-bench-'))
  try {
    await netns.addAddresses([one, two])
    const plain = await startPlain(netns, dir)
    const world = await startWorld(netns, dir, count, isLogged)
    const changed = await changeEndpoints(world, 20)
    const perRequest = await requestCosts(world, plain)
    const failures = await changeUnderLoad(world)
    await world.daemon.stop('SIGTERM', 20_000)
    await world.api.stop()
    await plain.stop('SIGTERM', 5000)
    return { hosts: count, ...world.start, ...changed, ...perRequest, ...failures }
  } finally {
    await netns.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

interface World {
  readonly netns: Netns
  readonly daemon: RunningProgram
  readonly api: RunningProgram
  readonly dir: string
  readonly start: { readonly [what: string]: string }
}

/** Backends on two addresses, and a plain location in front of one of them; workers as many as the daemon's nginx has. */
async function startPlain(netns: Netns, dir: string): Promise<RunningProgram> {
  const file = join(dir, 'plain.conf')
  const backend = (address: string): string =>
    `server { listen ${address}:8080; keepalive_requests 1000000; location / { return 200 "${address}"; } }`
  writeFileSync(
    file,
    `daemon off; pid ${join(dir, 'plain.pid')}; worker_processes 1; events { worker_connections 4096; }
http { access_log off; ${backend(one)} ${backend(two)} }`,
  )
  return netns.start({ program: 'nginx', args: ['-p', dir, '-c', file, '-e', 'stderr'] })
}

async function startWorld(netns: Netns, dir: string, count: number, isLogged: boolean): Promise<World> {
  const manifests = join(dir, 'manifests')
  mkdirSync(manifests)
  const plainLocation =
    'location = /plain { proxy_pass http://plain; proxy_http_version 1.1; proxy_set_header Connection ""; access_log off; }'
  const settings = {
    'worker-processes': '1',
    'http-snippet': `upstream plain { server ${one}:8080; keepalive 64; } server { listen 127.0.0.1:8088; keepalive_requests 1000000; ${plainLocation} }`,
    'keep-alive-requests': '1000000',
    'disable-access-log': String(!isLogged),
    'access-log-path': join(dir, 'access.log'),
  }
  const metadata = { name: 'settings', namespace: 'bench' }
  const items = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: settings }, ...clusterOf(count, makePair())]
  writeFileSync(join(manifests, 'objects.yaml'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  const kubeconfig = join(dir, 'kubeconfig')
  const api = await startDaemon({
    daemon: 'mini-apiserver',
    netns,
    args: ['--manifests', manifests, '--listen', '127.0.0.1:6443', '--write-kubeconfig', kubeconfig],
    isReady: async () => (await netns.run('curl', ['-sk', 'https://127.0.0.1:6443/version'])).exitCode === 0,
    readyLimitMs: 15_000,
  })
  await bundleDaemon('ingress-ts')
  const startMs = Date.now()
  const daemon = await startDaemon({
    daemon: 'ingress-ts',
    env: { POD_NAME: 'controller-0', POD_NAMESPACE: 'ingress' },
    netns,
    args: [
      ...[`--kubeconfig=${kubeconfig}`, `--run-directory=${join(dir, 'run')}`, '--sync-rate-limit=100'],
      `--enable-metrics=${isLogged}`,
      ...['--post-shutdown-grace-period=0', '--watch-ingress-without-class', '--configmap=bench/settings'],
      // Hosts as servers, so that a change of an Ingress is a reload.
      '--routes=static',
    ],
    isReady: async () => (await ask(netns, hostAt(count - 1))).startsWith(one),
    readyLimitMs: 180_000,
  })
  const start = { 'start to last host, s': ((Date.now() - startMs) / 1000).toFixed(2) }
  return { netns, daemon, api, dir, start }
}

async function ask(netns: Netns, host: string): Promise<string> {
  const url = `https://${host}/`
  const words = ['-sk', '--max-time', '3', '--resolve', `${host}:443:127.0.0.1`, url]
  return (await netns.run('curl', words)).stdout
}

/** Writes one object by the API; the server runs inside the namespace. */
async function put(world: World, path: string, object: unknown): Promise<void> {
  const kubeconfig = join(world.dir, 'kubeconfig')
  const token = /token: *(\S+)/.exec(readFileSync(kubeconfig, 'utf8'))?.[1]
  await world.netns.mustRun(
    'curl',
    [
      ...['-skf', '-X', 'PUT', '--data-binary', '@-', '-H', 'Content-Type: application/json'],
      ...(token === undefined ? [] : ['-H', `Authorization: Bearer ${token}`]),
      `https://127.0.0.1:6443${path}`,
    ],
    { input: JSON.stringify(object) },
  )
}

const slicePath = '/apis/discovery.k8s.io/v1/namespaces/bench/endpointslices'
const ingressPath = '/apis/networking.k8s.io/v1/namespaces/bench/ingresses'

async function moveEndpoint(world: World, address: string): Promise<void> {
  const slice = sliceAt(0, address)
  await put(world, `${slicePath}/${slice.metadata?.name}`, slice)
}

async function changeEndpoints(world: World, times: number): Promise<{ readonly [what: string]: string }> {
  const waits: number[] = []
  const before = cpuSeconds(world.daemon.pid)
  for (let i = 0; i < times; i++) {
    const wanted = i % 2 === 0 ? two : one
    await moveEndpoint(world, wanted)
    const startMs = Date.now()
    while (!(await ask(world.netns, hostAt(0))).startsWith(wanted)) if (Date.now() - startMs > 10_000) break
    waits.push(Date.now() - startMs)
    // Not one burst: each is a change of its own.
    await delay(100)
  }
  const spent = (cpuSeconds(world.daemon.pid) - before) / times
  return {
    'endpoint change to live traffic, s': (median(waits) / 1000).toFixed(3),
    'CPU of ours per endpoint change, s': spent.toFixed(3),
  }
}

/** CPU of the worker per request, through Lua and plain, in alternation. */
async function requestCosts(world: World, plain: RunningProgram): Promise<{ readonly [what: string]: string }> {
  const worker = await workerOf(world)
  const costs: { readonly plain: number[]; readonly ours: number[] } = { plain: [], ours: [] }
  if (!plain.isRunning()) throw new Error(`the backends ended: ${plain.output()}`)
  for (let round = 0; round < rounds; round++) {
    for (const [name, url, host] of [
      ['plain', 'http://127.0.0.1:8088/plain', 'plain.example.org'],
      ['ours', 'http://127.0.0.1/tea', hostWithoutTls],
    ] as const) {
      const before = cpuSeconds(worker)
      const { requests } = await load(world.netns, url, host, secondsPerRound)
      costs[name].push((1e6 * (cpuSeconds(worker) - before)) / requests)
    }
  }
  const [ours, reference] = [median(costs.ours), median(costs.plain)]
  return {
    'CPU per request, µs': ours.toFixed(1),
    'plain location, µs': reference.toFixed(1),
    'ours / plain': (ours / reference).toFixed(2),
  }
}

interface Load {
  readonly requests: number
  readonly failures: number
}

async function load(netns: Netns, url: string, host: string, seconds: number): Promise<Load> {
  const words = ['-t1', '-c16', `-d${seconds}s`, '-H', `Host: ${host}`, url]
  const text = await netns.mustRun('wrk', words, { timeoutMs: (seconds + 20) * 1000 })
  const count = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)
  const socket = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text)?.slice(1) ?? []
  const failures = socket.reduce((sum, part) => sum + Number(part), 0) + count(/Non-2xx or 3xx responses: (\d+)/)
  return { requests: count(/(\d+) requests in/), failures }
}

/** Reloads that the daemon tells of. */
async function reloadsOf(world: World): Promise<number> {
  const text = await world.netns.mustRun('curl', ['-s', 'http://127.0.0.1:10254/syncz'])
  return (JSON.parse(text) as { readonly reloads: number }).reloads
}

async function changeUnderLoad(world: World): Promise<{ readonly [what: string]: string | number }> {
  const under = async (seconds: number, change: (i: number) => Promise<void>, times: number): Promise<string> => {
    const loading = load(world.netns, 'http://127.0.0.1/tea', hostWithoutTls, seconds)
    for (let i = 0; i < times; i++) {
      await change(i)
      await delay((seconds * 900) / times)
    }
    const { requests, failures } = await loading
    return `${failures} of ${requests}`
  }
  const moves = await under(20, (i) => moveEndpoint(world, i % 2 === 0 ? two : one), 100)
  const before = await reloadsOf(world)
  const failed = await under(40, (i) => put(world, `${ingressPath}/i0`, ingressAt(0, 100 + i)), 30)
  const reloads = (await reloadsOf(world)) - before
  return { 'failed in 100 endpoint changes': moves, 'failed in reloads': failed, reloads }
}

/** Seconds of user and system time of a process (proc(5)). */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function workerOf(world: World): Promise<number> {
  const master = Number(readFileSync(join(world.dir, 'run/nginx.pid'), 'utf8'))
  const children = readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim().split(' ')
  return Number(children[0])
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}
