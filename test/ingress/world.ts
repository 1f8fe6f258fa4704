// A namespace with backends, a mini API server and the controller with its nginx; what tests of the whole daemon share.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@kubewire/kube-model'
import { startDaemon } from '../harness/daemon.ts'
import { startEchoServer } from '../harness/echo-process.ts'
import { createNetns, type Netns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'

/** What a world starts with. */
export interface WorldOptions {
  readonly label: string
  readonly objects: readonly KubeObject[]
  readonly flags?: readonly string[]
  readonly apiFlags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Files that programs of the world see in /etc. */
  readonly etc?: Readonly<Record<string, string>>
  /** Shell commands in the mount namespace of the controller before it starts. */
  readonly prepare?: string
  /** Run directory of the controller; in `dir` unless given. */
  readonly runDir?: string
}

/** A running world. Backends `one` and `two` answer at 10.20.3.4:8080 and 10.20.3.5:8080. */
export interface World {
  readonly netns: Netns
  readonly daemon: RunningProgram
  readonly dir: string
  /** Status and name of the backend: `200 one`. */
  ask(host: string, path?: string, ...words: readonly string[]): Promise<string>
  /** Asks until the answer is this one. */
  until(answer: string, host: string, path?: string, ...words: readonly string[]): Promise<void>
  /** Creates or replaces an object of the API. */
  put(object: KubeObject): Promise<void>
  /** Tells the API server to misbehave. */
  fault(text: string): Promise<void>
  /** What the controller tells at a path of its health port. */
  health(path: string): Promise<string>
  close(): Promise<void>
}

/** Starts it; resolves when the controller is healthy. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const netns = await createNetns(options.label, options.etc)
  const dir = mkdtempSync(join(tmpdir(), `kubewire-${options.label}-`))
  // The workers of nginx reach sockets and files below.
  chmodSync(dir, 0o755)
  await netns.addAddresses(['10.20.3.4', '10.20.3.5'])
  const echo = await startEchoServer(netns, [
    { name: 'one', protocol: 'http', address: '10.20.3.4', port: 8080 },
    { name: 'two', protocol: 'http', address: '10.20.3.5', port: 8080 },
  ])
  const manifests = join(dir, 'manifests')
  mkdirSync(manifests)
  writeFileSync(
    join(manifests, 'world.yaml'),
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: options.objects }),
  )
  const kubeconfig = join(dir, 'kubeconfig')
  const server = ['--listen', '127.0.0.1:6443', '--write-kubeconfig', kubeconfig, '--faults']
  const api = await startDaemon({
    daemon: 'mini-apiserver',
    netns,
    args: ['--manifests', manifests, ...server, ...(options.apiFlags ?? [])],
    isReady: async () => (await netns.run('curl', ['-sk', 'https://127.0.0.1:6443/version'])).exitCode === 0,
  })
  const health = async (path: string): Promise<string> =>
    (await netns.run('curl', ['-s', '--max-time', '3', `http://127.0.0.1:10254${path}`])).stdout
  const daemon = await startDaemon({
    daemon: 'ingress-ts',
    netns,
    args: [
      ...[`--kubeconfig=${kubeconfig}`, `--run-directory=${options.runDir ?? join(dir, 'run')}`],
      ...['--sync-rate-limit=100', '--post-shutdown-grace-period=0', ...(options.flags ?? [])],
    ],
    env: { POD_NAME: 'controller-0', POD_NAMESPACE: 'ingress', ...options.env },
    isReady: async () => (await health('/healthz')) === 'ok',
    readyLimitMs: 30_000,
    ...(options.prepare === undefined ? {} : { prepare: options.prepare }),
  })
  const ask: World['ask'] = async (host, path = '/', ...words) => {
    const url = `http://127.0.0.1${path}`
    const format = ['-s', '--max-time', '3', '-w', '\n%{http_code}']
    const { stdout } = await netns.run('curl', [...format, '-H', `Host: ${host}`, ...words, url])
    return `${stdout.split('\n').at(-1)} ${/"name":"(\w+)"/.exec(stdout)?.[1] ?? ''}`.trim()
  }
  const send = async (method: string, path: string, type: string, body: string): Promise<string> => {
    const token = /token: *"?([^\s"]+)/.exec(readFileSync(kubeconfig, 'utf8'))?.[1]
    const header = ['-H', `Content-Type: ${type}`, '-H', `Authorization: Bearer ${token}`]
    const words = ['-skf', '-X', method, '--data-binary', '@-', ...header, `https://127.0.0.1:6443${path}`]
    return netns.mustRun('curl', words, { input: body })
  }
  return {
    netns,
    daemon,
    dir,
    ask,
    health,
    until: (answer, host, path, ...words) =>
      daemon.waitUntil(async () => (await ask(host, path, ...words)) === answer, 15_000),
    put: async (object) => {
      const query = '?fieldManager=test&force=true'
      await send('PATCH', pathOf(object) + query, 'application/apply-patch+yaml', JSON.stringify(object))
    },
    fault: async (text) => void (await send('POST', '/__faults', 'text/plain', text)),
    close: async () => {
      await daemon.stop()
      await api.stop()
      await echo.close()
      await netns.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const plurals: { readonly [kind: string]: string } = {
  ConfigMap: '/api/v1/*/configmaps',
  Secret: '/api/v1/*/secrets',
  Ingress: '/apis/networking.k8s.io/v1/*/ingresses',
  EndpointSlice: '/apis/discovery.k8s.io/v1/*/endpointslices',
}

function pathOf({ kind = '', metadata }: KubeObject): string {
  const plural = plurals[kind]
  if (plural === undefined) throw new Error(`expected a kind that tests write, got ${kind}`)
  return `${plural.replace('*', `namespaces/${metadata?.namespace ?? 'default'}`)}/${metadata?.name}`
}
