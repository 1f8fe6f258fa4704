// load-balance, upstream-hash-by*, service-upstream: how a backend is balanced.
// Source: ingress-nginx 1.15 annotations/{loadbalancing,upstreamhashby,serviceupstream}, lua/balancer.lua.

import type { Balancing } from '../model/backend.ts'
import { defineAnnotation, defineFamily, type Family } from './define.ts'
import { flag, integer, oneOf, variablesWithSpaces } from './values.ts'
import { withKnownVariables } from './variables.ts'

/** What an Ingress says about the balancing of its backends; the first Ingress that mentions a backend counts. */
export interface BalancingWish {
  readonly balancing: Balancing
  readonly usesClusterIp: boolean
}

const loadBalance = defineAnnotation({
  names: ['load-balance'],
  group: 'balancing',
  scope: 'location',
  risk: 'Low',
  // The original takes chash, chashsubset and sticky_* too, which do nothing without their settings.
  value: oneOf(['round_robin', 'ewma']),
  invalid: 'refuse',
  fallback: 'the ConfigMap value (round_robin)',
  summary: 'round_robin or ewma',
  tier: 1,
})

const upstreamHashBy = defineAnnotation({
  names: ['upstream-hash-by'],
  group: 'balancing',
  scope: 'location',
  risk: 'High',
  value: variablesWithSpaces,
  invalid: 'refuse',
  fallback: 'no hash',
  summary: 'picks endpoints by a consistent hash of this text with variables',
  tier: 2,
})

const hashSubset = defineAnnotation({
  names: ['upstream-hash-by-subset'],
  group: 'balancing',
  scope: 'location',
  risk: 'Low',
  value: flag,
  invalid: 'refuse',
  fallback: 'false',
  summary: 'the hash picks a set of endpoints, chance one of the set',
  tier: 3,
})

const hashSubsetSize = defineAnnotation({
  names: ['upstream-hash-by-subset-size'],
  group: 'balancing',
  scope: 'location',
  risk: 'Low',
  value: integer,
  invalid: 'refuse',
  fallback: '3',
  summary: 'size of such a set',
  tier: 3,
})

const serviceUpstream = defineAnnotation({
  names: ['service-upstream'],
  group: 'balancing',
  scope: 'ingress',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'absent the ConfigMap value (false), else false',
  summary: 'sends requests to the cluster IP instead of the endpoints',
  tier: 1,
})

/** See the file header. */
export const balancing: Family<BalancingWish> = defineFamily({
  name: 'balancing',
  annotations: [loadBalance, upstreamHashBy, hashSubset, hashSubsetSize, serviceUpstream],
  resolve: (read, context) => {
    const { settings } = context
    const key = withKnownVariables(upstreamHashBy, read(upstreamHashBy), context)
    const size = read(hashSubsetSize) ?? 3
    const usesSubset = read(hashSubset) ?? false
    const algorithm = read(loadBalance) ?? settings['load-balance']
    return {
      balancing:
        key !== undefined
          ? { kind: 'hash', key, subsetSize: usesSubset ? (size <= 0 ? 3 : size) : undefined }
          : { kind: algorithm === 'ewma' ? 'ewma' : 'round-robin' },
      // COMPAT: what is there and neither true nor false is false, whatever the ConfigMap says (serviceupstream, Parse).
      usesClusterIp:
        read(serviceUpstream) ??
        (context.has(serviceUpstream) || context.isBlank(serviceUpstream) ? false : settings['service-upstream']),
    }
  },
})
