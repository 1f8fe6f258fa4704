// What hosts as data cost beside hosts as servers: `nginx -t`, memory, start, a new Ingress, and CPU per request of a routed
// host beside one with a server block on the same nginx, with the same Lua balancer. Ratios are what counts.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createNetns, type Netns } from '../../test/harness/netns.ts'
import { hostAt } from './objects.ts'
import {
  backendAddress,
  cpuSeconds,
  expressionHost,
  memoryMiB,
  nginxOf,
  oneHost,
  type RoutesForm,
  type RoutesWorld,
  residentMiB,
  serverHost,
  startBackend,
  startRoutesWorld,
  testSeconds,
  widest,
  widestHost,
} from './routes-world.ts'

type Row = { readonly [what: string]: string | number }

/** Size, start and a new Ingress, in one form. */
export function measureForm(count: number, form: RoutesForm): Promise<Row> {
  return withWorld(count, form, async (world) => {
    const { master, worker } = nginxOf(world)
    const resident = residentMiB(worker)
    const shared = memoryMiB(worker)
    const tests = [1, 2, 3].map(() => testSeconds(world))
    const news = form === 'data' ? await newIngresses(world, 10) : await newIngresses(world, 1)
    return {
      ...{ hosts: count, form },
      'start to last host, s': world.startSeconds.toFixed(2),
      '… until the lists are read, s': world.listedSeconds.toFixed(2),
      '… the API server, CPU s': world.apiSeconds.toFixed(2),
      'the Ingresses by curl, s': world.curlSeconds.toFixed(3),
      'nginx -t, CPU s': median(tests).toFixed(3),
      'worker resident, MiB': resident.toFixed(0),
      'worker own and part of shared, MiB': shared.toFixed(0),
      'master resident, MiB': residentMiB(master).toFixed(0),
      'daemon resident, MiB': residentMiB(world.daemon.pid).toFixed(0),
      ...news,
    }
  })
}

/** CPU per request: routed hosts beside the host with a server block, in alternation. */
export function measureRequests(count: number): Promise<Row> {
  return withWorld(count, 'data', async (world) => {
    const { worker } = nginxOf(world)
    execFileSync('taskset', ['-cp', workerCpu, String(worker)])
    const pathsOf = (size: number, path: (i: number) => string): readonly string[] =>
      Array.from({ length: size }, (_, i) => path(i))
    const subjects: readonly Subject[] = [
      { name: 'server', hosts: [serverHost], paths: ['/'] },
      { name: 'one routed host', hosts: [hostAt(0)], paths: ['/'] },
      { name: 'all hosts', hosts: Array.from({ length: count }, (_, i) => hostAt(i)), paths: ['/'] },
      { name: `${widest.paths} paths`, hosts: [widestHost], paths: pathsOf(widest.paths, (i) => `/p${i}/x`) },
      {
        name: `${widest.expressions} expressions`,
        hosts: [expressionHost],
        paths: pathsOf(widest.expressions, (i) => `/e${i}/tea`),
      },
    ]
    const costs = new Map<string, Cost[]>()
    for (let round = 0; round < 5; round++) {
      for (const subject of subjects) {
        const cost = await costOf(world, worker, subject)
        costs.set(subject.name, [...(costs.get(subject.name) ?? []), cost])
      }
    }
    const cpuOf = (name: string): number => median((costs.get(name) ?? []).map(({ micros }) => micros))
    const tailOf = (name: string): number => median((costs.get(name) ?? []).map(({ p99Millis }) => p99Millis))
    const reference = cpuOf('server')
    return Object.fromEntries([
      ['hosts', count],
      ...subjects.flatMap(({ name }) => [
        [`${name}, µs`, cpuOf(name).toFixed(1)],
        [`${name} / server`, (cpuOf(name) / reference).toFixed(2)],
        [`${name}, p99 ms`, tailOf(name).toFixed(2)],
      ]),
    ])
  })
}

async function withWorld<T>(count: number, form: RoutesForm, work: (world: RoutesWorld) => Promise<T>): Promise<T> {
  const netns = await createNetns('routes')
  const dir = mkdtempSync(join(tmpdir(), 'kw-routes-'))
  try {
    await netns.addAddresses([backendAddress])
    startBackend(netns, dir)
    const world = await startRoutesWorld(netns, dir, count, form)
    const result = await work(world)
    await world.close()
    return result
  } finally {
    await netns.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Wall and CPU seconds, of the daemon and of nginx, until a new host is served. */
async function newIngresses(world: RoutesWorld, times: number): Promise<Row> {
  const { master, worker } = nginxOf(world)
  const spent = (): number => [world.daemon.pid, master, worker].reduce((sum, pid) => sum + cpuOrNone(pid), 0)
  const waits: number[] = []
  const cpu: number[] = []
  const { reloads } = await world.progress()
  await untilIdle(spent)
  for (let i = 0; i < times; i++) {
    const host = `new-${i}.bench.example.org`
    const before = spent()
    const startMs = Date.now()
    await world.put(oneHost(`new-${i}`, host))
    while ((await world.ask(host)) !== backendAddress && Date.now() - startMs < 120_000) await delay(2)
    waits.push((Date.now() - startMs) / 1000)
    await delay(300)
    cpu.push(spent() - before)
  }
  return {
    'new Ingress served after, s': median(waits).toFixed(3),
    'its CPU, s': median(cpu).toFixed(3),
    reloads: (await world.progress()).reloads - reloads,
  }
}

/** The start is over: a new daemon tells of each Ingress by an Event. */
async function untilIdle(spent: () => number): Promise<void> {
  for (let before = -1, left = 60; left > 0 && spent() - before > 0.02; left--) {
    before = spent()
    await delay(1000)
  }
}

function cpuOrNone(pid: number): number {
  try {
    return cpuSeconds(pid)
  } catch {
    return 0 // a worker that a reload has replaced
  }
}

interface Subject {
  readonly name: string
  readonly hosts: readonly string[]
  readonly paths: readonly string[]
}

interface Cost {
  readonly micros: number
  readonly p99Millis: number
}

const secondsPerRound = 2
/** Different requests of a round; no multiple of 7. */
const preparedRequests = 5000
/** The load and the backend share one processor, the worker has the other. */
const loadCpu = '0'
const workerCpu = '1'

async function costOf(world: RoutesWorld, worker: number, subject: Subject): Promise<Cost> {
  const before = cpuSeconds(worker)
  const { requests, failures, p99Millis } = await load(world.netns, world.dir, subject)
  if (failures > 0) throw new Error(`${failures} requests of ${subject.name} failed`)
  return { micros: (1e6 * (cpuSeconds(worker) - before)) / requests, p99Millis }
}

async function load(
  netns: Netns,
  dir: string,
  { hosts, paths }: Subject,
): Promise<{ readonly requests: number; readonly failures: number; readonly p99Millis: number }> {
  // Drawn up before the load, equally many and equally long for all subjects, so that the client costs the same.
  const list = (words: readonly string[]): string => `{ ${words.map((word) => `"${word}"`).join(', ')} }`
  const script = join(dir, 'load.lua')
  writeFileSync(
    script,
    `local hosts, paths, requests, at = ${list(hosts)}, ${list(paths)}, {}, 0
init = function()
  for i = 1, ${preparedRequests} do
    local headers = { Host = hosts[i % #hosts + 1], ["X-Number"] = ("%06d"):format(i) }
    requests[i] = wrk.format("GET", paths[i % #paths + 1], headers)
  end
end
request = function()
  at = (at + 7) % ${preparedRequests}
  return requests[at + 1]
end`,
  )
  const words = ['-t1', '-c16', `-d${secondsPerRound}s`, '--latency', '-s', script, 'http://127.0.0.1/']
  const text = await netns.mustRun('taskset', ['-c', loadCpu, 'wrk', ...words], {
    timeoutMs: (secondsPerRound + 20) * 1000,
  })
  const count = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)
  const socket = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text)?.slice(1) ?? []
  const failures = socket.reduce((sum, part) => sum + Number(part), 0) + count(/Non-2xx or 3xx responses: (\d+)/)
  const [, amount = '0', unit = 'ms'] = /99% +([\d.]+)(us|ms|s)/.exec(text) ?? []
  const p99Millis = Number(amount) * (unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1)
  return { requests: count(/(\d+) requests in/), failures, p99Millis }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}
