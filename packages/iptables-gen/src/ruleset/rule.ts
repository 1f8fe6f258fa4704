// One rule: conditions and a target, as the kernel keeps them. How a rule is written is the business of `text/`.

import type { ObjectRef } from '@kubewire/kube-model'
import type { Match } from '../match/registry.ts'
import type { Target } from '../target/registry.ts'

/** A rule. Without a target it only counts packets. */
export interface Rule {
  /** Header matches (addresses, interfaces, protocol) first, then modules in the order they are evaluated. */
  readonly matches: readonly Match[]
  readonly target?: Target
  /** The object this rule was made for; printers ignore it, traces show it. */
  readonly origin?: ObjectRef
}

/** Makes a rule; `undefined` entries of `matches` are left out, so that optional matches can be written in place. */
export function rule(matches: readonly (Match | undefined)[], target?: Target, origin?: ObjectRef): Rule {
  const present = matches.includes(undefined) ? matches.filter((m) => m !== undefined) : (matches as readonly Match[])
  if (target === undefined) return origin === undefined ? { matches: present } : { matches: present, origin }
  return origin === undefined ? { matches: present, target } : { matches: present, target, origin }
}
