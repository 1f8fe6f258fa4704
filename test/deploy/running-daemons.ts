// The three daemons in one namespace, each with an API server of its own, so that every request is known to be one's.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { listenBridge } from '../harness/bridge.ts'
import { startDaemon } from '../harness/daemon.ts'
import { startEchoServer } from '../harness/echo-process.ts'
import { startForwarder } from '../harness/forwarder.ts'
import { createNetns, type Netns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'
import { brokenSecret, canaries, canarySecrets } from './canaries.ts'
import { type NeededRight, neededRight } from './rbac-rules.ts'
import { backendAddress, runningObjects } from './running-objects.ts'

/** The daemons by name, as below `deploy/`. */
export const daemonNames = ['coredns-ts', 'kube-proxy-ts', 'ingress-ts'] as const
export type RunningName = (typeof daemonNames)[number]

/** One daemon and what is seen of it. */
export interface WatchedDaemon {
  readonly api: MiniApiServer
  readonly program: RunningProgram
  /** Rights that its requests needed so far. */
  readonly rights: readonly NeededRight[]
  /** The text behind a path of its metrics port. */
  get(path: string): Promise<string>
}

/** All of it. */
export interface RunningDaemons {
  readonly netns: Netns
  /** Where configuration and run directory are. */
  readonly dir: string
  readonly daemons: Readonly<Record<RunningName, WatchedDaemon>>
  close(): Promise<void>
}

const metricsPorts: Readonly<Record<RunningName, number>> = {
  'coredns-ts': 9153,
  'kube-proxy-ts': 10_249,
  'ingress-ts': 10_254,
}

/** Starts them; settles when all are ready. */
export async function startRunningDaemons(pair: {
  readonly cert: string
  readonly key: string
}): Promise<RunningDaemons> {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-running-'))
  const netns = await createNetns('running')
  const closers: (() => Promise<void> | void)[] = [
    () => rmSync(dir, { recursive: true, force: true }),
    () => netns.close(),
  ]
  const close = async (): Promise<void> => {
    for (const end of closers.reverse()) await end()
  }
  try {
    await netns.addAddresses([backendAddress, '198.51.100.1'])
    const echo = await startEchoServer(netns, [{ name: 'one', protocol: 'http', address: backendAddress, port: 8080 }])
    closers.push(() => echo.close())
    const entries: (readonly [RunningName, WatchedDaemon])[] = []
    for (const [at, name] of daemonNames.entries()) {
      const daemon = await startOne(name, 6443 + at, { dir, netns, pair, closers })
      entries.push([name, daemon])
    }
    return { netns, dir, daemons: Object.fromEntries(entries) as RunningDaemons['daemons'], close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Place {
  readonly dir: string
  readonly netns: Netns
  readonly pair: { readonly cert: string; readonly key: string }
  readonly closers: (() => Promise<void> | void)[]
}

async function startOne(name: RunningName, port: number, { dir, netns, pair, closers }: Place): Promise<WatchedDaemon> {
  const rights: NeededRight[] = []
  const api = await createMiniApiServer({
    adminToken: canaries.token,
    runsEndpointSlices: false,
    onRequest: ({ method, path, query }) => rights.push(neededRight(method, path, new URLSearchParams(query))),
  })
  closers.push(() => api.close())
  api.apply(...runningObjects(), ...canarySecrets(pair))
  api.put(brokenSecret())
  const bridge = await listenBridge(api.port, join(dir, `${name}.sock`))
  closers.push(() => void bridge.close())
  const forwarder = await startForwarder(netns, `127.0.0.1:${port}`, join(dir, `${name}.sock`))
  closers.push(() => forwarder.close())
  const kubeconfig = join(dir, `${name}.kubeconfig`)
  writeFileSync(kubeconfig, api.kubeconfig().replace(api.url, `https://127.0.0.1:${port}`), { mode: 0o600 })
  const curl = async (url: string) => netns.run('curl', ['-s', '--max-time', '3', url])
  const { args, readyUrl } = commandLine(name, dir, kubeconfig)
  const program = await startDaemon({
    daemon: name,
    netns,
    args,
    env: { POD_NAME: 'controller-0', POD_NAMESPACE: 'ingress' },
    readyLimitMs: 60_000,
    isReady: async () => (await netns.run('curl', ['-sf', '--max-time', '2', readyUrl])).exitCode === 0,
  })
  closers.push(() => program.stop())
  return {
    api,
    program,
    rights,
    get: async (path) => (await curl(`http://127.0.0.1:${metricsPorts[name]}${path}`)).stdout,
  }
}

/** As verbose as each can be, with what reads more than usual switched on. */
function commandLine(name: RunningName, dir: string, kubeconfig: string): { args: string[]; readyUrl: string } {
  switch (name) {
    case 'coredns-ts': {
      const corefile = join(dir, 'Corefile')
      const block = `kubernetes cluster.local in-addr.arpa {\n  kubeconfig ${kubeconfig}\n  pods verified\n }`
      const upstream = 'forward example.net 127.0.0.1:5353'
      const rest = 'errors\n debug\n log\n health :8085\n ready\n reload\n prometheus :9153\n cache 5\n loadbalance'
      writeFileSync(corefile, `.:53 {\n ${rest}\n ${block}\n ${upstream}\n}\n.:5353 {\n whoami\n}\n`)
      return { args: ['-conf', corefile], readyUrl: 'http://127.0.0.1:8181/ready' }
    }
    case 'kube-proxy-ts': {
      const file = join(dir, 'kube-proxy.json')
      const configuration = {
        apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
        kind: 'KubeProxyConfiguration',
        mode: 'iptables',
        clusterCIDR: '10.244.0.0/16',
        hostnameOverride: 'node-1',
        conntrack: { maxPerCore: 0 },
        clientConnection: { kubeconfig },
        iptables: { minSyncPeriod: '100ms' },
      }
      writeFileSync(file, JSON.stringify(configuration))
      return { args: ['--config', file, '--v=10'], readyUrl: 'http://127.0.0.1:10256/healthz' }
    }
    case 'ingress-ts': {
      const run = join(dir, 'run')
      mkdirSync(run)
      const files = [`--kubeconfig=${kubeconfig}`, `--run-directory=${run}`, '--default-server-port=8182']
      const named = ['--configmap=ingress/controller', '--default-backend-service=shop/tea']
      const more = [
        '--watch-namespace-selector=team=tea',
        '--enable-topology-aware-routing',
        '--enable-metrics',
        '--status-update-interval=5',
      ]
      return {
        args: [...files, ...named, ...more, '--sync-rate-limit=10', '--post-shutdown-grace-period=0', '--v=10'],
        readyUrl: 'http://127.0.0.1:10254/healthz',
      }
    }
  }
}
