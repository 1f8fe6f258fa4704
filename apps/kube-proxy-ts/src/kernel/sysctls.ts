// Kernel settings at start: which ones (pure), and writing them.

import { readFile, writeFile } from 'node:fs/promises'
import type { ConntrackConfiguration } from '../config/defaults.ts'

const maxEntries = 1_048_576

/** Settings below `net/netfilter/`, in the order in which they are written. */
export function conntrackSettings(
  configuration: ConntrackConfiguration,
  cpus: number,
): Readonly<Record<string, number>> {
  const settings: Record<string, number> = {}
  if (configuration.maxPerCore > 0) {
    const scaled = configuration.maxPerCore * cpus
    const wanted = scaled > maxEntries ? maxEntries : Math.max(scaled, configuration.min)
    settings['nf_conntrack_max'] = Math.min(maxEntries, wanted)
  }
  const timeouts = [
    ['nf_conntrack_tcp_timeout_established', configuration.tcpEstablishedTimeoutMs],
    ['nf_conntrack_tcp_timeout_close_wait', configuration.tcpCloseWaitTimeoutMs],
  ] as const
  for (const [name, ms] of timeouts) if (ms > 0) settings[name] = Math.floor(ms / 1000)
  if (configuration.tcpBeLiberal) settings['nf_conntrack_tcp_be_liberal'] = 1
  if (configuration.udpTimeoutMs > 0)
    settings['nf_conntrack_udp_timeout'] = Math.floor(configuration.udpTimeoutMs / 1000)
  if (configuration.udpStreamTimeoutMs > 0)
    settings['nf_conntrack_udp_timeout_stream'] = Math.floor(configuration.udpStreamTimeoutMs / 1000)
  return settings
}

/** Number of CPUs in a list of the kernel such as `0-3,5`; `undefined` when it is none. */
export function countCpus(list: string): number | undefined {
  const ranges = list.trim().split(',')
  const counts = ranges.map((range) => {
    const [, first = '', last = first] = /^([0-9]+)(?:-([0-9]+))?$/.exec(range) ?? []
    return first === '' ? Number.NaN : Number(last) - Number(first) + 1
  })
  const count = counts.reduce((sum, one) => sum + one, 0)
  return count > 0 ? count : undefined
}

/** Size of the hash table that goes with a maximum, or undefined when it is large enough. */
export function wantedHashSize(maximum: number, present: number): number | undefined {
  return present < maximum / 4 ? Math.floor(maximum / 4) : undefined
}

/** Value of a setting as `net/netfilter/name`; `undefined` when the kernel has none. */
export async function readSysctl(path: string): Promise<number | undefined> {
  try {
    return Number((await readFile(`/proc/sys/${path}`, 'utf8')).trim())
  } catch {
    return undefined
  }
}

/** Writes a setting unless it has the value already. Rejects with Node's error. */
export async function writeSysctl(path: string, value: number): Promise<void> {
  if ((await readSysctl(path)) !== value) await writeFile(`/proc/sys/${path}`, String(value))
}
