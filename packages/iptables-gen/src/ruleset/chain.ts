// A chain: named rules in order. Built-in chains have a policy and belong to the kernel; the others to an agent.

import type { Rule } from './rule.ts'

/** What a built-in chain does with a packet that no rule decided. */
export type Policy = 'ACCEPT' | 'DROP'

/** A chain of one table. */
export interface Chain {
  readonly name: string
  readonly rules: readonly Rule[]
  /** Present on built-in chains only. */
  readonly policy?: Policy
}
