// A proxy at work on a kernel: the first sync of many Services, then single changes. Durations are what the program says
// about its own syncs (the same metrics in both), CPU is the program's and its children's.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Manifest } from '@kubewire/iptables-gen/cases'
import { node } from '@kubewire/kube-model/testing'
import { type CaseCluster, createMiniCluster } from '../../test/conformance/proxy/cluster.ts'
import { readMetrics } from '../../test/conformance/proxy/read-metrics.ts'
import { originalBinary } from '../../test/harness/api-server.ts'
import { startDaemon } from '../../test/harness/daemon.ts'
import { createNetns, type Netns } from '../../test/harness/netns.ts'
import type { RunningProgram } from '../../test/harness/process.ts'
import { median } from './median.ts'
import { clusterOf, serviceAt, sliceAt } from './objects.ts'

/** Seconds, wall and CPU; medians for the changes. */
export interface KernelCosts {
  readonly program: 'kube-proxy' | 'kube-proxy-ts'
  readonly first: Cost
  readonly endpoint: Cost
  readonly added: Cost
  readonly deleted: Cost
  readonly residentMiB: number
}

/** What one sync took. */
export interface Cost {
  readonly wallSeconds: number
  readonly cpuSeconds: number
}

/** Runs one program from its start through `rounds` changes of each sort. */
export async function measureKernel(
  program: KernelCosts['program'],
  services: number,
  endpoints: number,
  rounds: number,
): Promise<KernelCosts> {
  const netns = await createNetns('bench')
  const dir = mkdtempSync(join(tmpdir(), 'kw-bench-'))
  let cluster: CaseCluster | undefined
  try {
    await netns.addAddresses(['192.0.2.11'])
    cluster = await createMiniCluster(netns)
    const objects = [node('edge-1', ['192.0.2.11']), ...clusterOf(services, endpoints)]
    await cluster.put(objects as unknown as readonly Manifest[])
    const running = await start(program, netns, cluster, dir)
    const syncs = new Syncs(netns, running)
    const first = await syncs.next(600_000)
    const { put, remove } = cluster
    const endpoint = await changes(syncs, rounds, (i) =>
      put([sliceAt(i * 7, endpoints, 1 + (i % 9))] as unknown as readonly Manifest[]),
    )
    const extra = (i: number) => services + 10 + i
    // The slice comes first and asks for no rules without its Service; only the Service is measured.
    const added: Cost[] = []
    const deleted: Cost[] = []
    for (let i = 0; i < rounds; i++) {
      await put([sliceAt(extra(i), endpoints)] as unknown as readonly Manifest[])
      await syncs.next(30_000)
      await put([serviceAt(extra(i))] as unknown as readonly Manifest[])
      added.push(await syncs.next(60_000))
      await remove([serviceAt(extra(i))] as unknown as readonly Manifest[])
      deleted.push(await syncs.next(60_000))
    }
    const residentMiB =
      Number(/VmRSS:\s+([0-9]+)/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))?.[1]) / 1024
    await running.stop('SIGKILL')
    return { program, first, endpoint, added: middle(added), deleted: middle(deleted), residentMiB }
  } finally {
    await cluster?.close()
    await netns.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function changes(syncs: Syncs, rounds: number, change: (i: number) => Promise<void>): Promise<Cost> {
  const costs: Cost[] = []
  for (let i = 0; i < rounds; i++) {
    await change(i)
    costs.push(await syncs.next(60_000))
  }
  return middle(costs)
}

function middle(costs: readonly Cost[]): Cost {
  return {
    wallSeconds: median(costs.map((cost) => cost.wallSeconds)),
    cpuSeconds: median(costs.map((cost) => cost.cpuSeconds)),
  }
}

function start(
  program: KernelCosts['program'],
  netns: Netns,
  cluster: CaseCluster,
  dir: string,
): Promise<RunningProgram> {
  const file = join(dir, 'config.json')
  const configuration = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'iptables',
    clusterCIDR: '10.200.0.0/13',
    hostnameOverride: 'edge-1',
    conntrack: { maxPerCore: 0 },
    clientConnection: { kubeconfig: cluster.kubeconfig, contentType: 'application/json' },
    iptables: { syncPeriod: '600s', minSyncPeriod: '1ms' },
  }
  writeFileSync(file, JSON.stringify(configuration))
  const args = ['--config', file]
  if (program === 'kube-proxy-ts') return startDaemon({ daemon: 'kube-proxy-ts', netns, args })
  return Promise.resolve(netns.start({ program: originalBinary('kube-proxy'), args }))
}

/** Follows the syncs of the IPv4 family by the program's own metrics. */
class Syncs {
  readonly #netns: Netns
  readonly #running: RunningProgram
  #count = 0
  #seconds = 0
  #cpu = 0

  constructor(netns: Netns, running: RunningProgram) {
    this.#netns = netns
    this.#running = running
  }

  /** Waits for the next sync, and until no other follows. */
  async next(limitMs: number): Promise<Cost> {
    const { count, seconds } = await this.#settled(limitMs)
    const cpu = cpuSecondsOf(this.#running.pid)
    const cost = { wallSeconds: seconds - this.#seconds, cpuSeconds: cpu - this.#cpu }
    this.#count = count
    this.#seconds = seconds
    this.#cpu = cpu
    return cost
  }

  async #settled(limitMs: number): Promise<{ readonly count: number; readonly seconds: number }> {
    const endMs = Date.now() + limitMs
    let last = this.#count
    while (Date.now() < endMs) {
      await delay(150)
      const { stdout } = await this.#netns.run('curl', ['-s', '-m', '5', 'http://127.0.0.1:10249/metrics'])
      const of = (part: string): number =>
        readMetrics(stdout, `kubeproxy_sync_proxy_rules_duration_seconds_${part}`).get('ip_family="IPv4"') ?? 0
      const count = of('count')
      if (count > this.#count && count === last) return { count, seconds: of('sum') }
      last = count
    }
    throw new Error(`no sync in ${limitMs / 1000} s: ${this.#running.output().slice(-500)}`)
  }
}

// Fields 14 to 17 of proc(5) stat: user and system time of the process and of its children, in ticks of 10 ms.
function cpuSecondsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
}
