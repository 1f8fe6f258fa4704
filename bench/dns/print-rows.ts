// Rows as a table, and its goals with what was reached.

import type { Mode } from './modes.ts'
import type { Row } from './run-mode.ts'

/** The text of one mode. */
export function printRows(mode: Mode, rows: readonly Row[]): string {
  const isPaced = mode.loadShare !== undefined
  const cost = (row: Row): number => (isPaced ? row.p99Ms : row.cpuMicroseconds)
  const lines = rows.map((row) => {
    if (row.reason !== undefined) return `${row.name.padEnd(14)} left out: ${row.reason}`
    const latencies = isPaced ? `  p50 ${ms(row.p50Ms)}  p99 ${ms(row.p99Ms)}  p99.9 ${ms(row.p999Ms)}` : ''
    const load = `${row.cpuMicroseconds.toFixed(2).padStart(7)} µs CPU  ${row.perSecond.toFixed(0).padStart(7)}/s`
    return `${row.name.padEnd(14)} ${load}  ${String(row.lost).padStart(4)} lost  ${row.residentMiB.toFixed(0).padStart(4)} MiB${latencies}`
  })
  const goals = mode.goals.flatMap(({ of, subject, against, atLeast }) => {
    const [own, other] = [subject, against].map((name) => rows.find((row) => row.name === name))
    if (own === undefined || other === undefined || other.reason !== undefined) return []
    const ratio = of === 'memory' ? other.residentMiB / own.residentMiB : cost(other) / cost(own)
    const what = `${subject} / ${against}${of === 'memory' ? ', memory' : ''}`
    const verdict = ratio >= atLeast ? 'ok' : 'MISSED'
    return [`  ${what.padEnd(34)} ${ratio.toFixed(2).padStart(6)}  goal ${atLeast}  ${verdict}`]
  })
  return [mode.title, ...lines, ...goals, ''].join('\n')
}

function ms(value: number): string {
  return `${value.toFixed(2).padStart(6)} ms`
}
