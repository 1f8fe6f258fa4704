// Notices that somebody flushed our rules: three empty chains, one a table. The one in mangle is looked for every
// period; when it is gone the others are waited for, because a flush goes table by table.
// Source: kube-proxy 1.36 pkg/util/iptables/monitor; the exit status 4 of the listing is handled as it was meant.

import type { Clock } from '@kubewire/daemon-kit'
import { chainNames } from '@kubewire/iptables-gen'
import type { Iptables } from './iptables.ts'

const tables = ['mangle', 'nat', 'filter'] as const
const flushPollMs = 100
const flushLimitMs = 5000

/** What the monitor needs. */
export interface CanaryOptions {
  readonly iptables: Pick<Iptables, 'ensureChain' | 'hasChain'>
  readonly periodMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The rules are gone: make them all again. */
  readonly onFlush: () => Promise<void>
  readonly onProblem: (message: string) => void
}

/** Watches until the signal aborts. */
export async function watchCanary(options: CanaryOptions): Promise<void> {
  const { clock, signal, periodMs } = options
  while (!signal.aborted) {
    if (!(await makeCanaries(options))) {
      await clock.sleep(periodMs, signal)
      continue
    }
    while (!signal.aborted && !(await isGone(options, 'mangle'))) await clock.sleep(periodMs, signal)
    if (signal.aborted) return
    await waitForFlush(options)
    await options.onFlush()
  }
}

async function makeCanaries({ iptables, onProblem }: CanaryOptions): Promise<boolean> {
  try {
    for (const table of tables) await iptables.ensureChain(table, chainNames.canary)
    return true
  } catch (error) {
    onProblem(`could not make the canary chains: ${messageOf(error)}`)
    return false
  }
}

async function isGone({ iptables, onProblem }: CanaryOptions, table: string): Promise<boolean> {
  try {
    return !(await iptables.hasChain(table, chainNames.canary))
  } catch (error) {
    // A lock or resource problem says nothing about the chain.
    onProblem(`could not look for the canary chain: ${messageOf(error)}`)
    return false
  }
}

async function waitForFlush(options: CanaryOptions): Promise<void> {
  const { clock, signal } = options
  const limitAtMs = clock.nowMs() + flushLimitMs
  while (!signal.aborted && clock.nowMs() < limitAtMs) {
    if ((await isGone(options, 'nat')) && (await isGone(options, 'filter'))) return
    await clock.sleep(flushPollMs, signal)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
