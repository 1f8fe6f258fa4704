// Load by dnsperf on a core of its own, and what one answered question cost the server.

import { mustRun } from '../../test/harness/process.ts'
import { cpuSeconds } from './cpu.ts'
import { pinnedWords } from './pinned.ts'

/** How to ask. */
export interface Load {
  readonly port: number
  /** File of lines `NAME TYPE`. */
  readonly questions: string
  readonly seconds: number
  /** Cores of dnsperf, as taskset takes them. */
  readonly cores: string
  readonly transport?: 'udp' | 'tcp' | 'dot'
  readonly connections?: number
  /** Each question once, and no more. */
  readonly isOnce?: boolean
  /** Questions a second; as many as go when absent. */
  readonly rate?: number
  /** Whether latencies are wanted; it costs dnsperf a line for each answer. */
  readonly hasLatencies?: boolean
}

/** What came of it. */
export interface Measured {
  readonly answered: number
  readonly lost: number
  readonly perSecond: number
  /** CPU time of the server for one answer. */
  readonly cpuMicroseconds: number
  /** Milliseconds below which this share of the answers came; NaN without latencies. */
  latencyMs(share: number): number
}

/** Asks for a while; `pid` is the server. */
export async function load(pid: number, options: Load): Promise<Measured> {
  const { port, questions, seconds, cores, transport = 'udp', connections = 1, rate } = options
  const { hasLatencies = false, isOnce = false } = options
  const before = cpuSeconds(pid)
  const [program = '', ...front] = pinnedWords(cores)
  const text = await mustRun({
    program,
    args: [
      ...[...front, 'dnsperf', '-s', '127.0.0.1', '-p', String(port), '-m', transport, '-d', questions],
      ...['-l', String(seconds), '-q', '100', '-c', String(connections), '-T', '1', '-t', '2', '-W'],
      ...(rate === undefined ? [] : ['-Q', String(Math.round(rate))]),
      ...(hasLatencies ? ['-v'] : []),
      ...(isOnce ? ['-n', '1'] : []),
    ],
    timeoutMs: (seconds + 30) * 1000,
  })
  const spent = cpuSeconds(pid) - before
  const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? Number.NaN)
  const answered = number(/Queries completed: +([0-9]+)/)
  const latencies = hasLatencies ? readLatencies(text) : new Float64Array()
  return {
    answered,
    lost: number(/Queries lost: +([0-9]+)/),
    perSecond: number(/Queries per second: +([0-9.]+)/),
    cpuMicroseconds: (spent * 1e6) / answered,
    latencyMs: (share) => latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))] ?? Number.NaN,
  }
}

/** Lines `> NOERROR NAME TYPE SECONDS`. */
function readLatencies(text: string): Float64Array {
  const all = [...text.matchAll(/^> [A-Z0-9]+ \S+ \S+ ([0-9.]+)$/gm)].map(([, seconds]) => Number(seconds) * 1000)
  return Float64Array.from(all).sort()
}
