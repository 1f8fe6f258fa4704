// Findings as text for people, JSON for programs, or workflow commands that GitHub shows on a pull request.

import { printRef } from '@kubewire/kube-model'
import { printJunit } from './print-junit.ts'
import { printSarif } from './print-sarif.ts'
import type { RuleFinding } from './rule-finding.ts'

/** A format of `lint -o`. */
export type FindingsFormat = 'text' | 'json' | 'sarif' | 'github' | 'junit'

const printers: { readonly [format in FindingsFormat]: (findings: readonly RuleFinding[]) => string } = {
  text: (findings) => findings.filter(isShown).map(textLine).join(''),
  json: (findings) => `${JSON.stringify(findings, null, 2)}\n`,
  sarif: printSarif,
  github: (findings) => findings.filter(isShown).map(githubLine).join(''),
  junit: printJunit,
}

/** Whether a word is a format. */
export function isFindingsFormat(word: string): word is FindingsFormat {
  return Object.hasOwn(printers, word)
}

/** One line each, or one document. Text and GitHub leave out what is set aside, the others say so. */
export function printFindings(findings: readonly RuleFinding[], format: FindingsFormat): string {
  return printers[format](findings)
}

function isShown({ suppression }: RuleFinding): boolean {
  return suppression === undefined
}

function textLine({ severity, object, path, message, rule, position }: RuleFinding): string {
  const place = position === undefined ? '' : `${position.file}:${position.line}: `
  return `${place}${severity}: ${printRef(object)}${path === '' ? '' : ` ${path}`}: ${message} (${rule})\n`
}

// GitHub Actions, workflow commands: `%`, CR and LF in a message are escaped, in a property also `:` and `,`.
function githubLine({ severity, object, path, message, rule, position }: RuleFinding): string {
  const text = `${printRef(object)}${path === '' ? '' : ` ${path}`}: ${message}`
  const escaped = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const file = position?.file.replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C')
  const place = file === undefined ? '' : `file=${file},line=${position?.line},`
  return `::${severity === 'note' ? 'notice' : severity} ${place}title=${rule}::${escaped}\n`
}
