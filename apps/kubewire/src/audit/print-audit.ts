// The inventory as Markdown for people who plan a move, or as JSON.

import { printRef, quoteFound } from '@kubewire/kube-model'
import type { AuditEntry, HereStatus } from './audit-entry.ts'

/** One document. */
export function printAudit(entries: readonly AuditEntry[], format: 'markdown' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(entries, null, 2)}\n`
  const sections = [
    summary(entries),
    section(
      'Annotations',
      entries.filter(({ kind }) => kind === 'annotation'),
    ),
    section(
      'ConfigMap keys',
      entries.filter(({ kind }) => kind === 'setting'),
    ),
    section(
      'Hidden behaviours',
      entries.filter(({ kind }) => kind === 'behaviour'),
    ),
  ]
  return sections.join('\n')
}

const statuses: readonly HereStatus[] = ['supported', 'changed', 'refused', 'unavailable', 'unknown']

function summary(entries: readonly AuditEntry[]): string {
  const written = entries.filter(({ kind }) => kind !== 'behaviour')
  const counts = statuses.map((status) => `${written.filter(({ here }) => here === status).length} ${status}`)
  const risky = written.filter(isRisky).length
  return `# What is used of ingress-nginx\n\nHere: ${counts.join(', ')}. Risky: ${risky}.\n`
}

function isRisky({ risk }: AuditEntry): boolean {
  return risk === 'High' || risk === 'Critical'
}

/** One table; a name with several values or objects is one row for each status and value. */
function section(title: string, entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return `## ${title}\n\nNone.\n`
  const groups = new Map<string, AuditEntry[]>()
  for (const entry of entries) {
    const key = JSON.stringify([entry.name, entry.here, entry.detail])
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  const rows = [...groups.values()].map((group) => rowOf(group))
  return [
    `## ${title}`,
    '',
    '| name | here | risk | what | in Gateway API | used by |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function rowOf(group: readonly AuditEntry[]): string {
  const [first] = group
  if (first === undefined) throw new Error('a group has a member')
  const values = [...new Set(group.map(({ value }) => value).filter((value) => value !== undefined))]
  const places = group.map(({ object }) => printRef(object))
  const shown = places.length > 5 ? `${places.slice(0, 5).join(', ')} and ${places.length - 5} more` : places.join(', ')
  const name = values.length === 1 ? `${first.name}: ${quoteFound(values[0])}` : first.name
  const cells = [name, first.here, first.risk ?? '', first.detail, first.elsewhere, shown]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
