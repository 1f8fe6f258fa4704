// Counters, gauges and histograms in one registry of their own, in the text format the originals speak. Names and
// buckets are each daemon's business; this file adds only the values of the process itself.

import { readdirSync } from 'node:fs'
import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client'

/** The metrics of one process. */
export interface Metrics {
  readonly registry: Registry
  counter<L extends string = string>(options: CounterConfiguration<L>): Counter<L>
  gauge<L extends string = string>(options: GaugeConfiguration<L>): Gauge<L>
  histogram<L extends string = string>(options: HistogramConfiguration<L>): Histogram<L>
  /** The exposition text (format 0.0.4). */
  text(): Promise<string>
  readonly contentType: string
}

/** Makes a registry with the `process_*` values that Go programs expose; nothing global is touched. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  addProcessMetrics(registers)
  return {
    registry,
    counter: (options) => new Counter({ ...options, registers }),
    gauge: (options) => new Gauge({ ...options, registers }),
    histogram: (options) => new Histogram({ ...options, registers }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

// The names of Prometheus's Go client (process_collector.go), read when asked for.
function addProcessMetrics(registers: Registry[]): void {
  const startSeconds = Math.round(Date.now() / 1000 - process.uptime())
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    registers,
  }).set(startSeconds)
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory size in bytes.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  new Gauge({
    name: 'process_open_fds',
    help: 'Number of open file descriptors.',
    registers,
    collect() {
      this.set(openFileCount())
    },
  })
}

function openFileCount(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0 // not Linux
  }
}
