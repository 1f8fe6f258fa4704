// Metrics of the nginx process: its status page and /proc, read when somebody asks.
// Source of names: ingress-nginx 1.15.1 internal/ingress/metric/collectors/nginx_status.go and process.go.

import { readdirSync, readFileSync } from 'node:fs'
import type { Metrics } from '@kubewire/daemon-kit'
import type { ControllerLabels } from './metrics.ts'

/** Where the values come from. */
export interface NginxSources {
  /** Text of the status page; rejects while nginx is not there. */
  readonly status: () => Promise<string>
  readonly masterPid: () => number | undefined
}

type Gauge = ReturnType<Metrics['gauge']>
type Counter = ReturnType<Metrics['counter']>

const prefix = 'nginx_ingress_controller_nginx_process_'

/** Registers the metrics. */
export function registerNginxMetrics(metrics: Metrics, labels: ControllerLabels, sources: NginxSources): void {
  const labelNames = Object.keys(labels)
  const collect = atOnce(async () => {
    const status = readStatus(await sources.status().catch(() => ''))
    if (status === undefined) return
    for (const state of ['active', 'reading', 'writing', 'waiting'] as const) {
      connections.set({ ...labels, state }, status[state])
    }
    totals.reset()
    totals.inc({ ...labels, state: 'accepted' }, status.accepted)
    totals.inc({ ...labels, state: 'handled' }, status.handled)
    requests.reset()
    requests.inc({ ...labels }, status.requests)
  })
  const connections: Gauge = metrics.gauge({
    name: `${prefix}connections`,
    help: 'current number of client connections with state {active, reading, writing, waiting}',
    labelNames: [...labelNames, 'state'],
    collect,
  })
  const totals: Counter = metrics.counter({
    name: `${prefix}connections_total`,
    help: 'total number of connections with state {accepted, handled}',
    labelNames: [...labelNames, 'state'],
    collect,
  })
  const requests: Counter = metrics.counter({
    name: `${prefix}requests_total`,
    help: 'total number of client requests',
    labelNames,
    collect,
  })
  registerProcessMetrics(metrics, labels, sources)
}

function registerProcessMetrics(metrics: Metrics, labels: ControllerLabels, sources: NginxSources): void {
  const labelNames = Object.keys(labels)
  const collect = atOnce(async () => {
    const facts = processFacts(sources.masterPid())
    count.set({ ...labels }, facts.count)
    resident.set({ ...labels }, facts.residentBytes)
    virtual.set({ ...labels }, facts.virtualBytes)
    started.set({ ...labels }, facts.oldestStartSeconds)
    for (const [metric, value] of [
      [cpu, facts.cpuSeconds],
      [read, facts.readBytes],
      [written, facts.writeBytes],
    ] as const) {
      metric.reset()
      metric.inc({ ...labels }, value)
    }
  })
  const gauge = (name: string, help: string): Gauge => metrics.gauge({ name: prefix + name, help, labelNames, collect })
  const counter = (name: string, help: string): Counter =>
    metrics.counter({ name: prefix + name, help, labelNames, collect })
  const cpu = counter('cpu_seconds_total', 'Cpu usage in seconds')
  const read = counter('read_bytes_total', 'number of bytes read')
  const written = counter('write_bytes_total', 'number of bytes written')
  const resident = gauge('resident_memory_bytes', 'number of bytes of memory in use')
  const virtual = gauge('virtual_memory_bytes', 'number of bytes of memory in use')
  const started = gauge('oldest_start_time_seconds', 'start time in seconds since 1970/01/01')
  const count = gauge('num_procs', 'number of processes')
}

/** Metrics of one source are asked for together, and each is told before it speaks. */
function atOnce(read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

/** Numbers of nginx's status page; `undefined` for another text. */
export function readStatus(text: string): Readonly<Record<StatusName, number>> | undefined {
  const numbers =
    /Active connections: (\d+)[\s\S]*?requests\s+(\d+) (\d+) (\d+)\s+Reading: (\d+) Writing: (\d+) Waiting: (\d+)/.exec(
      text,
    )
  if (numbers === null) return undefined
  const [active = 0, accepted = 0, handled = 0, requests = 0, reading = 0, writing = 0, waiting = 0] = numbers
    .slice(1)
    .map(Number)
  return { active, accepted, handled, requests, reading, writing, waiting }
}

type StatusName = 'active' | 'accepted' | 'handled' | 'requests' | 'reading' | 'writing' | 'waiting'

interface ProcessFacts {
  readonly count: number
  readonly cpuSeconds: number
  readonly readBytes: number
  readonly writeBytes: number
  readonly residentBytes: number
  readonly virtualBytes: number
  readonly oldestStartSeconds: number
}

const ticksPerSecond = 100
const pageBytes = 4096

// The master and its children, from /proc (proc(5): stat, io).
function processFacts(masterPid: number | undefined): ProcessFacts {
  const stats = masterPid === undefined ? [] : familyOf(masterPid)
  const sum = (read: (one: ProcessStat) => number): number => stats.reduce((total, one) => total + read(one), 0)
  const bootSeconds = Number(/^btime (\d+)/m.exec(readText('/proc/stat'))?.[1] ?? 0)
  return {
    count: stats.length,
    cpuSeconds: sum((one) => one.ticks) / ticksPerSecond,
    readBytes: sum((one) => one.readBytes),
    writeBytes: sum((one) => one.writeBytes),
    residentBytes: sum((one) => one.residentPages) * pageBytes,
    virtualBytes: sum((one) => one.virtualBytes),
    oldestStartSeconds:
      stats.length === 0 ? 0 : bootSeconds + Math.min(...stats.map((one) => one.startTicks)) / ticksPerSecond,
  }
}

interface ProcessStat {
  readonly parent: number
  readonly ticks: number
  readonly startTicks: number
  readonly virtualBytes: number
  readonly residentPages: number
  readonly readBytes: number
  readonly writeBytes: number
}

function familyOf(masterPid: number): readonly ProcessStat[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const stats = pids.flatMap((pid) => {
    const stat = statOf(pid)
    return stat !== undefined && (stat.parent === masterPid || Number(pid) === masterPid) ? [stat] : []
  })
  return stats
}

function statOf(pid: string): ProcessStat | undefined {
  const text = readText(`/proc/${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (text === '') return undefined
  const field = (at: number): number => Number(fields[at - 3] ?? 0)
  const io = readText(`/proc/${pid}/io`)
  return {
    parent: field(4),
    ticks: field(14) + field(15),
    startTicks: field(22),
    virtualBytes: field(23),
    residentPages: field(24),
    readBytes: Number(/^rchar: (\d+)/m.exec(io)?.[1] ?? 0),
    writeBytes: Number(/^wchar: (\d+)/m.exec(io)?.[1] ?? 0),
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // the process ended, or there is no /proc
  }
}
