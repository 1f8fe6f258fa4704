// Findings of lint rules and problems of the generators as one list, the worst first.

import { type ObjectRef, type Position, type Problem, printRef } from '@kubewire/kube-model'
import type { RuleFinding } from '../../lint/rule-finding.ts'

/** How much it matters, worst first. */
export const severities = ['error', 'warning', 'note'] as const

/** One line of the list. */
export interface FindingRow {
  readonly severity: (typeof severities)[number]
  readonly message: string
  /** What happens in spite of it. */
  readonly aftermath: string
  readonly object: ObjectRef
  readonly path: string
  /** Rule or code. */
  readonly code: string
  readonly place: string
  /** `until 2026-12-31: reason`, for a finding that is set aside. */
  readonly suppression: string | undefined
}

/** Rows by severity, those that are set aside last; within one, in the order they were found. */
export function findingRows(findings: readonly RuleFinding[], problems: readonly Problem[]): readonly FindingRow[] {
  const rows = [...findings.map(rowOfFinding), ...problems.map(rowOfProblem)]
  const rank = ({ severity, suppression }: FindingRow): number =>
    severities.indexOf(severity) + (suppression === undefined ? 0 : severities.length)
  return rows
    .map((row, at) => ({ row, at }))
    .sort((a, b) => rank(a.row) - rank(b.row) || a.at - b.at)
    .map(({ row }) => row)
}

/** Rows by the object they are about, as `printRef` writes it. */
export function rowsByObject(rows: readonly FindingRow[]): ReadonlyMap<string, readonly FindingRow[]> {
  const about = new Map<string, FindingRow[]>()
  for (const row of rows) {
    const known = about.get(printRef(row.object))
    if (known === undefined) about.set(printRef(row.object), [row])
    else known.push(row)
  }
  return about
}

function rowOfFinding({ severity, message, object, path, rule, position, suppression }: RuleFinding): FindingRow {
  return {
    severity,
    message,
    aftermath: '',
    object,
    path,
    code: rule,
    place: placeOf(position),
    suppression: suppression === undefined ? undefined : `until ${suppression.until}: ${suppression.reason}`,
  }
}

function rowOfProblem({ severity, message, fallback, object, path, code, position }: Problem): FindingRow {
  return {
    severity,
    message,
    aftermath: fallback,
    object,
    path,
    code,
    place: placeOf(position),
    suppression: undefined,
  }
}

function placeOf(position: Position | undefined): string {
  if (position === undefined) return ''
  const { file, line, column } = position
  return `${file}:${line}${column === undefined ? '' : `:${column}`}`
}
