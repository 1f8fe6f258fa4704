// What could not be read, as findings: a report that a machine reads must not look clean where a file is missing from it.

import type { Problem } from '@kubewire/kube-model'
import type { RuleFinding } from './rule-finding.ts'

/** Name in place of a rule's. */
const unreadRule = 'unreadable-input'

/** An error for each document or object that was left out. */
export function unreadFindings(problems: readonly Problem[]): readonly RuleFinding[] {
  return problems
    .filter(({ code }) => code.startsWith('MODEL_') || code === 'CLI_OBJECT_SHAPE')
    .map(({ object, path, message, fallback, position }) => ({
      rule: unreadRule,
      severity: 'error',
      object,
      path,
      message: `${message}; ${fallback}`,
      ...(position === undefined ? {} : { position }),
    }))
}

/** An error for a path that cannot be read at all. */
export function unreadPath(message: string): RuleFinding {
  return { rule: unreadRule, severity: 'error', object: { kind: 'File', name: '-f' }, path: '', message }
}
