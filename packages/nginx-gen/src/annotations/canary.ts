// canary and canary-*: this Ingress is an alternative of the ordinary Ingress of the same host and path.
// Source: ingress-nginx 1.15 annotations/canary; where the alternative attaches is translate/canary.ts.

import type { CanaryPolicy } from '../model/backend.ts'
import { compiles } from './compiles.ts'
import { defineAnnotation, defineFamily, type Family } from './define.ts'
import { basic, basicWithSpace, flag, integer, regexText } from './values.ts'

const canaryAnnotation = defineAnnotation({
  names: ['canary'],
  group: 'canary',
  scope: 'ingress',
  risk: 'Low',
  value: flag,
  invalid: 'ignore',
  fallback: 'false',
  summary: 'makes this Ingress a canary',
  tier: 1,
})

const canaryWeight = defineAnnotation({
  names: ['canary-weight'],
  group: 'canary',
  scope: 'ingress',
  risk: 'Low',
  value: integer,
  invalid: 'ignore',
  fallback: '0',
  summary: 'share of requests that go to the canary',
  tier: 1,
})

const canaryWeightTotal = defineAnnotation({
  names: ['canary-weight-total'],
  group: 'canary',
  scope: 'ingress',
  risk: 'Low',
  value: integer,
  invalid: 'ignore',
  fallback: '100',
  summary: 'what the whole of canary-weight is',
  tier: 2,
})

const canaryByHeader = defineAnnotation({
  names: ['canary-by-header'],
  group: 'canary',
  scope: 'ingress',
  risk: 'Medium',
  value: basic,
  invalid: 'ignore',
  fallback: 'no header decides',
  summary: 'request header that decides: always, never, or the value below',
  tier: 1,
})

const canaryByHeaderValue = defineAnnotation({
  names: ['canary-by-header-value'],
  group: 'canary',
  scope: 'ingress',
  risk: 'Medium',
  value: basicWithSpace,
  invalid: 'ignore',
  fallback: 'always and never decide',
  summary: 'value of that header that means the canary',
  tier: 1,
})

const canaryByHeaderPattern = defineAnnotation({
  names: ['canary-by-header-pattern'],
  group: 'canary',
  scope: 'ingress',
  risk: 'Medium',
  value: regexText,
  invalid: 'ignore',
  fallback: 'always and never decide',
  summary: 'expression on that header that means the canary',
  tier: 2,
})

const canaryByCookie = defineAnnotation({
  names: ['canary-by-cookie'],
  group: 'canary',
  scope: 'ingress',
  risk: 'Medium',
  value: basic,
  invalid: 'ignore',
  fallback: 'no cookie decides',
  summary: 'cookie that decides: always or never',
  tier: 2,
})

/** The policy of a canary Ingress; `undefined` for an ordinary one. */
export const canary: Family<CanaryPolicy | undefined> = defineFamily({
  name: 'canary',
  annotations: [
    canaryAnnotation,
    canaryWeight,
    canaryWeightTotal,
    canaryByHeader,
    canaryByHeaderValue,
    canaryByHeaderPattern,
    canaryByCookie,
  ],
  resolve: (read, context) => {
    const weight = read(canaryWeight) ?? 0
    const header = read(canaryByHeader)
    const headerValue = read(canaryByHeaderValue)
    const headerPattern = read(canaryByHeaderPattern)
    const cookie = read(canaryByCookie)
    if (!read(canaryAnnotation)) {
      const isConfigured = weight > 0 || [header, headerValue, headerPattern, cookie].some((text) => text !== undefined)
      if (isConfigured) context.refuse(canaryAnnotation, 'canary-* annotations need canary: "true"')
      return undefined
    }
    if (headerPattern !== undefined && !compiles(headerPattern)) {
      context.warn(canaryByHeaderPattern, 'the expression does not compile', 'the header never means the canary')
    }
    // COMPAT: a total below 100 counts as 100 (lua balancer.lua, get_total_weight).
    return {
      weight,
      weightTotal: Math.max(read(canaryWeightTotal) ?? 100, 100),
      header,
      headerValue,
      headerPattern,
      cookie,
    }
  },
})
