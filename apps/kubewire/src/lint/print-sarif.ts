// Findings as SARIF 2.1.0, which code hosts show beside the lines of a change.

import { printRef } from '@kubewire/kube-model'
import { version } from '../version.ts'
import { lintRules } from './registry.ts'
import type { RuleFinding } from './rule-finding.ts'

/** One run with every rule and a result for each finding. */
export function printSarif(findings: readonly RuleFinding[]): string {
  const rules = lintRules.map(({ id, severity, summary, docs }) => ({
    id,
    shortDescription: { text: summary },
    fullDescription: { text: docs },
    defaultConfiguration: { level: severity },
  }))
  const driver = { name: 'kubewire', version, rules }
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, results: findings.map(resultOf) }],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function resultOf({ rule, severity, object, path, message, position, suppression }: RuleFinding): object {
  const name = `${printRef(object)}${path === '' ? '' : ` ${path}`}`
  const ruleIndex = lintRules.findIndex(({ id }) => id === rule)
  const physicalLocation =
    position === undefined || position.file === 'standard input'
      ? undefined
      : { artifactLocation: { uri: encodeURI(position.file) }, region: { startLine: position.line } }
  return {
    ruleId: rule,
    ...(ruleIndex < 0 ? {} : { ruleIndex }),
    level: severity,
    message: { text: `${name}: ${message}` },
    locations: [
      {
        ...(physicalLocation === undefined ? {} : { physicalLocation }),
        logicalLocations: [{ fullyQualifiedName: name }],
      },
    ],
    ...(suppression === undefined ? {} : { suppressions: [{ kind: 'inSource', justification: suppression.reason }] }),
  }
}
