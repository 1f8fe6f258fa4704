// Findings as text for people, JSON for programs, or workflow commands that GitHub shows on a pull request.

import { printRef } from '@kubewire/kube-model'
import type { LintFinding, LintRule } from './lint-rule.ts'

/** A finding with the rule that made it. */
export interface RuleFinding extends LintFinding {
  readonly rule: string
  readonly severity: LintRule['severity']
}

/** One line each, or one JSON document. */
export function printFindings(findings: readonly RuleFinding[], format: 'text' | 'json' | 'github'): string {
  if (format === 'json') return `${JSON.stringify(findings, null, 2)}\n`
  return findings.map(format === 'github' ? githubLine : textLine).join('')
}

function textLine({ severity, object, path, message, rule }: RuleFinding): string {
  return `${severity}: ${printRef(object)}${path === '' ? '' : ` ${path}`}: ${message} (${rule})\n`
}

// GitHub Actions, workflow commands: `%`, CR and LF in a message are escaped.
function githubLine({ severity, object, path, message, rule }: RuleFinding): string {
  const text = `${printRef(object)}${path === '' ? '' : ` ${path}`}: ${message}`
  const escaped = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return `::${severity} title=${rule}::${escaped}\n`
}
