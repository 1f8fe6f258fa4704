// Faults as they happened, and what they excuse: a failed question of an affected kind while a fault lasts. Everything
// else that fails counts against us.

import type { Probed, ProbeKind } from './probe.ts'

/** One fault. */
export interface FaultRecord {
  readonly name: string
  readonly affects: ReadonlySet<ProbeKind>
  readonly startMs: number
  /** When the world was whole again; while it is not, absent. */
  endMs?: number
  /** Questions that failed because of it, and when the last of them was asked. */
  failed: number
  lastFailedMs: number
}

/** How long after the end of a fault a question may still fail that was asked meanwhile: its own time limit is apart. */
const settleMs = 500

/** What all runs of one fault cost. */
export interface FaultSummary {
  readonly name: string
  readonly times: number
  readonly failed: number
  /** From its start to the last question that failed because of it; the longest. */
  readonly longestWindowMs: number
}

/** All faults of a run. */
export class FaultLog {
  readonly #records: FaultRecord[] = []

  begin(name: string, affects: readonly ProbeKind[], startMs: number): FaultRecord {
    const record: FaultRecord = { name, affects: new Set(affects), startMs, failed: 0, lastFailedMs: startMs }
    this.#records.push(record)
    return record
  }

  /** Whether a failed question is explained by a fault; it is counted there. */
  excuses({ kind, startMs, endMs }: Probed): boolean {
    const record = this.#records.findLast(
      (fault) => fault.affects.has(kind) && endMs >= fault.startMs && startMs <= (fault.endMs ?? Infinity) + settleMs,
    )
    if (record === undefined) return false
    record.failed += 1
    record.lastFailedMs = Math.max(record.lastFailedMs, startMs)
    return true
  }

  /** Milliseconds by which answers may lag, because the daemons could not hear of changes. */
  lagMs(nowMs: number): number {
    return this.#records.some(
      ({ name, startMs, endMs }) => isDeaf(name) && nowMs >= startMs && nowMs <= (endMs ?? Infinity) + 15_000,
    )
      ? 20_000
      : 0
  }

  summaries(): readonly FaultSummary[] {
    const byName = new Map<string, FaultSummary>()
    for (const { name, failed, startMs, lastFailedMs } of this.#records) {
      const before = byName.get(name)
      byName.set(name, {
        name,
        times: (before?.times ?? 0) + 1,
        failed: (before?.failed ?? 0) + failed,
        longestWindowMs: Math.max(before?.longestWindowMs ?? 0, failed > 0 ? lastFailedMs - startMs : 0),
      })
    }
    return [...byName.values()]
  }
}

/** Faults during which nothing new is heard of. */
function isDeaf(name: string): boolean {
  return name.startsWith('API') || name.startsWith('watch') || name.includes('killed')
}
