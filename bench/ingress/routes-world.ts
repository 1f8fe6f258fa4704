// A daemon with its nginx and many hosts, in a namespace of its own: as servers of nginx.conf, or as data for the router.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { bundleDaemon, startDaemon } from '../../test/harness/daemon.ts'
import type { Netns } from '../../test/harness/netns.ts'
import type { RunningProgram } from '../../test/harness/process.ts'
import { hostAt, makePair } from './objects.ts'

/** The form of the configuration. */
export type RoutesForm = 'data' | 'static'

/** A running world. */
export interface RoutesWorld {
  readonly netns: Netns
  readonly dir: string
  readonly daemon: RunningProgram
  /** Seconds from the start of the daemon to the answer of the last host. */
  readonly startSeconds: number
  /** Of these, until it has read all that is there from the API server. */
  readonly listedSeconds: number
  /** What the API server, on the same processors, computed meanwhile. */
  readonly apiSeconds: number
  /** How long curl takes for the Ingresses alone. */
  readonly curlSeconds: number
  put(object: KubeObject): Promise<void>
  remove(object: KubeObject): Promise<void>
  ask(host: string, path?: string): Promise<string>
  progress(): Promise<{ readonly reloads: number; readonly syncs: number }>
  close(): Promise<void>
}

/** Address of the backend. */
export const backendAddress = '10.20.3.4'

/** A host with a server block of its own in both forms: ciphers are set per server. */
export const serverHost = 'server.bench.example.org'
/** A host with 200 paths, and one with 50 expressions. */
export const widestHost = 'paths.bench.example.org'
export const expressionHost = 'expressions.bench.example.org'
export const widest = { paths: 200, expressions: 50 } as const

const prefix = 'nginx.ingress.kubernetes.io/'

/** An Ingress of one host with one path. */
export function oneHost(name: string, host: string, annotations: { readonly [name: string]: string } = {}): KubeObject {
  return hostWith(name, host, ['/'], annotations)
}

function hostWith(
  name: string,
  host: string,
  paths: readonly string[],
  annotations: { readonly [name: string]: string } = {},
): KubeObject {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const rules = [{ host, http: { paths: paths.map((path) => ({ path, pathType: 'Prefix' as const, backend })) } }]
  return ingress(`bench/${name}`, { rules }, annotations)
}

function objectsOf(count: number): readonly KubeObject[] {
  const pair = makePair()
  const text = (value: string): string => Buffer.from(value).toString('base64')
  const data = { 'tls.crt': text(pair.cert), 'tls.key': text(pair.key) }
  const settings = { 'worker-processes': '1', 'disable-access-log': 'true', 'keep-alive-requests': '10000000' }
  const numbers = (size: number): readonly number[] => Array.from({ length: size }, (_, i) => i)
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'bench' }, data: settings },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'all', namespace: 'bench' }, data },
    service('bench/tea', { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
    endpointSlice('bench/tea', [backendAddress]),
    oneHost('server', serverHost, { [`${prefix}ssl-ciphers`]: 'HIGH' }),
    hostWith(
      'paths',
      widestHost,
      numbers(widest.paths).map((i) => `/p${i}`),
    ),
    hostWith(
      'expressions',
      expressionHost,
      numbers(widest.expressions).map((i) => `/e${i}/[a-z]+`),
      { [`${prefix}use-regex`]: 'true' },
    ),
    ...numbers(count).map((i) => oneHost(`i${i}`, hostAt(i))),
  ] as readonly KubeObject[]
}

/** Starts a world of `count` hosts. */
export async function startRoutesWorld(
  netns: Netns,
  dir: string,
  count: number,
  form: RoutesForm,
): Promise<RoutesWorld> {
  const manifests = join(dir, 'manifests')
  mkdirSync(manifests, { recursive: true })
  const items = objectsOf(count)
  writeFileSync(join(manifests, 'objects.yaml'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  const kubeconfig = join(dir, 'kubeconfig')
  const api = await startDaemon({
    daemon: 'mini-apiserver',
    netns,
    args: ['--manifests', manifests, '--listen', '127.0.0.1:6443', '--write-kubeconfig', kubeconfig],
    isReady: async () =>
      existsSync(kubeconfig) && (await netns.run('curl', ['-sk', 'https://127.0.0.1:6443/version'])).exitCode === 0,
    readyLimitMs: 60_000,
  })
  const ask = async (host: string, path = '/'): Promise<string> =>
    (await netns.run('curl', ['-s', '--max-time', '5', '-H', `Host: ${host}`, `http://127.0.0.1${path}`])).stdout
  const token = /token: *(\S+)/.exec(readFileSync(kubeconfig, 'utf8'))?.[1]
  const curlSeconds = await listByCurl(netns, token)
  await bundleDaemon('ingress-ts')
  const first = await waitForAnswer(netns, hostAt(count - 1))
  const apiBefore = cpuSeconds(api.pid)
  const startMs = Date.now()
  const daemon = await startDaemon({
    daemon: 'ingress-ts',
    env: { POD_NAME: 'controller-0', POD_NAMESPACE: 'ingress' },
    netns,
    args: [
      ...[`--kubeconfig=${kubeconfig}`, `--run-directory=${join(dir, 'run')}`, '--configmap=bench/settings'],
      ...['--sync-rate-limit=100', '--post-shutdown-grace-period=0', '--watch-ingress-without-class'],
      `--routes=${form}`,
    ],
    isReady: () => first.answeredAtMs() !== undefined,
    readyLimitMs: 150_000,
  })
  const startSeconds = ((first.answeredAtMs() ?? Number.NaN) - startMs) / 1000
  const listedSeconds = (listedAtMs(daemon.output(), startMs) - startMs) / 1000
  const apiSeconds = cpuSeconds(api.pid) - apiBefore
  const call = async (method: string, path: string, body?: string): Promise<void> => {
    const words = [
      ...['-skf', '-X', method, '-H', 'Content-Type: application/json'],
      ...(token === undefined ? [] : ['-H', `Authorization: Bearer ${token}`]),
      ...(body === undefined ? [] : ['--data-binary', '@-']),
      `https://127.0.0.1:6443${path}`,
    ]
    await netns.mustRun('curl', words, body === undefined ? {} : { input: body })
  }
  const ingresses = '/apis/networking.k8s.io/v1/namespaces/bench/ingresses'
  return {
    ...{ netns, dir, daemon, startSeconds, listedSeconds, apiSeconds, curlSeconds, ask },
    put: (object) => call('POST', ingresses, JSON.stringify(object)),
    remove: (object) => call('DELETE', `${ingresses}/${object.metadata?.name}`),
    progress: async () => JSON.parse(await netns.mustRun('curl', ['-s', 'http://127.0.0.1:10254/syncz'])),
    close: async () => {
      await daemon.stop('SIGTERM', 20_000)
      await api.stop()
    },
  }
}

// An API server of a cluster is no longer in its first second: it is asked a few times, and the last time counts.
async function listByCurl(netns: Netns, token: string | undefined): Promise<number> {
  const url = 'https://127.0.0.1:6443/apis/networking.k8s.io/v1/ingresses'
  const streamed = '?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
  const words = [
    '-skf',
    '-A',
    'bench',
    '-o',
    '/dev/null',
    '-w',
    '%{time_total}',
    '-H',
    `Authorization: Bearer ${token}`,
  ]
  let seconds = 0
  for (let left = 4; left > 0; left--) {
    await netns.mustRun('curl', [...words, `${url}${streamed}&timeoutSeconds=1`])
    seconds = Number(await netns.mustRun('curl', [...words, url]))
  }
  return seconds
}

/** Waits in the namespace for the answer of a host; from outside each question would be two processes. */
async function waitForAnswer(netns: Netns, host: string): Promise<{ readonly answeredAtMs: () => number | undefined }> {
  const script = fileURLToPath(new URL('first-answer.mjs', import.meta.url))
  const asker = netns.start({ program: process.execPath, args: [script, host, backendAddress] })
  await asker.waitUntil(() => asker.output().includes('waiting'))
  return {
    answeredAtMs: () => {
      const [, found] = /answered at (\d+)/.exec(asker.output()) ?? []
      return found === undefined ? undefined : Number(found)
    },
  }
}

// The line is written when there is time for it; what it says of the time is right.
function listedAtMs(output: string, startMs: number): number {
  const [, hours, minutes, seconds] = /(\d\d):(\d\d):([\d.]+) .*first state of the cluster is known/.exec(output) ?? []
  return new Date(startMs).setHours(Number(hours), Number(minutes), 0, Number(seconds) * 1000)
}

/** A backend that answers with its address. */
export function startBackend(netns: Netns, dir: string): RunningProgram {
  const file = join(dir, 'backend.conf')
  writeFileSync(
    file,
    `daemon off; pid ${join(dir, 'backend.pid')}; worker_processes 1; events { worker_connections 4096; }
http { access_log off; server { listen ${backendAddress}:8080; keepalive_requests 10000000;
  location / { return 200 "${backendAddress}"; } } }`,
  )
  return netns.start({ program: 'taskset', args: ['-c', '0', 'nginx', '-p', dir, '-c', file, '-e', 'stderr'] })
}

/** Pids of the master and its first worker. */
export function nginxOf({ dir }: RoutesWorld): { readonly master: number; readonly worker: number } {
  const master = Number(readFileSync(join(dir, 'run/nginx.pid'), 'utf8'))
  const children = readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim().split(' ')
  return { master, worker: Number(children[0]) }
}

/** Seconds of user and system time of a process (proc(5)). */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** MiB of a process that it shares with nobody, and its part of the rest (proc(5), Pss). */
export function memoryMiB(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss: +(\d+)/m.exec(text)?.[1] ?? 0) / 1024
}

/** MiB resident. */
export function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

/** CPU seconds of `nginx -t` of the configuration in force. */
export function testSeconds({ dir, netns }: RoutesWorld): number {
  const nginx = ['nginx', '-t', '-q', '-p', join(dir, 'run'), '-c', join(dir, 'run/nginx.conf'), '-e', 'stderr']
  const before = childSeconds()
  const { status, stderr } = spawnSync('ip', ['netns', 'exec', netns.name, ...nginx], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`nginx refuses the configuration: ${stderr}`)
  return childSeconds() - before
}

// User and system time of children that have ended (proc(5), fields 16 and 17 of stat).
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
