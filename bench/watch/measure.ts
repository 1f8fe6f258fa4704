// One measurement in a process of its own: what reading a list costs in CPU, memory and pauses of the event loop, once at
// the start and once again as a relist. `parse` is the yardstick: one JSON.parse of the same text.

import { readFileSync } from 'node:fs'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { createInformer, exponentialBackoff, type KubeObject, transformed } from '@kubewire/informer'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { Pods, Services } from '@kubewire/informer/resources'
import { filter, firstValueFrom } from 'rxjs'

interface Slim extends KubeObject {
  readonly addresses: readonly string[]
}

const SlimServices = transformed(
  Services,
  ({ metadata, spec }): Slim => ({
    metadata: { name: metadata?.name ?? '', namespace: metadata?.namespace ?? '' },
    addresses: spec?.clusterIPs ?? [],
  }),
)
const SlimPods = transformed(
  Pods,
  ({ metadata, status }): Slim => ({
    metadata: { name: metadata?.name ?? '', namespace: metadata?.namespace ?? '' },
    addresses: status?.podIPs?.map(({ ip }) => ip ?? '') ?? [],
  }),
)

/** What one way of reading cost. */
export interface Measured {
  readonly way: string
  readonly objects: number
  readonly cpuMs: number
  readonly pauseMs: number
  readonly peakMiB: number
  readonly relistPauseMs?: number
  readonly relistCpuMs?: number
}

const [way = '', kind = '', port = '', listFile = ''] = process.argv.slice(2)
const result = way === 'parse' ? parseOnce() : await followTwice()
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)

function parseOnce(): Measured {
  const before = process.memoryUsage.rss()
  const text = readFileSync(listFile, 'utf8')
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const list = JSON.parse(text) as { items: unknown[] }
  const pauseMs = performance.now() - startedAt
  const peakMiB = (process.memoryUsage.rss() - before) / 2 ** 20
  return { way, objects: list.items.length, cpuMs: spentMs(cpu), pauseMs, peakMiB }
}

async function followTwice(): Promise<Measured> {
  const url = `http://127.0.0.1:${port}`
  const cluster = await connectKubeconfig({ text: kubeconfig(url) })
  const informer = createInformer<Slim, 'address'>(cluster.source(kind === 'pods' ? SlimPods : SlimServices), {
    initialList: way === 'streaming' ? 'streaming' : 'paged',
    backoff: exponentialBackoff({ initialMs: 10, jitter: 0 }),
    indexers: { address: ({ addresses }) => addresses },
  })
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  await rest()
  const before = process.memoryUsage.rss()
  const first = await during(delay, () => informer.start().synced())
  const peakMiB = (peak - before) / 2 ** 20
  const again = await during(delay, async () => {
    const listing = firstValueFrom(informer.status$.pipe(filter(({ phase }) => phase === 'listing')))
    await fetch(`${url}/expire`)
    await listing
    await firstValueFrom(informer.status$.pipe(filter(({ phase }) => phase === 'watching')))
  })
  clearInterval(sampler)
  const objects = informer.store.size
  await informer.close()
  await cluster.close()
  return { way, objects, ...first, peakMiB, relistPauseMs: again.pauseMs, relistCpuMs: again.cpuMs }
}

async function during(
  delay: IntervalHistogram,
  work: () => Promise<unknown>,
): Promise<{ cpuMs: number; pauseMs: number }> {
  delay.reset()
  delay.enable()
  const cpu = process.cpuUsage()
  await work()
  const cpuMs = spentMs(cpu)
  await rest()
  delay.disable()
  return { cpuMs, pauseMs: delay.max / 1e6 }
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50))
}

function spentMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

function kubeconfig(server: string): string {
  const clusters = [{ name: 'c', cluster: { server } }]
  const contexts = [{ name: 'c', context: { cluster: 'c', user: '' } }]
  return JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'c', clusters, contexts })
}
