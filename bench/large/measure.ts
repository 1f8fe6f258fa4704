// One program on the large cluster: from its start to the last object served, then single changes of an endpoint, from the
// API server to the answer, and what it holds in memory.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bundleDaemon } from '../../test/harness/daemon.ts'
import { createNetns, type Netns } from '../../test/harness/netns.ts'
import type { RunningProgram } from '../../test/harness/process.ts'
import { cpuSeconds, residentMiB } from '../dns/cpu.ts'
import { median } from '../proxy/median.ts'
import { type ClusterSize, probeAddresses } from './objects.ts'
import type { LargeScene, LargeSubject } from './subjects.ts'

/** What one program took; CPU and memory with its children. */
export interface LargeCosts {
  readonly name: string
  readonly readySeconds: number
  readonly readyCpuSeconds: number
  readonly residentMiB: number
  /** From the write at the API server until the new address is reached; the median. */
  readonly changeSeconds: number
  /** CPU of a change and of the second after it, on average. */
  readonly changeCpuSeconds: number
}

const restMs = 15_000
const pollMs = 25
const readyLimitMs = 600_000

/** Runs one program in a namespace of its own. */
export async function measureLarge(subject: LargeSubject, size: ClusterSize, changes: number): Promise<LargeCosts> {
  const netns = await createNetns('large')
  const dir = mkdtempSync(join(tmpdir(), 'kw-large-'))
  try {
    await netns.addAddresses(['192.0.2.11', ...probeAddresses])
    await netns.addRoute('10.96.0.0/12', 'dev', 'lo')
    startBackend(netns, dir)
    const kubeconfig = join(dir, 'kubeconfig')
    const api = await startApi(netns, kubeconfig, size)
    const last = {
      service: `service-${size.services - 1}.team-${(size.services - 1) % 50}.svc.cluster.local`,
      host: `h${size.ingresses - 1}.bench.example.org`,
    }
    const scene = { netns, dir, kubeconfig, last }
    return await measure(subject, scene, api, changes)
  } finally {
    await netns.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function measure(
  subject: LargeSubject,
  scene: LargeScene,
  api: RunningProgram,
  changes: number,
): Promise<LargeCosts> {
  const command = await subject.command(scene)
  const startMs = Date.now()
  const running = scene.netns.start(command)
  const isReady = async (): Promise<boolean> =>
    (await subject.isComplete(scene)) && (await subject.ask(scene)) === probeAddresses[0]
  await waitFor(running, isReady, readyLimitMs)
  const readySeconds = (Date.now() - startMs) / 1000
  const readyCpuSeconds = cpuSeconds(running.pid)
  await delay(restMs)
  const resident = residentMiB(running.pid)
  const walls: number[] = []
  const cpuBefore = cpuSeconds(running.pid)
  for (let round = 1; round <= changes; round++) {
    const address = probeAddresses[round % 2] ?? ''
    const changedMs = Date.now()
    api.write(`${address}\n`)
    await waitFor(running, async () => (await subject.ask(scene)) === address, 120_000)
    walls.push((Date.now() - changedMs) / 1000)
    await delay(1000)
  }
  const changeCpuSeconds = (cpuSeconds(running.pid) - cpuBefore) / changes
  await running.stop('SIGTERM', 20_000)
  return {
    ...{ name: subject.name, readySeconds, readyCpuSeconds, residentMiB: resident },
    ...{ changeSeconds: median(walls), changeCpuSeconds },
  }
}

async function waitFor(running: RunningProgram, isTrue: () => Promise<boolean>, limitMs: number): Promise<void> {
  const endMs = Date.now() + limitMs
  while (!(await isTrue())) {
    if (!running.isRunning()) throw new Error(`it ended: ${running.output().slice(-500)}`)
    if (Date.now() > endMs) throw new Error(`not in ${limitMs / 1000} s: ${running.output().slice(-500)}`)
    await delay(pollMs)
  }
}

async function startApi(netns: Netns, kubeconfig: string, size: ClusterSize): Promise<RunningProgram> {
  const { services, endpoints, ingresses } = size
  const main = await bundleDaemon('bench/large/cluster-process.ts')
  const words = [main, kubeconfig, String(services), String(endpoints), String(ingresses)]
  const api = netns.start({ program: process.execPath, args: ['--max-old-space-size=6000', ...words] })
  await api.waitUntil(() => existsSync(kubeconfig) && api.output().includes('ready'), 300_000)
  return api
}

/** An nginx that answers on both addresses of the probe with the address that was asked. */
function startBackend(netns: Netns, dir: string): void {
  const file = join(dir, 'backend.conf')
  const listen = probeAddresses.map((address) => `listen ${address}:8080;`).join(' ')
  writeFileSync(
    file,
    `daemon off; pid ${join(dir, 'backend.pid')}; worker_processes 1; events {}
http { access_log off; server { ${listen} location / { return 200 $server_addr; } } }`,
  )
  netns.start({ program: 'nginx', args: ['-p', dir, '-c', file, '-e', 'stderr'] })
}
