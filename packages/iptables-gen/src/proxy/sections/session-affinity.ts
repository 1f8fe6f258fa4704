// Session affinity ClientIP by `recent` lists named like the endpoint chains.

import type { Match } from '../../match/registry.ts'

/** Holds when the client used this endpoint during the last `seconds`. */
export function affinityCheck(endpointChain: string, seconds: number): Match {
  return { kind: 'recent', name: endpointChain, action: 'rcheck', seconds, reaps: true }
}

/** Remembers the client for this endpoint. */
export function affinitySet(endpointChain: string): Match {
  return { kind: 'recent', name: endpointChain, action: 'set' }
}
