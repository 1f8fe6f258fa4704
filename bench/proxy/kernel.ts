// A proxy at work on a kernel: the first sync of many Services, single changes, and a start on a kernel that is right
// already. Durations are what the program says about its own syncs (the same metrics in both), CPU is the program's and
// its children's.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Manifest } from '@kubewire/iptables-gen/cases'
import { node } from '@kubewire/kube-model/testing'
import { type CaseCluster, createMiniCluster } from '../../test/conformance/proxy/cluster.ts'
import { readMetrics } from '../../test/conformance/proxy/read-metrics.ts'
import { originalBinary } from '../../test/harness/api-server.ts'
import { bundleDaemon } from '../../test/harness/daemon.ts'
import { createNetns, type Netns } from '../../test/harness/netns.ts'
import type { RunningProgram } from '../../test/harness/process.ts'
import { median } from './median.ts'
import { clusterOf, serviceAt, sliceAt } from './objects.ts'

/** Which way into the kernel. */
export type KernelBackend = 'iptables-nft' | 'iptables-legacy' | 'nftables'

/** Seconds, wall and CPU; medians for the changes. */
export interface KernelCosts {
  readonly program: 'kube-proxy' | 'kube-proxy-ts'
  readonly first: Cost
  /** From the start of the process to the end of the first sync. */
  readonly startSeconds: number
  readonly endpoint: Cost
  readonly added: Cost
  readonly deleted: Cost
  /** After a while of rest. */
  readonly residentMiB: number
  /** Events that the kernel reports when the program is killed and started again; nft variants only. */
  readonly eventsOfRestart: number | undefined
}

/** What one sync took. */
export interface Cost {
  readonly wallSeconds: number
  /** Of the program and its children. */
  readonly cpuSeconds: number
  /** Of the program alone. */
  readonly ownCpuSeconds: number
}

/** What is measured. */
export interface KernelRun {
  readonly program: KernelCosts['program']
  readonly backend: KernelBackend
  readonly services: number
  readonly endpoints: number
  /** Changes of each sort. */
  readonly rounds: number
}

const restMs = 15_000

/** Runs one program from its start through changes of each sort, to a second start. */
export async function measureKernel(run: KernelRun): Promise<KernelCosts> {
  const { program, services, endpoints, rounds } = run
  const netns = await createNetns('bench')
  const dir = mkdtempSync(join(tmpdir(), 'kw-bench-'))
  let cluster: CaseCluster | undefined
  try {
    await netns.addAddresses(['192.0.2.11'])
    cluster = await createMiniCluster(netns)
    const objects = [node('edge-1', ['192.0.2.11']), ...clusterOf(services, endpoints)]
    await cluster.put(objects as unknown as readonly Manifest[])
    const command = await commandOf(run, cluster, dir)
    const startMs = Date.now()
    const running = netns.start(command)
    const syncs = new Syncs(netns, running)
    const first = await syncs.next(600_000)
    const startSeconds = syncs.lastAtSeconds - startMs / 1000
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
    await delay(restMs)
    const residentMiB = residentMiBOf(running.pid)
    await running.stop('SIGKILL')
    const eventsOfRestart = run.backend === 'iptables-nft' ? await countEvents(netns, command) : undefined
    const costs = { first, startSeconds, endpoint, added: middle(added), deleted: middle(deleted) }
    return { program, ...costs, residentMiB, eventsOfRestart }
  } finally {
    await cluster?.close()
    await netns.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

// The kernel tells every rule, chain and table that comes or goes.
async function countEvents(netns: Netns, command: Command): Promise<number> {
  const monitor = netns.start({ program: 'nft', args: ['monitor'] })
  await delay(500)
  const running = netns.start(command)
  await new Syncs(netns, running).next(600_000)
  await running.stop('SIGKILL')
  const lines = monitor.output().split('\n')
  await monitor.stop('SIGKILL')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).length
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
    ownCpuSeconds: median(costs.map((cost) => cost.ownCpuSeconds)),
  }
}

interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

async function commandOf({ program, backend }: KernelRun, cluster: CaseCluster, dir: string): Promise<Command> {
  const file = join(dir, 'config.json')
  const periods = { syncPeriod: '600s', minSyncPeriod: '1ms' }
  const configuration = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: backend === 'nftables' ? 'nftables' : 'iptables',
    clusterCIDR: '10.200.0.0/13',
    hostnameOverride: 'edge-1',
    conntrack: { maxPerCore: 0 },
    clientConnection: { kubeconfig: cluster.kubeconfig, contentType: 'application/json' },
    iptables: periods,
    nftables: periods,
  }
  writeFileSync(file, JSON.stringify(configuration))
  const args = ['--config', file]
  const env = { PATH: `${programsOf(backend, dir)}:${process.env['PATH'] ?? ''}` }
  if (program === 'kube-proxy') return { program: originalBinary('kube-proxy'), args, env }
  // With the flag that the image sets.
  const flags = ['--max-semi-space-size=4', await bundleDaemon('kube-proxy-ts')]
  return { program: process.execPath, args: [...flags, ...args], env }
}

/** A folder in which `iptables` and its like are those of the variant. */
function programsOf(backend: KernelBackend, dir: string): string {
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  const variant = backend === 'iptables-legacy' ? 'legacy' : 'nft'
  for (const name of ['iptables', 'ip6tables'])
    for (const action of ['', '-save', '-restore'])
      symlinkSync(`/usr/sbin/${name}-${variant}${action}`, join(bin, `${name}${action}`))
  return bin
}

function residentMiBOf(pid: number): number {
  return Number(/VmRSS:\s+([0-9]+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Follows the syncs of the IPv4 family by the program's own metrics. */
class Syncs {
  readonly #netns: Netns
  readonly #running: RunningProgram
  #count = 0
  #seconds = 0
  #cpu = { own: 0, all: 0 }
  /** When the last sync ended, seconds since the epoch. */
  lastAtSeconds = 0

  constructor(netns: Netns, running: RunningProgram) {
    this.#netns = netns
    this.#running = running
  }

  /** Waits for the next sync, and until no other follows. */
  async next(limitMs: number): Promise<Cost> {
    const { count, seconds } = await this.#settled(limitMs)
    const cpu = cpuSecondsOf(this.#running.pid)
    const cost = {
      wallSeconds: seconds - this.#seconds,
      cpuSeconds: cpu.all - this.#cpu.all,
      ownCpuSeconds: cpu.own - this.#cpu.own,
    }
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
      const last4 = readMetrics(stdout, 'kubeproxy_sync_proxy_rules_last_timestamp_seconds').get('ip_family="IPv4"')
      this.lastAtSeconds = last4 ?? 0
      if (count > this.#count && count === last) return { count, seconds: of('sum') }
      last = count
    }
    throw new Error(`no sync in ${limitMs / 1000} s: ${this.#running.output().slice(-500)}`)
  }
}

// Fields 14 to 17 of proc(5) stat: user and system time of the process and of its children, in ticks of 10 ms.
function cpuSecondsOf(pid: number): { readonly own: number; readonly all: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const seconds = (from: number, to: number): number =>
    fields.slice(from, to).reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
  return { own: seconds(11, 13), all: seconds(11, 15) }
}
