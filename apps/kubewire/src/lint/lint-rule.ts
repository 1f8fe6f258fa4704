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

/** One rule: a file, its test and a line in the registry. */
export interface LintRule {
  /** Stable name, the same as the file's. */
  readonly id: string
  readonly severity: 'error' | 'warning'
  /** What it looks for, in one line. */
  readonly summary: string
  readonly check: (snapshot: ClusterSnapshot) => readonly LintFinding[]
}

/** A finding about an object. */
export function finding(object: KubeObject, path: string, message: string): LintFinding {
  return { object: refOf(object), path, message }
}
