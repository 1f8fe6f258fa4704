// What could not be read or no API server takes, as findings: a report that a machine reads must not look clean where a
// file is missing from it.

import type { Problem } from '@kubewire/kube-model'
import type { RuleFinding } from './rule-finding.ts'

/** Name in place of a rule's, for each code. */
const names: { readonly [code: string]: string } = {
  CLI_DUPLICATE_OBJECT: 'duplicate-object',
  CLI_OBJECT_SHAPE: 'unreadable-input',
  CLI_REFUSED: 'object-refused',
  CLI_UNKNOWN_FIELD: 'unknown-field',
}

/** Whether a problem of reading is a finding of `lint`; assumptions were made for the rules' sake. */
export function isUnread({ code }: Problem): boolean {
  return code.startsWith('MODEL_') || code in names
}

/** A finding for each document, object or field that was left out, refused or is there twice. */
export function unreadFindings(problems: readonly Problem[]): readonly RuleFinding[] {
  return problems.filter(isUnread).map(({ code, severity, object, path, message, fallback, position }) => ({
    rule: names[code] ?? 'unreadable-input',
    severity,
    object,
    path,
    message: `${message}; ${fallback}`,
    ...(position === undefined ? {} : { position }),
  }))
}

/** An error for a path that cannot be read at all. */
export function unreadPath(message: string): RuleFinding {
  return { rule: 'unreadable-input', severity: 'error', object: { kind: 'File', name: '-f' }, path: '', message }
}
