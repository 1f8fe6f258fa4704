// The cluster of the soak: three namespaces, our API server in this process, the three daemons, endpoints that answer.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { listenBridge } from '../harness/bridge.ts'
import { type DaemonName, startDaemon } from '../harness/daemon.ts'
import { startEchoServer } from '../harness/echo-process.ts'
import type { EchoEndpoint } from '../harness/echo-server.ts'
import { startForwarder } from '../harness/forwarder.ts'
import { connectNetns, createNetns, type Netns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'
import { endpointAddress, endpointsPerService, places, ports } from './soak-objects.ts'

/** The daemons by name. */
export const daemonNames = ['coredns-ts', 'kube-proxy-ts', 'ingress-ts'] as const
export type SoakDaemon = (typeof daemonNames)[number]

/** The running cluster. */
export interface SoakWorld {
  readonly api: MiniApiServer
  readonly node: Netns
  readonly client: Netns
  /** The process that is running now. */
  daemon(name: SoakDaemon): RunningProgram
  /** Kills a daemon with everything it started, and starts it again; settles when it says that it is ready. */
  killAndRestart(name: SoakDaemon): Promise<void>
  close(): Promise<void>
}

/** Builds it; the objects must be in `api` before `startDaemons` is called. */
export async function createSoakWorld(probed: number, prepare: (api: MiniApiServer) => void): Promise<SoakWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-soak-'))
  const closers: (() => Promise<void> | void)[] = [() => rmSync(dir, { recursive: true, force: true })]
  const [node, client, ends] = [await createNetns('node'), await createNetns('client'), await createNetns('ends')]
  closers.push(
    () => node.close(),
    () => client.close(),
    () => ends.close(),
  )
  await joinNamespaces(node, client, ends, probed)
  const echo = await startEchoServer(ends, allEndpoints(probed))
  closers.push(() => echo.close())

  const api = await createMiniApiServer({ isPlainHttp: true, runsEndpointSlices: false, historySize: 20_000 })
  closers.push(() => api.close())
  prepare(api)
  const bridge = await listenBridge(api.port, join(dir, 'api.sock'))
  closers.push(() => void bridge.close())
  const forwarder = await startForwarder(node, '127.0.0.1:6443', join(dir, 'api.sock'))
  closers.push(() => forwarder.close())

  const kubeconfig = join(dir, 'kubeconfig')
  writeFileSync(kubeconfig, api.kubeconfig().replace(api.url, 'http://127.0.0.1:6443'))
  const starts = daemonStarts(dir, kubeconfig)
  const isReady = async (url: string): Promise<boolean> =>
    (await node.run('curl', ['-sf', '--max-time', '2', url])).exitCode === 0
  const start = (name: SoakDaemon): Promise<RunningProgram> => {
    const { args, readyUrl } = starts[name]
    return startDaemon({
      daemon: name as DaemonName,
      netns: node,
      args,
      env: { POD_NAME: 'soak-0', POD_NAMESPACE: 'shop' },
      readyLimitMs: 60_000,
      isReady: () => isReady(readyUrl),
    })
  }
  const running = new Map<SoakDaemon, RunningProgram>()
  closers.push(async () => {
    for (const daemon of running.values()) await daemon.stop()
  })
  for (const name of daemonNames) running.set(name, await start(name))
  const daemon = (name: SoakDaemon): RunningProgram => {
    const found = running.get(name)
    if (found === undefined) throw new Error(`${name} does not run`)
    return found
  }
  return {
    api,
    node,
    client,
    daemon,
    async killAndRestart(name) {
      const stopped = daemon(name).stop('SIGKILL')
      // A container takes what it started along.
      if (name === 'ingress-ts') await killAll(node, 'nginx')
      await stopped
      running.set(name, await start(name))
    },
    async close() {
      for (const close of closers.reverse()) await close()
    },
  }
}

/** Kills every process of a name inside a namespace; gives how many there were. */
export async function killAll(netns: Netns, comm: string, signal = 'KILL'): Promise<number> {
  const script =
    'for p in $(ip netns pids "$0"); do [ "$(cat /proc/$p/comm 2>/dev/null)" = "$1" ] && echo $p; done; true'
  const { stdout } = await netns.run('sh', ['-c', script, netns.name, comm])
  const pids = stdout.split('\n').filter(Boolean)
  if (pids.length > 0) await netns.run('kill', [`-${signal}`, ...pids])
  return pids.length
}

async function joinNamespaces(node: Netns, client: Netns, ends: Netns, probed: number): Promise<void> {
  await connectNetns(
    { netns: node, device: 'out0', addresses: [`${places.node}/24`] },
    { netns: client, device: 'up0', addresses: [`${places.client}/24`] },
  )
  await connectNetns(
    { netns: node, device: 'pods0', addresses: [`${places.endpointGateway}/23`] },
    { netns: ends, device: 'up0', addresses: [`${places.endpoints}/23`] },
  )
  await client.addRoute('default', 'via', places.node)
  await ends.addRoute('default', 'via', places.endpointGateway)
  await ends.addAddresses(
    allEndpoints(probed)
      .filter(({ protocol }) => protocol === 'http')
      .map(({ address }) => address),
  )
  await node.setSysctl('net.ipv4.ip_forward', 1)
}

function allEndpoints(probed: number): EchoEndpoint[] {
  return Array.from({ length: probed * endpointsPerService }, (_, at) => {
    const address = endpointAddress(Math.floor(at / endpointsPerService), at % endpointsPerService)
    return (['http', 'tcp', 'udp'] as const).map((protocol) => ({
      name: address,
      protocol,
      address,
      port: ports[protocol],
    }))
  }).flat()
}

/** Command lines, as a cluster would have them but for the shorter periods. */
function daemonStarts(
  dir: string,
  kubeconfig: string,
): Record<SoakDaemon, { readonly args: string[]; readonly readyUrl: string }> {
  const corefile = join(dir, 'Corefile')
  const options = `kubernetes cluster.local in-addr.arpa {\n  kubeconfig ${kubeconfig}\n  ttl 5\n }`
  writeFileSync(
    corefile,
    `.:53 {\n errors\n health\n ready\n ${options}\n prometheus :9153\n cache 5\n loadbalance\n}\n`,
  )
  const proxy = join(dir, 'kube-proxy.json')
  const configuration = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'iptables',
    clusterCIDR: '10.244.0.0/16',
    hostnameOverride: 'node-1',
    conntrack: { maxPerCore: 0 },
    clientConnection: { kubeconfig },
    iptables: { syncPeriod: '5s', minSyncPeriod: '100ms' },
  }
  writeFileSync(proxy, JSON.stringify(configuration))
  const run = join(dir, 'run')
  mkdirSync(run)
  const ingress = [`--kubeconfig=${kubeconfig}`, `--run-directory=${run}`, '--disable-leader-election=true']
  return {
    'coredns-ts': { args: ['-conf', corefile], readyUrl: 'http://127.0.0.1:8181/ready' },
    'kube-proxy-ts': { args: ['--config', proxy], readyUrl: 'http://127.0.0.1:10256/healthz' },
    'ingress-ts': {
      args: [
        ...ingress,
        '--update-status=false',
        '--default-server-port=8182',
        '--sync-rate-limit=2',
        '--enable-metrics=true',
      ],
      readyUrl: 'http://127.0.0.1:10254/healthz',
    },
  }
}
