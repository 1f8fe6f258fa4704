// Memory and handles of the daemons over time, and how steeply they rise.

import { readdirSync, readFileSync } from 'node:fs'
import { daemonNames, type SoakDaemon, type SoakWorld } from './soak-world.ts'

/** One look at a process. */
export interface Sample {
  readonly atMs: number
  readonly pid: number
  readonly residentMiB: number
  readonly handles: number
}

/** Looks at every daemon. */
export function sampleDaemons(world: SoakWorld, atMs: number): ReadonlyMap<SoakDaemon, Sample> {
  const samples = new Map<SoakDaemon, Sample>()
  for (const name of daemonNames) {
    const { pid } = world.daemon(name)
    try {
      const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      const handles = readdirSync(`/proc/${pid}/fd`).length
      samples.set(name, { atMs, pid, residentMiB: Number(kib) / 1024, handles })
    } catch {
      // It was just killed: the next look will see its successor.
    }
  }
  return samples
}

/** Least-squares slope per hour of the samples of the last process, after its first `warmMs`. */
export function slopePerHour(samples: readonly Sample[], value: (sample: Sample) => number, warmMs: number): number {
  const own = samples.filter(({ pid }) => pid === samples.at(-1)?.pid)
  const firstMs = own[0]?.atMs ?? 0
  const warm = own.filter(({ atMs }) => atMs >= firstMs + warmMs)
  if (warm.length < 3) return Number.NaN
  const meanX = mean(warm.map(({ atMs }) => atMs))
  const meanY = mean(warm.map(value))
  const products = warm.map((sample) => (sample.atMs - meanX) * (value(sample) - meanY))
  const squares = warm.map(({ atMs }) => (atMs - meanX) ** 2)
  return (sum(products) / sum(squares)) * 3_600_000
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}
