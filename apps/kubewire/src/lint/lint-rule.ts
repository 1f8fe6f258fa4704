// What a lint rule is: it looks at the effect of objects, not at their spelling, and says what will happen.

import type { ClusterSnapshot, KubeObject, ObjectRef } from '@kubewire/kube-model'
import { refOf } from '@kubewire/kube-model'

/** One thing worth looking at. */
export interface LintFinding {
  readonly object: ObjectRef
  /** Where in the object, or empty. */
  readonly path: string
  /** What happens because of it, in one sentence without a full stop. */
  readonly message: string
}

/** How bad it is: something does not work, something surprises, something could be better (never exit 1). */
export type LintSeverity = 'error' | 'warning' | 'note'

/** One rule: a file, its test and a line in the registry. */
export interface LintRule {
  /** Stable name, the same as the file's. */
  readonly id: string
  readonly severity: LintSeverity
  /** What it looks for, in one line. */
  readonly summary: string
  /** Why it matters and what to do about it: a paragraph of the reference page. */
  readonly docs: string
  /** The smallest manifest that the rule finds something in. */
  readonly example: string
  /** `objects` are those of the input as they were read, also of kinds that a snapshot does not hold. */
  readonly check: (snapshot: ClusterSnapshot, objects?: readonly KubeObject[]) => readonly LintFinding[]
}

/** A finding about an object. */
export function finding(object: KubeObject, path: string, message: string): LintFinding {
  return { object: refOf(object), path, message }
}
