// What the runner prints: failures as they happen, a table per suite, what was not runnable and why, the last line.

import type { ProbeResult } from './area.ts'
import type { FileResult } from './run-cases.ts'

/** Sums of one suite. */
export interface SuiteSums {
  readonly suite: string
  readonly files: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Everything about one run, as `--reporter json` prints it. */
export interface ConformanceReport {
  readonly suites: readonly SuiteSums[]
  readonly failures: readonly ProbeReport[]
  readonly skips: readonly ProbeReport[]
  readonly total: Omit<SuiteSums, 'suite'>
}

/** One probe that did not pass. */
export interface ProbeReport {
  readonly file: string
  readonly probe: string
  readonly detail: string
}

/** Sums up files; suites keep the order in which they were first seen. */
export function buildReport(results: readonly FileResult[]): ConformanceReport {
  const names = [...new Set(results.map((result) => result.suite))]
  const probesOf = (outcome: ProbeResult['outcome']): ProbeReport[] =>
    results.flatMap(({ suite, name, probes }) =>
      probes
        .filter((one) => one.outcome === outcome)
        .map(({ probe, detail }) => ({ file: `${suite}/${name}`, probe, detail: detail ?? '' })),
    )
  return {
    suites: names.map((suite) => ({ suite, ...sum(results.filter((result) => result.suite === suite)) })),
    failures: probesOf('failed'),
    skips: probesOf('skipped'),
    total: sum(results),
  }
}

/** The lines for one file while the run goes on: its failures, or nothing. */
export function printFile({ suite, name, probes }: FileResult): string {
  return probes
    .filter((one) => one.outcome === 'failed')
    .map(({ probe, detail }) => `not ok ${suite}/${name}: ${probe}\n${indent(detail ?? '')}`)
    .join('')
}

/** The table, the reasons for what was not runnable, and the last line. */
export function printReport(report: ConformanceReport): string {
  const head = ['suite', 'files', 'passed', 'failed', 'skipped']
  const rows = [
    head,
    ...report.suites.map((one) => [one.suite, one.files, one.passed, one.failed, one.skipped].map(String)),
  ]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const table = rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  )
  const { passed, failed, skipped } = report.total
  return [...table, ...printSkips(report.skips), `${passed} passed, ${failed} failed, ${skipped} skipped`, ''].join(
    '\n',
  )
}

/** Reasons with the probes they hit, the first few by name. */
function printSkips(skips: readonly ProbeReport[]): string[] {
  const byReason = new Map<string, string[]>()
  for (const { file, probe, detail } of skips) {
    byReason.set(detail, [...(byReason.get(detail) ?? []), `${file}: ${probe}`])
  }
  return [...byReason].flatMap(([reason, probes]) => {
    const more = probes.length > 5 ? [`  … and ${probes.length - 5} more`] : []
    return [
      `not runnable, ${probes.length} of them: ${reason}`,
      ...probes.slice(0, 5).map((one) => `  ${one}`),
      ...more,
    ]
  })
}

function sum(results: readonly FileResult[]): Omit<SuiteSums, 'suite'> {
  const count = (outcome: ProbeResult['outcome']): number =>
    results.reduce((total, { probes }) => total + probes.filter((one) => one.outcome === outcome).length, 0)
  return { files: results.length, passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

function indent(text: string): string {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => `    ${line}\n`)
    .join('')
}
