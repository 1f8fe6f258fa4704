// allowlist-source-range, denylist-source-range and satisfy: which clients may pass, and whether one check suffices.
// Source: ingress-nginx 1.15 annotations/{ipallowlist,ipdenylist,satisfy}.

import { directive, literal } from '../config/node.ts'
import { at, defineAnnotation, defineFamily, type Family, type Placed } from './define.ts'
import { cidrList, oneOf } from './values.ts'

/** Client addresses; empty lists bar nobody. */
export interface SourceRanges {
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
  readonly satisfy: 'any' | 'all' | undefined
}

const allowlistSourceRange = defineAnnotation({
  names: ['allowlist-source-range', 'whitelist-source-range'],
  group: 'access',
  scope: 'location',
  risk: 'Medium',
  value: cidrList,
  invalid: 'deny',
  fallback: 'the ConfigMap value (everybody)',
  summary: 'only these clients; others get 403',
  tier: 1,
})

const denylistSourceRange = defineAnnotation({
  names: ['denylist-source-range'],
  group: 'access',
  scope: 'location',
  risk: 'Medium',
  value: cidrList,
  invalid: 'deny',
  fallback: 'the ConfigMap value (nobody)',
  summary: 'these clients get 403',
  tier: 2,
})

const satisfyAnnotation = defineAnnotation({
  names: ['satisfy'],
  group: 'access',
  scope: 'location',
  risk: 'Low',
  value: oneOf(['any', 'all']),
  // The original ignores a bad value; guessing how checks combine is not for us.
  invalid: 'refuse',
  fallback: 'all',
  summary: 'whether one of address, password and external check suffices, or all must pass',
  tier: 2,
})

/** See the file header. */
export const sourceRanges: Family<SourceRanges> = defineFamily({
  name: 'source-ranges',
  annotations: [allowlistSourceRange, denylistSourceRange, satisfyAnnotation],
  resolve: (read, context) => {
    const { settings, isBuiltIn } = context
    // COMPAT: a list that is there and empty denies, an absent one does not (ipallowlist, ipdenylist: Parse).
    for (const one of [allowlistSourceRange, denylistSourceRange]) {
      if (context.isBlank(one)) context.deny(one, 'expected addresses, got an empty list')
    }
    return {
      allowed: sorted(read(allowlistSourceRange) ?? (isBuiltIn ? [] : settings['whitelist-source-range'])),
      denied: sorted(read(denylistSourceRange) ?? (isBuiltIn ? [] : settings['denylist-source-range'])),
      satisfy: read(satisfyAnnotation),
    }
  },
  render: (value, { settings }) => {
    const placed: Placed[] = []
    if (value.satisfy !== undefined) placed.push(at('response', directive('satisfy', value.satisfy)))
    if (value.allowed.length === 0 && value.denied.length === 0) return placed
    // Access rules are not merged with those of http, so its own are repeated (the original forgets them).
    const barred = [...settings['block-cidrs'], ...value.denied]
    placed.push(
      at(
        'access',
        ...barred.map((range) => directive('deny', literal(range))),
        ...value.allowed.map((range) => directive('allow', literal(range))),
        ...(value.allowed.length === 0 ? [] : [directive('deny', 'all')]),
      ),
    )
    return placed
  },
})

function sorted(ranges: readonly string[]): readonly string[] {
  return [...new Set(ranges)].sort()
}
