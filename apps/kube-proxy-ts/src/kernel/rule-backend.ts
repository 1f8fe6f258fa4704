// What brings the kernel in line with a generated ruleset. One implementation a mode; the proxier does not know which.

import type { BuiltRuleset, ProxyOptions } from '@kubewire/iptables-gen'

/** Number of rules written by table. */
export type WrittenRules = Readonly<Record<string, number>>

/** A way into the kernel, of one family. It remembers what it installed. */
export interface RuleBackend {
  /** Starts to read what the next `apply` has to know of the kernel, so that rules can be made meanwhile. */
  prepare(isFull: boolean): void
  /**
   * Applies the wanted rules. With `isFull` nothing is taken for granted: the kernel's own state is read, or everything
   * is written. Rejects when the kernel said no; then what is installed counts as unknown. Nothing is counted where rules
   * are not those of iptables.
   */
  apply(built: BuiltRuleset, options: ProxyOptions, isFull: boolean): Promise<WrittenRules | undefined>
  /**
   * Looks at the kernel, or the next few chains there; says what differs from what was installed, in words. Between two calls
   * much may be applied. Rejects when the kernel could not be asked.
   */
  audit?(): Promise<string | undefined>
}
