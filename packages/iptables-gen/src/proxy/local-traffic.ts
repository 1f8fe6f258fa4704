// How traffic of this node's pods is recognised (detectLocalMode).

import type { Cidr } from '@kubewire/kube-model'
import type { Match } from '../match/registry.ts'

/** What pod traffic looks like; absent means that nothing is recognised. */
export type LocalDetector =
  | { readonly kind: 'cidr'; readonly cidr: Cidr }
  /** An interface, or a prefix of names with a trailing `+`. */
  | { readonly kind: 'interface'; readonly name: string }

/** The match that holds for pod traffic. */
export function localTrafficMatch(detector: LocalDetector): Match {
  return detector.kind === 'cidr'
    ? { kind: 'source', cidr: detector.cidr, asPrefix: true }
    : { kind: 'in-interface', name: detector.name }
}

/** The match that holds for everything else. */
export function notLocalTrafficMatch(detector: LocalDetector): Match {
  return detector.kind === 'cidr'
    ? { kind: 'source', negated: true, cidr: detector.cidr, asPrefix: true }
    : { kind: 'in-interface', negated: true, name: detector.name }
}
