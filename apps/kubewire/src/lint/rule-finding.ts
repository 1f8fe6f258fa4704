// A finding as it is printed: with the rule that made it, its place in a file, and who set it aside.

import type { Position } from '@kubewire/kube-model'
import type { LintFinding, LintSeverity } from './lint-rule.ts'

/** A finding with the rule that made it. */
export interface RuleFinding extends LintFinding {
  readonly rule: string
  readonly severity: LintSeverity
  /** Of the field, else of the object's document; absent for objects of a cluster, and for assumed ones. */
  readonly position?: Position
  readonly suppression?: { readonly until: string; readonly reason: string }
}
