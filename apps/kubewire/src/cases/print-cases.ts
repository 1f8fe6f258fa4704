// What scenarios gave, as TAP (version 14), JUnit or JSON.

import type { ProbeResult } from '@kubewire/kube-model/cases'
import { escapeXml } from '../print/escape-xml.ts'

/** One file with its probes; a file that could not be read has one failed probe. */
export interface CaseResult {
  readonly path: string
  readonly about?: string
  readonly probes: readonly ProbeResult[]
  readonly durationMs: number
}

/** A format of `test -o`. */
export type CasesFormat = 'tap' | 'junit' | 'json'

const printers: { readonly [format in CasesFormat]: (results: readonly CaseResult[]) => string } = {
  tap: printTap,
  junit: printCasesJunit,
  json: (results) => `${JSON.stringify({ files: results, total: countProbes(results) }, null, 2)}\n`,
}

/** Whether a word is a format. */
export function isCasesFormat(word: string): word is CasesFormat {
  return Object.hasOwn(printers, word)
}

/** All results as one document. */
export function printCases(results: readonly CaseResult[], format: CasesFormat): string {
  return printers[format](results)
}

/** Sums over all files. */
export function countProbes(results: readonly CaseResult[]): { readonly [outcome in ProbeResult['outcome']]: number } {
  const sums = { passed: 0, failed: 0, skipped: 0 }
  for (const { probes } of results) for (const { outcome } of probes) sums[outcome] += 1
  return sums
}

function printTap(results: readonly CaseResult[]): string {
  const lines: string[] = []
  let count = 0
  for (const { path, about, probes } of results) {
    lines.push(`# ${path}${about === undefined ? '' : `: ${oneLine(about)}`}`)
    for (const { probe, outcome, detail = '' } of probes) {
      count += 1
      const name = `${count} - ${path}: ${probe}`.replaceAll('#', '\\#')
      if (outcome === 'passed') lines.push(`ok ${name}`)
      else if (outcome === 'skipped') lines.push(`ok ${name} # SKIP ${oneLine(detail)}`)
      else
        lines.push(
          `not ok ${name}`,
          '  ---',
          '  message: |',
          ...detail
            .trimEnd()
            .split('\n')
            .map((line) => `    ${line}`),
          '  ...',
        )
    }
  }
  const { passed, failed, skipped } = countProbes(results)
  return `${['TAP version 14', `1..${count}`, ...lines, `# ${passed} passed, ${failed} failed, ${skipped} skipped`].join('\n')}\n`
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

function printCasesJunit(results: readonly CaseResult[]): string {
  const { passed, failed, skipped } = countProbes(results)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kubewire test" tests="${passed + failed + skipped}" failures="${failed}" errors="0" skipped="${skipped}">`,
    ...results.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n')
}

function suiteLines(result: CaseResult): string[] {
  const { path, probes, durationMs } = result
  const { failed, skipped } = countProbes([result])
  const open = `<testsuite name="${escapeXml(path)}" tests="${probes.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${(durationMs / 1000).toFixed(3)}">`
  return [open, ...probes.map((probe) => caseLine(path, probe)), '</testsuite>']
}

function caseLine(path: string, { probe, outcome, detail = '' }: ProbeResult): string {
  const open = `<testcase classname="${escapeXml(path)}" name="${escapeXml(probe)}"`
  if (outcome === 'passed') return `${open}/>`
  if (outcome === 'skipped') return `${open}><skipped message="${escapeXml(detail)}"/></testcase>`
  const [first = ''] = detail.split('\n')
  return `${open}><failure message="${escapeXml(first)}">${escapeXml(detail)}</failure></testcase>`
}
