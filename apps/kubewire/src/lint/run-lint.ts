// Runs rules over what was read: findings in the order of the rules, with places and suppressions.

import { printRef, withDefaultNamespace } from '@kubewire/kube-model'
import type { Input } from '../input/input.ts'
import type { LintRule } from './lint-rule.ts'
import type { RuleFinding } from './rule-finding.ts'
import { suppressFindings } from './suppress-findings.ts'

/**
 * Every finding of these rules; those that are set aside are marked.
 *
 * @param today - `YYYY-MM-DD`
 * @param onRule - told before each rule
 */
export function runLint(
  input: Input,
  rules: readonly LintRule[],
  today: string,
  onRule: (id: string) => void = () => {},
): readonly RuleFinding[] {
  const objects = input.objects.map(withDefaultNamespace)
  const findings = rules.flatMap(({ id, severity, check }) => {
    onRule(id)
    return check(input.snapshot, objects).map((found): RuleFinding => {
      const ref = printRef(found.object)
      const position = input.positionOf?.(ref, found.path) ?? input.positions.get(ref)
      return { rule: id, severity, ...found, ...(position === undefined ? {} : { position }) }
    })
  })
  return suppressFindings(findings, objects, today)
}

/** Whether anything is left that should fail a run: notes and what is set aside do not. */
export function isFailing({ severity, suppression }: RuleFinding): boolean {
  return severity !== 'note' && suppression === undefined
}
