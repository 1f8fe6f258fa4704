// Findings as JUnit XML: one test case for each rule that found something, and one for each that did not.

import { printRef } from '@kubewire/kube-model'
import { escapeXml } from '../print/escape-xml.ts'
import { lintRules } from './registry.ts'
import type { RuleFinding } from './rule-finding.ts'

/** One suite; a rule with findings fails, a rule whose findings are all set aside is skipped. */
export function printJunit(findings: readonly RuleFinding[]): string {
  const ids = new Set([...lintRules.map(({ id }) => id), ...findings.map(({ rule }) => rule)])
  const cases = [...ids].map((id) =>
    caseOf(
      id,
      findings.filter(({ rule }) => rule === id),
    ),
  )
  const count = (kind: string): number => cases.filter((one) => one.kind === kind).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite name="kubewire lint" tests="${cases.length}" failures="${count('failure')}" errors="0" skipped="${count('skipped')}">`,
    ...cases.map(({ text }) => text),
    '</testsuite></testsuites>',
    '',
  ].join('\n')
}

function caseOf(id: string, findings: readonly RuleFinding[]): { readonly kind: string; readonly text: string } {
  const open = `<testcase classname="kubewire.lint" name="${id}"`
  const shown = findings.filter(({ suppression }) => suppression === undefined)
  if (findings.length === 0) return { kind: 'passed', text: `${open}/>` }
  if (shown.every(({ severity }) => severity === 'note')) {
    const kind = shown.length === 0 ? 'skipped' : 'passed'
    const inside =
      shown.length === 0 ? '<skipped/>' : `<system-out>${escapeXml(shown.map(lineOf).join('\n'))}</system-out>`
    return { kind, text: `${open}>${inside}</testcase>` }
  }
  const [first] = shown.map(lineOf)
  const text = escapeXml(shown.map(lineOf).join('\n'))
  return { kind: 'failure', text: `${open}><failure message="${escapeXml(first ?? '')}">${text}</failure></testcase>` }
}

function lineOf({ object, path, message, position }: RuleFinding): string {
  const place = position === undefined ? '' : `${position.file}:${position.line}: `
  return `${place}${printRef(object)}${path === '' ? '' : ` ${path}`}: ${message}`
}
