// What the word tests share: a list of probes, each true or with a reason.

import { differ } from '@kubewire/iptables-gen/cases'
import type { ProbeResult } from '../../area.ts'

/** Collects probes. */
export interface Checks {
  readonly results: readonly ProbeResult[]
  /** Passes when both are equal as JSON; keys in any order. */
  equal(probe: string, wanted: unknown, found: unknown): void
  /** Passes when the condition holds. */
  ok(probe: string, holds: boolean, detail: string): void
}

/** An empty list. */
export function createChecks(): Checks {
  const results: ProbeResult[] = []
  const add = (probe: string, detail: string | undefined): void => {
    results.push(detail === undefined ? { probe, outcome: 'passed' } : { probe, outcome: 'failed', detail })
  }
  return {
    results,
    equal: (probe, wanted, found) => add(probe, differ(wanted, found)),
    ok: (probe, holds, detail) => add(probe, holds ? undefined : detail),
  }
}

/** Only the keys of `wanted`, at every depth: files give what they compare. */
export function pick(wanted: unknown, found: unknown): unknown {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return found
  const record = (found ?? {}) as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(wanted).map(([key, inner]) => [key, pick(inner, record[key])]))
}
